"""Words -> Reading: normalise, tag, tell whether it is for us, cut into instructions, read each one."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise, takewhile
from typing import Literal

from winnow.language.answers import UNCLEAR, AnswerMeaning
from winnow.language.normalize import is_han, normalise
from winnow.language.patterns import compiled_patterns
from winnow.language.registry import LANGUAGES, language_of, rows_for
from winnow.language.sentences import split_sentences
from winnow.language.tables import table
from winnow.types.query import (
    DEVICE_KINDS,
    MOOD_CORRECTION,
    PLACE_KINDS,
    Limit,
    QueryIR,
    Reading,
    Token,
    has_kind,
    has_sense,
    of_kind,
    without_kind,
)
from winnow.types.retrieval import Attempt
from winnow.types.utterance import LanguageCode, Turn, Utterance
from winnow.types.verdict import Nothing, Refuse, Verdict
from winnow.understand.dialogue.references import antecedents, bound
from winnow.understand.dialogue.replies import (
    OurQuestion,
    asked_again,
    choose_targets,
    denies,
    likewise,
    our_question,
    re_aimed,
)
from winnow.understand.grammar.rulebook import load_rulebook
from winnow.understand.meaning.queries import with_confidence, with_own_act, with_question_confidence
from winnow.understand.meaning.reader import GrammarReader, Interpretation, Orders, is_idiom
from winnow.understand.parse_tree import ParseTree, parse_drawing
from winnow.understand.questions import asked_later, is_question, question_queries, question_tokens
from winnow.understand.words.phrases import drop_asides, is_reported, merge_media_title, merge_name_fragments
from winnow.understand.words.text_cleanup import (
    expand_contractions,
    repair_names,
    resolve_owners,
    split_joined_words,
    split_limits,
)
from winnow.understand.words.tokens import any_use, canonical_sense, tag_text, text_scan
from winnow.understand.words.vocabulary import Vocabulary, in_language

# Whether words put something to the home, where the grammar makes no order and no question of the whole

FRAMES = frozenset({"part.FRAME", "part.ASKING"})
"""Uses of the phrases by which somebody asks for something."""
UNKNOWN_KIND = "word"
"""Kind of the words that nothing explains."""
REFERENCE_KIND = "reference"
"""Kind of the words that point back: ``it``, ``那盏``."""
FOREIGN_USES = frozenset({"filler.subject", "filler.you", "part.BINDS"})
"""Words for somebody who does something, and for what is of others: no state of the home is asked for."""
ASKING_USES = frozenset({"filler.frame", "filler.polite"})
"""Words right before an order that ask for it."""
REQUEST_USES = frozenset({"verb", "step"})
"""What an order behind a remark begins with."""
ASKED_OF_HOME = frozenset({"how_many", "what", "which", "whether", "state", "final"})
"""What is asked of a home, which knows neither who nor why."""
HOME_KINDS = (DEVICE_KINDS | PLACE_KINDS) - {"zone"}
"""Kinds of words that name something of one home."""
TOLD_OF_KINDS = HOME_KINDS | {REFERENCE_KIND, "question"}
"""Kinds of words behind which an English verb asks nothing."""
WordUses = frozenset[str]
"""What a word may be, as ``requests.yaml`` names it: ``verb``, ``verb.past``, ``part.SUBJ``."""


def is_request(tokens: Sequence[Token], language: LanguageCode, *, ordered: bool = False) -> bool:
    """Whether a clause names something of the home beside an act, or a word that may be one.

    What is denied, supposed, cited, taken back, or somebody else's doing is told. ``ordered``: it was read as
    an order, so that it need not name anything.
    """
    words = [(t, _word_uses(t, language)) for t in _framed(tokens, language)]
    if any(uses & _section_uses("withdraws") for _, uses in words):
        return False
    return any(_is_clause_request(clause, language, ordered=ordered) for clause in _request_clauses(words))


def is_asked_of_home(tokens: Sequence[Token], language: LanguageCode, *, stated: bool) -> bool:
    """Whether a question names something of this home, and nobody who does anything.

    ``stated``: it asks for a state or a quantity; else every word of it must be known.
    """
    if any(_word_uses(t, language) & FOREIGN_USES for t in tokens) or not has_kind(tokens, *HOME_KINDS):
        return False
    return stated or not strange_words(tokens, language)


def strange_words(tokens: Sequence[Token], language: LanguageCode) -> tuple[str, ...]:
    """The words that nothing explains, those of Chinese that stand side by side as one; each once."""
    known = _grammar_classes(language)
    found: list[Token] = []
    for token in (t for t in of_kind(tokens, UNKNOWN_KIND) if t.text not in known):
        before = found.pop() if found and is_han(token.text[0]) and found[-1].end == token.start else None
        found.append(replace(before, text=before.text + token.text, end=token.end) if before else token)
    return tuple(dict.fromkeys(t.text for t in found))


_Word = tuple[Token, WordUses]
MAX_FRAME_WORDS = 6
"""Words of the longest phrase by which somebody asks for something: ``I was hoping you could``."""


def _framed(tokens: Sequence[Token], language: LanguageCode) -> Iterator[Token]:
    """The words, each phrase that asks for something as one: ``could we have`` tells of nobody."""
    known, at = _grammar_classes(language), 0
    while at < len(tokens):
        spans = ((at, end) for end in range(min(at + MAX_FRAME_WORDS, len(tokens)), at + 1, -1))
        said = ((end, " ".join(t.text for t in tokens[at:end])) for at, end in spans)
        end, text = next(
            ((e, text) for e, text in said if FRAMES & known.get(text, frozenset())), (at + 1, "")
        )
        frame = Token(text, "filler", tokens[at].start, tokens[end - 1].end, {"is": "frame"})
        yield frame if text else tokens[at]
        at = end


def _request_clauses(words: Sequence[_Word]) -> Iterator[list[_Word]]:
    """The words between marks, and from each word on that begins a request anew."""
    clause: list[_Word] = []
    settled: WordUses = frozenset()
    for word in words:
        led = word[1] & _section_uses("leads") and settled & _section_uses("settles")
        if led or word[1] & (_section_uses("ends") | _section_uses("begins")):
            yield clause
            clause = []
        settled = word[1]
        if not word[1] & _section_uses("ends"):
            clause.append(word)
    yield clause


def _is_clause_request(clause: Sequence[_Word], language: LanguageCode, *, ordered: bool) -> bool:
    """Whether a clause names something of the home, and what is to be done is told of nobody."""
    act = next((n for n, (t, _) in enumerate(clause) if t.kind in _section_uses("acts")), None)
    # Whether an act is enough, with no thing known: it was read as an order, or stands where orders do
    is_act_alone = act is not None and (
        ordered or (clause[act][0].kind in REQUEST_USES and all(t.kind == "filler" for t, _ in clause[:act]))
    )
    if not (is_act_alone or any(t.kind in {*HOME_KINDS, REFERENCE_KIND} for t, _ in clause)):
        return False
    until = _thing_and_act_at(clause) if act is None else act
    return until is not None and not _is_told(clause, until, language)


def _is_told(clause: Sequence[_Word], until: int, language: LanguageCode) -> bool:
    """Whether a word up to there tells, and no order begins behind a remark."""
    # What stands right behind a phrase that asks is to be done, though ``have`` may also ask or tell
    told = clause[: until + (until != 1 or clause[0][1].isdisjoint(_section_uses("begins")))]
    if not any(_is_telling(uses, language) for _, uses in told):
        return False
    return not any(_begins_after_remark(clause, n, language) for n in range(1, len(clause)))


def _thing_and_act_at(clause: Sequence[_Word]) -> int | None:
    """Where, without an act, a thing of the home and a word that may be one were both said; None: nowhere.

    A question has no such word.
    """
    if any(t.kind == "question" for t, _ in clause):
        return None
    thing = next((n for n, (t, _) in enumerate(clause) if t.kind in HOME_KINDS), None)
    strange = next((n for n, (t, _) in enumerate(clause) if t.kind == UNKNOWN_KIND), None)
    return None if thing is None or strange is None else max(thing, strange)


def _begins_after_remark(clause: Sequence[_Word], at: int, language: LanguageCode) -> bool:
    """Whether the word there begins an order behind a remark: ``he forgot his key unlock the door``.

    The act, or in Chinese the thing right before it, follows on a word of a remark that denies nothing.
    """
    (act, uses), before = clause[at], clause[:at][::-1]
    own = uses - {"part.SEES"}  # ``make`` may also say what somebody is made to do
    if act.kind == "light_verb":
        if not (_turns_something(clause[at:]) and _stands_free(before)):
            return False
    elif act.kind not in REQUEST_USES:
        return False
    if _is_telling(own, language) or any(t.kind == "negation" for t, _ in before):
        return False
    named = list(takewhile(lambda word: word[0].kind in HOME_KINDS, before))
    if LANGUAGES[language].thing_first:
        before = before[len(named) :] if named else []
    return bool(before) and _ends_a_remark(before, language)


def _turns_something(clause: Sequence[_Word]) -> bool:
    """Whether what begins with a verb of little meaning says what a thing is put to."""
    return any(t.kind == "particle" or t.kind in _section_uses("settings") for t, _ in clause)


def _stands_free(before: Sequence[_Word]) -> bool:
    """Whether no word close before an act leads to it: ``we should really get ..``, ``I'd rather put ..``."""
    leads = frozenset({"part.AUX", "part.WILL", "part.DONE", "filler.modal"})
    return not any(uses & leads or t.kind in {"mark", "except"} for t, uses in before[:3])


