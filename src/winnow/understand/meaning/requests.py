"""Whether words put something to the home, where the grammar makes no order and no question of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile

from winnow.language.normalize import is_han
from winnow.language.tables import table
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, of_kind
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.rulebook import load_rulebook
from winnow.understand.words.tokens import canonical_sense

UNKNOWN_KIND = "word"
"""Kind of the words that nothing explains."""
REFERENCE_KIND = "reference"
"""Kind of the words that point back: ``it``, ``那盏``."""
FOREIGN_USES = frozenset({"filler.subject", "filler.you", "part.BINDS"})
"""Words for somebody who does something, and for what is of others: no state of the home is asked for."""
REQUEST_USES = frozenset({"verb", "step"})
"""What an order behind a remark begins with."""
HOME_KINDS = (DEVICE_KINDS | PLACE_KINDS) - {"zone"}
"""Kinds of words that name something of one home."""
WordUses = frozenset[str]
"""What a word may be, as ``requests.yaml`` names it: ``verb``, ``verb.past``, ``part.SUBJ``."""


def is_request(tokens: Sequence[Token], language: LanguageCode, *, ordered: bool = False) -> bool:
    """Whether a clause names something of the home beside an act, or a word that may be one.

    What is denied, supposed, cited, taken back, or somebody else's doing is told. ``ordered``: it was read as
    an order, so that it need not name anything.
    """
    words = [(t, _word_uses(t, language)) for t in tokens]
    if any(uses & _section_uses("withdraws") for _, uses in words):
        return False
    return any(_is_clause_request(clause, language, ordered=ordered) for clause in _request_clauses(words))


def is_asked_of_home(tokens: Sequence[Token], language: LanguageCode, *, stated: bool) -> bool:
    """Whether a question names something of this home, and nobody who does anything.

    ``stated``: it asks for a state or a quantity; else every word of it must be known.
    """
    if any(_word_uses(t, language) & FOREIGN_USES for t in tokens) or not any(map(_is_of_home, tokens)):
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
    is_act_alone = act is not None and (ordered or _is_leading_act(clause[: act + 1]))
    if not (is_act_alone or any(_is_pointing(t) for t, _ in clause)):
        return False
    until = _thing_and_act_at(clause) if act is None else act
    return until is not None and not _is_told(clause, until, language)


def _is_told(clause: Sequence[_Word], until: int, language: LanguageCode) -> bool:
    """Whether a word up to there tells, and no order begins behind a remark."""
    if not any(_is_telling(uses, language) for _, uses in clause[: until + 1]):
        return False
    return not any(_begins_after_remark(clause[: n + 1], language) for n in range(1, len(clause)))


def _is_pointing(token: Token) -> bool:
    """Whether a word names something of the home, or points back at what did."""
    return _is_of_home(token) or token.kind == REFERENCE_KIND


def _is_leading_act(clause: Sequence[_Word]) -> bool:
    """Whether an act leads the clause that it ends, as orders do: ``turn on ..``, with no thing known."""
    return clause[-1][0].kind in REQUEST_USES and all(t.kind == "filler" for t, _ in clause[:-1])


def _thing_and_act_at(clause: Sequence[_Word]) -> int | None:
    """Where, without an act, a thing of the home and a word that may be one were both said; None: nowhere.

    A question has no such word.
    """
    if any(t.kind == "question" for t, _ in clause):
        return None
    thing = next((n for n, (t, _) in enumerate(clause) if _is_of_home(t)), None)
    strange = next((n for n, (t, _) in enumerate(clause) if t.kind == UNKNOWN_KIND), None)
    return None if thing is None or strange is None else max(thing, strange)


def _begins_after_remark(clause: Sequence[_Word], language: LanguageCode) -> bool:
    """Whether the last word begins an order behind a remark: ``he forgot his key unlock the door``.

    The act, or in Chinese the thing right before it, follows on a word of a remark that denies nothing.
    """
    (act, uses), *before = reversed(clause)
    if (
        act.kind not in REQUEST_USES
        or _is_telling(uses, language)
        or any(t.kind == "negation" for t, _ in before)
    ):
        return False
    named = list(takewhile(lambda word: _is_of_home(word[0]), before))
    if language == "zh":
        before = before[len(named) :] if named else []
    return bool(before) and _ends_a_remark(before, language)


def _ends_a_remark(before: Sequence[_Word], language: LanguageCode) -> bool:
    """Whether the words before, the nearest first, leave off there: ``he'll`` goes on."""
    last, uses = before[0]
    if last.kind == "filler" or _is_telling(uses, language):
        return False
    return not (len(before) > 1 and before[1][0].kind == "mark" and before[1][0].end == last.start)


def _is_of_home(token: Token) -> bool:
    return token.kind in HOME_KINDS


def _is_telling(uses: WordUses, language: LanguageCode) -> bool:
    return not uses.isdisjoint(_telling_uses(language))


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
def _telling_uses(language: LanguageCode) -> WordUses:
    told = table("winnow.understand.meaning", "requests.yaml")["tells"]
    return frozenset([*told["shared"], *told[language]]) | _section_uses("quotes")


@cache
def _grammar_classes(language: LanguageCode) -> Mapping[str, WordUses]:
    """Word -> its classes among the words that the grammar itself needs."""
    found: dict[str, set[str]] = {}
    for entry in load_rulebook(language).own:
        found.setdefault(entry.surface, set()).add(entry.kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}