def _ends_a_remark(before: Sequence[_Word], language: LanguageCode) -> bool:
    """Whether the words before, the nearest first, leave off there: ``he'll`` goes on."""
    last, uses = before[0]
    if last.kind == "filler" or (not last.means("timing", "day", "part") and _is_telling(uses, language)):
        return False
    return not (len(before) > 1 and before[1][0].kind == "mark" and before[1][0].end == last.start)


def _is_telling(uses: WordUses, language: LanguageCode) -> bool:
    return not uses.isdisjoint(_language_uses("tells", language))


def _word_uses(token: Token, language: LanguageCode) -> WordUses:
    """What a word may be: its section, its meaning and form, its classes in the grammar."""
    form = token.data.get("form")
    told = {token.kind, f"{token.kind}.{canonical_sense(token)}", *([f"{token.kind}.{form}"] if form else ())}
    known, text, parts = _grammar_classes(language), token.text, [token.text]
    # Of unknown Chinese, where several words may be in one, also what it ends or begins with.
    if token.kind == UNKNOWN_KIND and is_han(text[0]):
        parts += [text[at:] for at in range(1, len(text))]
        parts += [text[:end] for end in range(2, len(text))]
    return frozenset(told).union(*(known[part] for part in parts if part in known))


@cache
def _section_uses(name: str) -> WordUses:
    return frozenset(table("winnow.understand.meaning", "requests.yaml")[name])


@cache
def _language_uses(name: str, language: LanguageCode) -> WordUses:
    told = table("winnow.understand.meaning", "requests.yaml")[name]
    return frozenset([*told["shared"], *rows_for(told, language)])


@cache
def _language_pattern(name: str, language: LanguageCode) -> re.Pattern[str]:
    """``unbinding``: a sign of denial or quotation inside a word; ``pause``: a space that may be a mark."""
    return re.compile(rows_for(table("winnow.understand.meaning", "requests.yaml")[name], language))


@cache
def _grammar_classes(language: LanguageCode) -> Mapping[str, WordUses]:
    """Word -> its classes among the words that the grammar itself needs."""
    found: dict[str, set[str]] = {}
    for entry in load_rulebook(language).own:
        found.setdefault(entry.surface, set()).add(entry.kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


MAX_TEXT_CHARS = 1000
"""Characters read; a text longer than this is no order."""
_CODE = re.compile(
    r"[{}<>\\|]|\w+_\w+\(|--\s|\bunion\b.*\bselect\b|\$\(|\w\(\s*[\"']|[a-z_]+\.[a-z_ ]+\("
    r"|\w+=[\"']|\bdrop table \w+;|[\"']\s*;"
    r"|\bupdate\b.*\bset\b.*\bwhere\b|\b[0-9a-f]{8}-[0-9a-f]{4}-"
    r"|(?<![a-z0-9_\u4e00-\u9fff])[a-z]+_?[a-z]+\.[a-z][a-z0-9]*_?[a-z0-9_]*\b(?!\.)"
)
"""Code, queries, raw ids: no person says these to a home."""
GRUMBLE = "part.GRUMBLE"
"""Use of the words by which somebody complains: 嫌."""
MAX_ISLAND_CHARS = 240
"""Characters of the longest text in which an order among unread words is looked for."""
MIN_CLAUSE_WORDS = 3
"""Words of the shortest English clause: two before an order may be who does it."""
MIN_CLAUSE_CHARS = 4
"""Characters of the shortest Chinese clause: a noun before or behind an order may be a part of it."""
_SHORT_NOUN = re.compile(r"[\u4e00-\u9fff]{1,3}(?!\w)")
_SEMICOLON = re.compile("[;；]")
_QUOTES = re.compile("[\"“”「」『』《》]|(?<![a-z])'|'(?![a-z])", re.IGNORECASE)
_REPEATED = re.compile(r"(\w)\1{5,}")

Intent = Literal["command", "query", "none", "hostile", "empty"]


def understand(utterance: Utterance, vocabulary: Vocabulary) -> Reading:
    """What ``utterance`` asks of this home.

    Never raises on any text; what is not understood is said so in the reading.
    """
    text = resolve_owners(
        split_joined_words(expand_contractions(utterance.text, MAX_TEXT_CHARS + 1), vocabulary), vocabulary
    )
    language = utterance.language or language_of(text)
    vocabulary = in_language(vocabulary, language)
    if len(text) > MAX_TEXT_CHARS or len(utterance.text) > 4 * MAX_TEXT_CHARS:
        return Reading(text[:MAX_TEXT_CHARS], language, "none", "too_long")
    if not any(ch.isalnum() for ch in text):
        return Reading(text, language, "empty", "nothing_said")
    text = _without_reason(_without_told_rest(text, vocabulary, language), vocabulary, language)
    said = _sentence_reading(text, vocabulary, language, utterance.history)
    outside = not_for_us(text, said.tokens)
    if outside == "knowledge" and _is_only_beside(said):
        outside = ""
    if outside == "hostile":
        return Reading(text, language, "hostile", outside)
    # Our own question first: "the second one" answers it, and means nothing by itself.
    ours = our_question(said.history, said.earlier_tokens, said.orders)
    meant = ours.answer_meaning(text, said.tokens) if ours else UNCLEAR
    if ours and (answered := _answer_reading(said, ours, meant)):
        # An agent can write any history, and a yes to it: only the person's own words agree to something.
        return replace(answered, confirmed=False) if utterance.by_agent else answered
    if outside:
        return Reading(text, language, "none", outside)
    if ours and ours.orders and meant.kind == "doubtful":
        return _by_itself(said)
    reading = _in_talk(said, ours)
    if ours or _is_read(reading) or any(" " in t.text for t in said.tokens):
        return reading
    # Who types may set a space for a mark: what is unread so is read with marks.
    marked = _language_pattern("pause", language).sub(",", text)
    other = understand(replace(utterance, text=marked), vocabulary) if marked != text else reading
    return other if _is_read(other) else reading


def _is_only_beside(said: _SentenceReading) -> bool:
    """Whether words of another domain are only told beside an order: ``tv off, the news wears me down``."""
    read = () if said.asked else said.read()
    return bool(read) and all(
        is_order(q) and not q.negated and q.target.things and not has_kind(q.tokens, "domain") for q in read
    )


def _without_told_rest(text: str, vocabulary: Vocabulary, language: LanguageCode) -> str:
    """``what's playing? I know this one``: only the question counts where what follows it is told."""
    asked, mark, rest = text.partition("?")
    if not mark or not any(ch.isalnum() for ch in rest):
        return text
    tokens = tokens_of(rest, vocabulary, reading=False)
    behind = GrammarReader(language, vocabulary).interpret(rest.strip(), tokens)
    told = behind.moods == ("told",) and not any(behind.orders)
    return asked + mark if told else text


def _is_read(reading: Reading) -> bool:
    """Whether it asks, forbids, or orders in words that are all known."""
    orders = reading.intent == "command" and all(is_order(q) or q.negated for q in reading.queries)
    return orders or reading.intent == "query" or reading.reason not in UNREAD


def _without_reason(text: str, vocabulary: Vocabulary, language: LanguageCode) -> str:
    """A complaint of something of the home, without what is told behind it; else the text."""
    complained = compiled_patterns("winnow.understand.words", "patterns.yaml")["complained"].match(text)
    if not complained or complained.end() == len(text):
        return text
    behind = tokens_of(text[complained.end() :], vocabulary, reading=False)
    belongs = _section_uses("acts") | _language_uses("binds", language) | {"negation.never_mind"}
    belongs -= _section_uses("reasons")
    return text if any(_word_uses(t, language) & belongs for t in behind) else complained.group()


def island_reading(first: Reading, utterance: Utterance, vocabulary: Vocabulary) -> Reading | None:
    """The order inside words that nothing reads, to be asked about; None where there is none.

    ``first`` is what the whole of it was read as.
    """
    tokens = tuple(tokens_of(first.text, vocabulary, reading=False))
    uses = [_word_uses(t, first.language) for t in tokens]
    # What somebody complains of is no order of theirs, though the word may also lead in what they say
    complains = first.reason == "reported" and _grumbles(first.text, first.language)
    if (first.reason not in UNREAD and not complains) or _QUOTES.search(utterance.text):
        return None
    said = _SentenceReading(first.text, first.language, tokens, (), utterance.history, vocabulary)
    if not (read := said.island_orders()):
        return None
    reading = said.settle_reading(bound(read, said.history, said.earlier_tokens))
    claims = _language_uses("claims", first.language)
    claimed = any(of & claims for of in uses)
    return replace(reading, island=True, claimed=claimed) if reading.intent == "command" else None


def question_island(first: Reading, utterance: Utterance, vocabulary: Vocabulary) -> Reading | None:
    """The question of something of the home beside words that nothing reads; None where there is none.

    A question does nothing, so no yes is needed for it. ``first`` is what the whole of it was read as.
    """
    text, language = first.text, first.language
    tokens = tokens_of(text, vocabulary, reading=False)
    if first.reason == NEGATED or len(text) > MAX_ISLAND_CHARS or _QUOTES.search(utterance.text):
        return None
    strange = {t.start for t in question_tokens(text, vocabulary, language) if t.kind == UNKNOWN_KIND}
    for words in _question_runs(tokens, strange, language):
        behind = [t for t in tokens if t.start >= words[-1].end]
        read = _question_of(words, text, vocabulary, language) if _is_remark(words, behind, strange) else ()
        if read:
            return _final_reading(text, language, read, (), asked=True)
    return None


def _question_of(words: Sequence[Token], text: str, vocabulary: Vocabulary, language: LanguageCode) -> Orders:
    """What these words of a text ask of the home by themselves."""
    asked = text[words[0].start : words[-1].end]
    meant = tokens_of(asked, vocabulary, reading=False)
    read = question_queries(asked, meant, vocabulary, language) if is_question(meant, language) else ()
    # A state is asked for by its verb alone; what else is asked for has to be named
    stated = not words[0].means("question", "how_many", "what") and has_sense(meant, "question", "whether")
    of_home = all((stated or q.property) and has_kind(q.target.tokens, *HOME_KINDS) for q in read)
    return tuple(read) if of_home else ()


def _is_remark(asked: Sequence[Token], behind: Sequence[Token], strange: Container[int]) -> bool:
    """Whether what stands behind a question is no order, and leaves it whole: 几度合适 asks for advice."""
    ordered = has_kind(behind, *_section_uses("acts")) and has_kind(behind, REFERENCE_KIND, *HOME_KINDS)
    goes_on = asked[-1].end in strange and asked[-1].means("question", "how_many")
    return not ordered and not goes_on


def _question_runs(
    tokens: Sequence[Token], strange: Container[int], language: LanguageCode
) -> Iterator[Sequence[Token]]:
    """The words of what may be a question of the home, up to a mark, a strange word or what is told next.

    ``strange``: where words begin that nobody knows. None of a clause in which somebody says, does or denies
    something before it.
    """
    begins = _asks_at if LANGUAGES[language].asks_first else _is_named_at
    for is_mark, clause in groupby(tokens, lambda t: t.kind == "mark"):
        told = False
        for is_known, run in groupby([] if is_mark else clause, lambda t: t.start not in strange):
            words = list(run)
            for at, token in enumerate(words):
                told = told or bool(_word_uses(token, language) & _section_uses("not_asked"))
                if is_known and not told and begins(words, at):
                    thing = next(n for n in range(at, len(words)) if words[n].kind in HOME_KINDS)
                    yield [*words[at:thing], *takewhile(lambda t: not _tells_anew(t), words[thing:])]


def _tells_anew(token: Token) -> bool:
    """Whether something else is told from there on, behind what is asked of: ``is the oven on I'm out``."""
    return token.kind == "statement" or token.means("filler", "subject", "you")


def _asks_at(words: Sequence[Token], at: int) -> bool:
    """Whether an English question begins there: ``is the oven still on``, ``how humid is the bathroom``."""
    first, rest = words[at], words[at + 1 :]
    thing = next((n for n, t in enumerate(rest) if t.kind in HOME_KINDS), None)
    # Whom is told of stands before the verb: ``the lamp is on``
    before = words[at - 1 : at] if at else ()
    if thing is None or has_kind(before, *TOLD_OF_KINDS) or has_sense(before, "filler", "subject", "person"):
        return False
    with_subject = " " in first.text or rest[0].means("filler", "subject")  # ``have I left the oven on``
    if with_subject or not first.means("question", "whether"):
        return first.means("question", "how_many", "what", "whether")
    between, behind = rest[:thing], rest[thing:]
    acts = _section_uses("acts")
    if has_kind(between, *acts) or "part.BE" not in _word_uses(first, "en"):
        return False
    of_place = behind[0].kind in PLACE_KINDS  # ``is anything on in the study``
    return has_kind(behind, *acts) or has_sense(rest if of_place else behind, "question", "state")


def _is_named_at(words: Sequence[Token], at: int) -> bool:
    """Whether a Chinese question begins there: with what it is asked of, which is nobody else's."""
    asked = words[at].kind in HOME_KINDS and has_sense(words[at:], "question", *ASKED_OF_HOME)
    return asked and not has_sense(words[at - 1 : at], "filler", "attributive")


def _grumbles(text: str, language: LanguageCode) -> bool:
    """Whether a word in a text complains: what somebody complains of is told to its end."""
    return any(GRUMBLE in of and word in text for word, of in _grammar_classes(language).items())


def _readings_by_sentence(utterance: Utterance, vocabulary: Vocabulary) -> list[Reading]:
    """Each sentence read by itself, those before it as turns before; none where there is but one."""
    said = [part.strip() for span in split_sentences(utterance.text) for part in _SEMICOLON.split(span.text)]
    sentences = [one for one in said if any(ch.isalnum() for ch in one)]
    turns = [Turn("user", one) for one in sentences]
    # All of the words answer a question of ours, no sentence of them alone does: "Yes! I guess."
    asked = bool(utterance.history) and utterance.history[-1].role == "assistant"
    before = utterance.history[:-1] if asked else utterance.history
    return [
        understand(replace(utterance, text=one, history=(*before, *turns[:n])), vocabulary)
        for n, one in enumerate(sentences)
        if len(sentences) > 1
    ]


def one_order_reading(utterance: Utterance, vocabulary: Vocabulary) -> Reading | None:
    """The one sentence of several that is an order by itself; None where none or more than one is.

    None of the others takes it back. It is marked as an island, to be asked about, where one of them was
    not read or may bind it; what is told, reported or asked in a sentence of its own is no part of an order.
    """
    readings = [] if _QUOTES.search(utterance.text) else _readings_by_sentence(utterance, vocabulary)
    orders = [one for one in readings if one.intent == "command" and all(map(is_order, one.queries))]
    if len(orders) != 1:
        return None
    (order,) = orders
    rest = [one for one in readings if one is not order]
    words = [tokens_of(one.text, vocabulary, reading=False) for one in rest]
    if any({t.kind for t in without_kind(one, "mark", "filler")} == {"negation"} for one in words):
        return None  # ``turn it off? don't``: a sentence of nothing but a denial
    tokens = [t for one in words for t in one]
    uses = {use for token in tokens for use in _word_uses(token, order.language)}
    if uses & _section_uses("takes_back"):
        return None
    unread = any(one.intent != "none" or one.reason not in SPOKEN_OF for one in rest)
    island = unread or bool(uses & _section_uses("may_bind"))
    return replace(order, island=island, claimed=bool(uses & _language_uses("claims", order.language)))


def _is_clause(words: Sequence[Token]) -> bool:
    """Whether English words are enough to be told by themselves, and nothing to be done among them."""
    acts = _section_uses("acts")
    to_do = any(one.kind == "to" and two.kind in acts for one, two in pairwise(words))
    return len(words) >= MIN_CLAUSE_WORDS and not to_do


@dataclass(frozen=True, slots=True)
class _SentenceReading:
    """A sentence with what was said before it, and how the earlier turns are read."""

    text: str
    language: LanguageCode
    tokens: tuple[Token, ...]
    asked: tuple[QueryIR, ...]
    """The facts it wants; empty when it asks for none."""
    history: tuple[Turn, ...]
    vocabulary: Vocabulary
    known: Interpretation | None = None
    """What it may order, where that was found out to tell whether it asks."""
    whole: str = ""
    """The sentence with the limits it sets to its orders."""
    limits: tuple[Limit, ...] = ()

    def read(self) -> Orders:
        """What it orders, without the turns before it."""
        return self.order_meaning().orders[0]

    def order_meaning(self) -> Interpretation:
        """What it may order, and what else it says."""
        made = self.known or GrammarReader(self.language, self.vocabulary).interpret(self.text, self.tokens)
        if not self.limits:
            return made
        limited = tuple(tuple(replace(q, limits=self.limits) for q in orders) for orders in made.orders)
        return replace(made, orders=limited)

    def earlier_tokens(self, text: str) -> list[Token]:
        """An earlier turn as tokens, with everything that can be read."""
        return tag_text(expand_contractions(text, MAX_TEXT_CHARS), self.vocabulary, reading=True)

    def orders(self, text: str) -> tuple[QueryIR, ...]:
        """What an earlier turn orders; nothing when it asks."""
        # Read without its own history: what it leaned on was settled when it was said.
        before = _sentence_reading(expand_contractions(text, MAX_TEXT_CHARS), self.vocabulary)
        if before.asked:
            return ()
        read = before.read()
        return read if any(is_order(q) for q in read) else before.island_orders() or read

    def island_orders(self) -> Orders:
        """What it orders inside words that nothing reads; nothing where it holds no such order."""
        # Only what names something of the home beside an act is looked at: talk costs nothing more.
        kinds = {t.kind for t in self.tokens}
        if (
            len(self.text) > MAX_ISLAND_CHARS
            or kinds.isdisjoint(HOME_KINDS)
            or kinds.isdisjoint(_section_uses("acts"))
        ):
            return ()
        reader = GrammarReader(self.language, self.vocabulary)
        read, words, around = reader.island_orders(self.text, self.tokens)
        return read if read and all(map(is_order, read)) and self._is_free(words, around) else ()

    def _any_use(self, tokens: Iterable[Token], uses: WordUses) -> bool:
        return any(_word_uses(token, self.language) & uses for token in tokens)

    def _is_free(self, words: Sequence[Token], around: Sequence[Token]) -> bool:
        """Whether an order of these words is bound by none of those around, and no other stands there."""
        if any(t.kind == "negation" or t.data.get("form") == "past" for t in words):
            return False
        kinds = {t.kind for t in around}
        if not (kinds.isdisjoint(HOME_KINDS) or kinds.isdisjoint(_section_uses("acts"))):
            return False
        joint = next((t for t in reversed(around) if t.end <= words[0].start), None)
        # ``so zoggle the awning and turn off the fan``: what is joined to it is to be done as well
        if joint is not None and joint.means("conj", "and") and not kinds.isdisjoint(HOME_KINDS):
            return False
        if self._is_bound(words, around):
            return False
        if self._goes_on(words[-1], around):
            return False
        before = [t for t in around if t.end <= words[0].start and t.data.get("is") != "article"]
        return self._is_told_apart(self._without_asking(before), words[0])

    def _goes_on(self, last: Token, around: Sequence[Token]) -> bool:
        """Whether what an order ends with is no end: something is missing, or it is part of a longer word."""
        ending = (t for t in around if t.end == len(self.text.rstrip()))
        if self._any_use(ending, _section_uses("dangles")):
            return True
        kinds = {t.kind for t in around if t.start >= last.end}
        if _SHORT_NOUN.match(self.text, last.end) and not (kinds and kinds <= {"filler", "domain", "mark"}):
            return True
        # A name that goes on is another word: 电视柜 is no television
        behind = self.text[last.end : last.end + 1]
        return last.kind in HOME_KINDS and bool(behind) and is_han(behind)

    def _is_bound(self, words: Sequence[Token], around: Sequence[Token]) -> bool:
        """Whether one of the words around may bind an order of these, or be a value of it."""
        marks = [t.start for t in around if t.kind == "mark"]
        first = max((at for at in marks if at < words[0].start), default=-1)
        last = min((at for at in marks if at >= words[-1].end), default=len(self.text))
        binds = _language_uses("binds", self.language)
        before, behind = binds - _section_uses("apart_before"), binds - _section_uses("apart_behind")
        unbinding = {
            found.start() for found in _language_pattern("unbinding", self.language).finditer(self.text)
        }
        for token in around:
            # A particle that ends the sentence binds nothing, though it may also begin one: 啊
            ends = token.kind == "filler" and token.end == len(self.text.rstrip(" .。!！"))
            if ends or token.start in unbinding or self._any_use([token], frozenset({GRUMBLE})):
                continue
            if self._any_use(
                [token], before if token.start < first else behind if token.start > last else binds
            ):
                return True
        return False

    def _without_asking(self, before: Sequence[Token]) -> Sequence[Token]:
        """Without what asks for an order at its beginning: 帮我."""
        asks = 2 if self._any_use(before[-2:-1], frozenset({"part.GEI"})) else 0
        return before[: len(before) - (asks or int(self._any_use(before[-1:], ASKING_USES)))]

    def _is_told_apart(self, before: Sequence[Token], first: Token) -> bool:
        """Whether words before an order are no part of it: when, who does it, or what it hangs on."""
        if not before:
            return True
        if not LANGUAGES[self.language].thing_first and self._is_addressed(before):
            return False
        if before[-1].kind == "mark":
            return True
        times, leads = _section_uses("may_time"), _section_uses("leads_to")
        if self._any_use([first], frozenset({"part.BA"})):
            leads -= {"part.DE"}  # what is handled is led in anew
        if self._any_use(before[-1:], leads) or self._any_use(before, times):
            return False
        text = self.text[: before[-1].end]
        if not is_han(text[-1]):
            return _is_clause(before) and not self._any_use(before[:1], _section_uses("places"))
        # The best cover may tear a word that tells when, or that leads to what is done.
        return sum(map(is_han, text)) >= MIN_CLAUSE_CHARS and not any(
            (found & times and GRUMBLE not in found and word in text)
            or (found & leads and text.endswith(word))
            for word, found in _grammar_classes(self.language).items()
        )

    def _is_addressed(self, before: Sequence[Token]) -> bool:
        """Whether English words before an order call somebody who is to do it: ``Zak, turn that off``."""
        called, follows = before[0], next((t for t in before[1:] if t.kind != "address"), before[-1])
        asks = _word_uses(follows, self.language) & {"mark", *REQUEST_USES, "filler.frame"}
        return bool(asks) and (called.kind in {UNKNOWN_KIND, *HOME_KINDS} or called.means("filler", "person"))

    def talk_before(self, read: Orders) -> tuple[Turn, ...]:
        """The turns before an order; the last of them what the sentence itself says before it, of one thing.

        ``she has left her kettle on again, switch it off``; or of one room: ``I'm roasting in the study open
        the blinds in there``
        """
        start = min((t.start for q in read for t in q.tokens), default=0)
        remark = Turn("user", self.text[:start])
        points = any(q.references and not q.target.tokens for q in read)
        named = antecedents((remark,), self.earlier_tokens) if points and start else []
        # What is called by its own name stands where it stands
        there = any(of_kind(q.references, "there") and not has_kind(q.target.tokens, "name") for q in read)
        rooms = of_kind((t for t in self.tokens if there and t.end <= start), "room")
        return (*self.history, remark) if len(rooms) == 1 or sum(map(len, named)) == 1 else self.history

    def facts(self, text: str) -> tuple[QueryIR, ...]:
        """What an earlier turn asks."""
        return _sentence_reading(expand_contractions(text, MAX_TEXT_CHARS), self.vocabulary).asked

    def settle_reading(
        self, read: Sequence[QueryIR], moods: tuple[str, ...] = (), *, asked: bool = False
    ) -> Reading:
        """The reading of a sentence that says this."""
        return _final_reading(self.whole or self.text, self.language, tuple(read), moods, asked=asked)

    @property
    def declined_reading(self) -> Reading:
        """The reading of a no."""
        return Reading(self.text, self.language, "none", "declined")


def _sentence_reading(
    text: str, vocabulary: Vocabulary, language: LanguageCode | None = None, history: tuple[Turn, ...] = ()
) -> _SentenceReading:
    """A sentence, the limits of its orders apart where without them it is an order."""
    language = language or language_of(text)
    plain, limits = split_limits(text)
    # The limits are kept only where the rest is an order: of a question or a remark they are its own words.
    if limits:
        said = _said_plainly(plain, vocabulary, language, history, text)
        if not said.asked and any(
            (q.action or q.value or has_kind(q.tokens, "scene")) and not q.negated for q in said.read()
        ):
            return replace(said, limits=limits)
        plain = text
    return _said_plainly(plain, vocabulary, language, history, text)


def _said_plainly(
    text: str, vocabulary: Vocabulary, language: LanguageCode, history: tuple[Turn, ...], whole: str
) -> _SentenceReading:
    tokens = tokens_of(text, vocabulary, reading=False)
    asked = question_queries(text, tokens, vocabulary, language)
    meant = GrammarReader(language, vocabulary).interpret(text, tokens) if asked else None
    if meant:
        # Whether what could ask for a fact is told, or asks what can be done
        told = "told" in meant.moods or is_idiom(meant.orders[0])
        behind = tokens[0].kind == "statement" and asked_later(tokens)
        if "able" in meant.moods or (told and not any_use(tokens, "question_mark") and not behind):
            asked = ()
    if asked:
        tokens, meant = tokens_of(text, vocabulary, reading=True), None
    return _SentenceReading(text, language, tuple(tokens), asked, history, vocabulary, meant, whole)


def drawing(reading: Reading, vocabulary: Vocabulary) -> ParseTree:
    """How the words of a reading were parsed; costs about what reading them did."""
    vocabulary = in_language(vocabulary, reading.language)
    said = _sentence_reading(reading.text, vocabulary, reading.language)
    tokens = tokens_of(said.text, vocabulary, reading=False)
    reader = GrammarReader(reading.language, vocabulary)
    return parse_drawing(said.text, reader, tokens, island=reading.island)


def _answer_reading(said: _SentenceReading, ours: OurQuestion, meant: AnswerMeaning) -> Reading | None:
    """A turn that answers our question: a no, a yes, a choice."""
    if meant.kind == "no":
        return said.declined_reading
    if meant.kind == "yes" and ours.read:
        return replace(said.settle_reading(ours.read), confirmed=True)
    if meant.kind == "some" and ours.orders:
        counts = tuple(of_kind(said.tokens, "number"))  # said of the options, not of things
        return said.settle_reading(
            tuple(replace(q, tokens=(*q.tokens, *counts)) for q in choose_targets(ours, meant))
        )
    return None


def _in_talk(said: _SentenceReading, ours: OurQuestion | None) -> Reading:
    """A turn that may lean on those before it: the same for another thing, or a sentence with ``it``."""
    if again := asked_again(said.text, said.tokens, said.history, said.facts):
        return said.settle_reading(again, asked=True)
    aimed = re_aimed(said.tokens, said.history, ours, said.orders)
    if aimed is not None:
        instead = (MOOD_CORRECTION,) if any(map(denies, said.tokens)) else ()
        return said.settle_reading(aimed, instead) if aimed else said.declined_reading
    if said.asked:
        return said.settle_reading(bound(said.asked, said.history, said.earlier_tokens), asked=True)
    meant = said.order_meaning()
    if "again" in meant.moods:
        return _for_another(said, ours, meant)
    first, *others = (bound(read, said.talk_before(read), said.earlier_tokens) for read in meant.orders)
    reading = said.settle_reading(first, meant.moods)
    # Readings that cost about the same are handed on: deciding asks where they would do different things.
    rivals = tuple(said.settle_reading(other).queries for other in others)
    return replace(reading, rivals=rivals, guess=meant.guess) if rivals or meant.guess else reading


def _for_another(said: _SentenceReading, ours: OurQuestion | None, meant: Interpretation) -> Reading:
    """The request before, for what this turn names: instead of the thing that was meant, or besides."""
    if ours is not None and ours.kind == "choose":
        return said.declined_reading  # an answer narrows what was offered; it never reaches past it
    # "yes, and the hall light as well": what we asked about is wanted too
    agreed = ours.orders if ours is not None and has_sense(said.tokens, "confirm", "yes") else ()
    more = likewise(meant.orders[0], said.history, said.orders)
    return said.settle_reading((*agreed, *more), meant.moods)


def _by_itself(said: _SentenceReading) -> Reading:
    """A turn in the place of an answer that asks or doubts.

    Only a question may lean on what was said before; an order counts if it names what it is for.
    """
    if said.asked:
        return said.settle_reading(bound(said.asked, said.history, said.earlier_tokens), asked=True)
    meant = said.order_meaning()
    # With a question open, an order that names nothing may be doubt as well as an order.
    if not any(q.target.tokens for q in meant.orders[0]):
        return Reading(said.text, said.language, "none", _reason(meant.moods), moods=meant.moods)
    return said.settle_reading(bound(meant.orders[0], (), said.earlier_tokens), meant.moods)


def is_order(query: QueryIR) -> bool:
    """Whether it says what is to be done, in words that are known."""
    return bool(query.action or query.value) and not query.unplaced


def tokens_of(text: str, vocabulary: Vocabulary, *, reading: bool) -> list[Token]:
    """The words of a normalised text one by one; ``reading`` also knows what can only be read."""
    known, key = text_scan(text, vocabulary).found, (id(vocabulary.home), reading)
    if key not in known:
        tagged = drop_asides(merge_name_fragments(tag_text(text, vocabulary, reading=reading), text))
        known[key] = repair_names(merge_media_title(tagged, text), text, vocabulary)
    return [*known[key]]


def _final_reading(
    text: str, language: LanguageCode, read: Orders, moods: tuple[str, ...], *, asked: bool
) -> Reading:
    if asked:
        return Reading(text, language, "query", "", tuple(map(with_question_confidence, read)))
    if all(
        _only_numbers(q) or not bool(q.action or q.value or q.target.tokens or q.negated or q.references)
        for q in read
    ):
        return Reading(text, language, "none", _reason(moods), read, moods)
    ordered = tuple(with_confidence(with_own_act(q)) for q in read)
    return Reading(text, language, "command", "", ordered, moods)


def _reason(moods: Sequence[str]) -> str:
    """Why there is nothing to do, as far as the sentence tells."""
    return "asked" if "able" in moods else moods[-1] if moods else "not_understood"


def _only_numbers(query: QueryIR) -> bool:
    """A number that answers nothing."""
    silent = {"number", "mark", "filler", "conj"}
    return not query.antecedents and not query.target.tokens and not without_kind(query.tokens, *silent)


def not_for_us(text: str, tokens: Sequence[Token]) -> str:
    """Why this is no request to a home, or an empty string."""
    if has_kind(tokens, "hostile") or _CODE.search(text):
        return "hostile"
    if _REPEATED.search(text) or _nonsense(tokens):
        return "nonsense"
    if is_reported(tokens):
        return "reported"
    # ``add oat milk to the groceries``: nothing to do with a device, though the home knows the list
    if any_use(tokens, "writes") and any(map(_is_a_list, tokens)):
        return "list"
    domains = of_kind(tokens, "domain")
    if not domains:
        return ""
    named = any(t.end - t.start > 2 for t in of_kind(tokens, "name", "scene"))
    verbs = has_kind(tokens, "verb", "step", "particle")
    if canonical_sense(domains[0]) == "chat":
        if named or verbs:
            return ""
        # ``..., thanks``: what was said before it tells what is wanted.
        word = domains[0]
        content = without_kind(tokens, "mark", "filler")
        if len(content) > 1 and content[-1] is word:
            return ""
    return canonical_sense(domains[0])


def _is_a_list(token: Token) -> bool:
    kinds = token.data.get("kinds")
    return token.kind == "name" and isinstance(kinds, tuple) and "todo" in kinds


def _nonsense(tokens: Sequence[Token]) -> bool:
    """Mostly unknown Latin words next to Chinese, or a heap of kinds without an act."""
    unknown = [t for t in of_kind(tokens, "word") if not is_han(t.text[0])]
    kinds = of_kind(tokens, "type")
    acts = has_kind(tokens, "verb", "step", "question", "particle")
    return not acts and len(kinds) >= 3 and bool(unknown)


# Turns that nothing follows from: what they name, and whether they wanted something of the home.


NEGATED = "negated"
"""The reason of an order not to act: what is spared is none of what may be meant."""
CUE = "cue"
"""Kind of the words of a question that tell which state or quantity it asks for."""
UNREAD = frozenset({"", "not_understood", "told"})
"""Reasons of readings in which an order may stand: neither forbidden, asked, cited nor wished."""
SPOKEN_OF = frozenset({"told", "reported", "knowledge", "chat", "wish"})
"""Reasons of sentences that want nothing of a home."""
UNDERSTOOD_AS_NONE = frozenset({"reported", "withdrawn", "elsewhere"})
"""Reasons that say it was understood that nothing is to be done."""
BY_WORDS = SPOKEN_OF | UNDERSTOOD_AS_NONE | {"not_understood", "asked", NEGATED}
"""Reasons why nothing is done that are no more than a judgement of the words."""
MAX_TURNS = 2
"""Earlier turns that tell what is meant where a sentence itself names nothing."""


@dataclass(frozen=True, slots=True)
class Unread:
    """The words of a turn that nothing follows from."""

    names: tuple[Token, ...]
    """Its words, and those of the turns before where it names nothing itself."""
    strange: tuple[str, ...]
    """Those that nothing explains."""
    wanted: bool
    """Whether it orders or asks something of the home."""
    is_open: bool
    """Whether it may be an order all the same: it holds an act or a value, and is no plain prohibition."""


def is_idle(verdict: Verdict) -> bool:
    """Whether nothing follows for a matter of words, so that what they mention is all there is to tell."""
    if isinstance(verdict, Nothing):
        return verdict.reason in BY_WORDS and not verdict.conditions
    return isinstance(verdict, Refuse) and all(set(r.device_ids) <= set(r.near) for r in verdict.refusals)


def unread(first: Attempt, history: Sequence[Turn], vocabulary: Vocabulary) -> Unread:
    """What the words of an attempt name, and whether they want something."""
    reading = first.reading
    vocabulary = in_language(vocabulary, reading.language)
    tokens = tokens_of(reading.text, vocabulary, reading=False)
    wanted = _is_wanted(first, tokens)
    asked = bool(history) and history[-1].role == "assistant" and normalise(history[-1].content).endswith("?")
    # A turn leans on those before where it points back, was half read, or follows on a question.
    leans = asked or reading.intent != "none" or has_kind(tokens, REFERENCE_KIND)
    names = list(tokens)
    if leans and not has_kind(tokens, *HOME_KINDS):
        # The words of the last turns that name something, the last turn first
        for turn in reversed(history[-MAX_TURNS:]):
            said = expand_contractions(turn.content, MAX_TEXT_CHARS)
            names += tag_text(said, vocabulary, reading=True)
    acts = [t for t in tokens if t.kind in _section_uses("acts") | _section_uses("settings")]
    # A plain prohibition is of one act, and of nothing else behind a mark.
    plain = first.verdict == Nothing(NEGATED) and not has_kind(tokens, "mark") and len(acts) < 2
    return Unread(tuple(names), strange_words(tokens, reading.language), wanted, bool(acts) and not plain)


def _is_wanted(first: Attempt, tokens: Sequence[Token]) -> bool:
    """Whether a turn orders or asks something of the home; what is refused was taken for an order."""
    reading = first.reading
    if isinstance(first.verdict, Refuse):
        return True
    if reading.intent == "query":
        stated = any(t.kind == CUE for q in reading.queries for t in q.tokens)
        return is_asked_of_home(tokens, reading.language, stated=stated)
    # Whether it is understood that nothing is to be done: it is forbidden in known words, or cited
    if first.verdict == Nothing(NEGATED):
        is_plain = not strange_words(tokens, first.reading.language)
    else:
        is_plain = reading.reason in UNDERSTOOD_AS_NONE
    if reading.reason == "reported" and (behind := _behind_report(reading.text, tokens, reading.language)):
        return is_request(behind, reading.language)
    return not is_plain and is_request(tokens, reading.language, ordered=reading.intent == "command")


def _behind_report(text: str, tokens: Sequence[Token], language: LanguageCode) -> Sequence[Token]:
    """The words behind what somebody said, where that ended before them: ``he says he is cold, ..``.

    Empty where it may go on: right behind a mark after the word that reports stands what was said.
    """
    uses = [_word_uses(t, language) for t in tokens]
    told = max((n for n, of in enumerate(uses) if "part.REPORT" in of), default=len(tokens))
    end = next((n for n in range(told, len(tokens)) if uses[n] & _section_uses("ends")), len(tokens))
    near = end - told <= 2 and not _grumbles(text, language)
    return () if _QUOTES.search(text) or ":" in text or near else tokens[end + 1 :]
