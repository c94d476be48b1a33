"""Questions: whether a fact is wanted rather than an act, which quantity, and of whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain, groupby, pairwise

from winnow.language import lexicon
from winnow.language.content_words import little
from winnow.language.gazetteer import Gazetteer
from winnow.language.normalize import is_han
from winnow.language.registry import LANGUAGES, mixed_with
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Confidence,
    Mention,
    Quantifier,
    QueryIR,
    Reference,
    SetExpr,
    Token,
    has_kind,
    has_sense,
    of_kind,
    without_kind,
)
from winnow.types.utterance import LanguageCode
from winnow.understand.words.text_cleanup import repair_names
from winnow.understand.words.tokens import (
    TARGET_KINDS,
    any_use,
    canonical_sense,
    has_use,
    sense_in_section,
    tag_text,
)
from winnow.understand.words.vocabulary import Vocabulary

_AMOUNT_SENSES = frozenset({"how_many", "what"})
MIN_REMARK_CHARS = 4
"""Characters of a remark at least."""


def fact_queries(text: str, tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[QueryIR]:
    """One query for each fact wanted: for each quantity and each mention of whose it is.

    ``tokens`` are those of a question.
    """
    # Several measures of one place asked in one breath: temperature and humidity
    named = set(named_quantities(tokens))
    measures = [
        n
        for n, q in lexicon.quantities().items()
        if n in named and q.ambient and (q.prefer or q.otherwise) and n not in _FELT_QUANTITIES
    ]
    both = measures if len(measures) > 1 else []
    for wanted in both or [_asked_quantity(tokens)]:
        yield from _quantity_queries(text, tokens, wanted, vocabulary)


_TARGET_KINDS = TARGET_KINDS | {"scene"}
_LIST_KINDS = _TARGET_KINDS | {"conj", "filler", "quantifier"}
"""Kinds of the words of a list of exceptions."""
_FELT_QUANTITIES = frozenset({"cold", "heat", "occupied", "light", "weather"})


def _quantity_queries(
    text: str, tokens: Sequence[Token], wanted: str, vocabulary: Vocabulary
) -> Iterator[QueryIR]:
    state = not wanted or any(map(_is_state, named_quantities(tokens)))
    # Of an amount "how much" asks how much of something there is, not how many there are.
    counted = any(state or has_use(t, "how_many") for t in tokens if t.means("question", "how_many"))
    whole = counted or any(map(_asks_for_all, tokens))
    left, excluded = _split_exceptions(tokens)
    if wanted == "weather":  # told of everywhere, not of the home
        left = without_kind(left, "zone")
    groups = _fact_mentions(left, vocabulary, joint=whole and state)
    base = replace(
        base_question(text, tokens, whole=whole),
        property=wanted,
        things=SetExpr(minus=tuple(map(Mention, map(tuple, _fact_mentions(excluded, vocabulary))))),
        references=tuple(_references(tokens, groups, wanted)),
        yes_no=any((state, counted, not any(map(_measures, tokens)))),
    )
    yield from map(partial(_with_mention, base), groups or [[]])


def _split_exceptions(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """The words without exceptions, and these.

    They stand after ``除了`` or ``apart from`` up to a word that names nothing, or before ``以外``.
    """
    named, left, excluded, inside = _TARGET_KINDS | {"conj"}, list[Token](), list[Token](), False
    for token in tokens:
        left.append(token)
        if token.kind == "except":
            inside = canonical_sense(token) == "pre"
            if canonical_sense(token) == "post" and not excluded:
                left, excluded = without_kind(left, *named), of_kind(left, *named)
        elif has_use(token, "besides") or token.kind not in _LIST_KINDS:
            inside = False
        elif inside and token.kind in named:
            excluded.append(left.pop())
    return left, excluded


def _is_state(name: str) -> bool:
    row = lexicon.quantities().get(name)
    return row is not None and row.state


def base_question(text: str, tokens: Sequence[Token], *, whole: bool = False) -> QueryIR:
    """A question of nothing yet, or of all there is."""
    quantifier = Quantifier.ALL if whole else Quantifier.ONE
    return QueryIR(text, "query", tokens=tuple(tokens), quantifier=quantifier, confidence=Confidence(1.0))


def _asks_for_all(token: Token) -> bool:
    """Whether a word asks after all there are: ``which lamps``, ``any``, ``哪个房间``."""
    which = token.means("question", "which") and not has_use(token, "where")
    every = token.means("quantifier", "all", "any", "both")
    return which or every or token.kind in {"set", "each_room"}


def _measures(token: Token) -> bool:
    """Whether a word asks for an amount: ``how humid``, ``几度``."""
    return token.means("question", *_AMOUNT_SENSES) or (
        token.kind == "cue" and token.text.startswith(little("how"))
    )


def _references(
    tokens: Sequence[Token], groups: Sequence[Sequence[Token]], wanted: str
) -> Iterator[Reference]:
    """The words that point back; in ``is it on`` the question word holds one."""
    if groups:
        return
    is_ambient: bool = getattr(lexicon.quantities().get(wanted), "ambient", False)
    # ``it`` is nobody in ``is it raining`` and in ``how warm is it upstairs``.
    is_impersonal = is_ambient or wanted in _FELT_QUANTITIES
    for token in tokens:
        if token.kind == "reference" and not (is_ambient and has_use(token, "it")):
            yield Reference(token.text, canonical_sense(token))
        elif token.kind == "question" and has_use(token, "is_it") and not is_impersonal:
            yield Reference("it", "last")


def _with_mention(query: QueryIR, mention: Sequence[Token]) -> QueryIR:
    # Of whom it is asked when nobody is named: of the room one is in, unless it is asked of all or of it.
    if not mention and query.quantifier is Quantifier.ONE and not query.references:
        mention = [Token("", "zone", 0, 0, {"is": "here"})]
    plural = any(t.data.get("plural") for t in of_kind(mention, *DEVICE_KINDS))
    return replace(query.about(*mention), quantifier=Quantifier.ALL if plural else query.quantifier)


def _asked_quantity(tokens: Sequence[Token]) -> str:
    """The first quantity of the table that the sentence names; empty when it names none."""
    found = _first_quantity(tokens)
    if found == "finished" and any_use(tokens, "until_when"):
        return "completion_time"
    if not found:
        # "are the children home": a sentence that ends in the home itself
        content = without_kind(tokens, "filler", "mark")
        return (
            "presence"
            if len(content) > 1 and has_use(content[-1], "home") and not has_kind(content, "room")
            else ""
        )
    return _quantity_of_place(found, tokens)


def _quantity_of_place(found: str, tokens: Sequence[Token]) -> str:
    """Of a room other quantities tell what is asked, and of the home who is there."""
    at_home = has_sense(tokens, "zone", "home")
    kinds = {t.kind for t in tokens}
    rooms = bool(kinds & {"room", "floor"})
    if found == "occupied" and at_home and not rooms:
        return "presence"
    of_rooms = rooms and not at_home and kinds.isdisjoint(DEVICE_KINDS)
    return str(lexicon.question_words()["rooms_ask"].get(found, found)) if of_rooms else found


def _first_quantity(tokens: Sequence[Token]) -> str:
    """The first quantity of the table that is named; that of a setting only where no other is, or is said."""
    named = set(named_quantities(tokens))
    if len(named) > 1 and has_kind(tokens, *DEVICE_KINDS):
        named.discard("occupied")  # did anybody lock the door
    known = [name for name in lexicon.quantities() if name in named]
    # Whether what is set is asked for by its own word
    if known[:1] == ["setpoint"] and "temperature" not in named and not has_sense(tokens, "cue", "setpoint"):
        known = known[1:]
    return next(iter(known), "")


def named_quantities(tokens: Sequence[Token]) -> list[str]:
    """The quantities of ``words/questions.yaml`` that the words name, in the order of the sentence."""
    words, out = lexicon.question_words(), []
    for token in tokens:
        sense = canonical_sense(token)
        told = {
            "cue": sense,
            "property": sense,
            "verb": words["verbs"].get(sense, ""),
            "particle": words["particles"].get(sense, ""),
            "step": sense[:-1],
            "mode": "mode",
            "choice": "mode",
            "type": words["verbs"].get(sense_in_section(token, "verb") or "", ""),
            "question": "state" if sense == "state" else "",
        }
        out.append(str(told.get(token.kind, "")))
    return list(filter(None, out))


def _fact_mentions(
    tokens: Sequence[Token], vocabulary: Vocabulary, *, joint: bool = False
) -> list[list[Token]]:
    """Whose fact is wanted: one mention each.

    ``joint``: names that say no more than a room and a kind are taken for these.
    """
    parts = [
        part for g in _naming_runs(tokens, vocabulary if joint else None) for part in _doors_and_windows(g)
    ]
    things = [g for g in parts if has_kind(g, "word", *DEVICE_KINDS)]
    return _share_thing(parts, things[0]) if len(parts) > 1 and len(things) == 1 else parts


def _naming_runs(tokens: Sequence[Token], vocabulary: Vocabulary | None) -> list[list[Token]]:
    """The words that name something, between those that set them apart."""
    groups: list[list[Token]] = [[]]
    for before, token in pairwise((*tokens[:1], *tokens)):
        apart = token.kind == "conj" or token.text.endswith(little("against")) or has_use(token, "comma")
        if apart or (has_use(before, "the") and _is_next_name(token, groups[-1])):
            groups.append([])
        # A lone Chinese character that nothing explains says nothing.
        empty = token.kind == "word" and (len(token.text) == 1 or not any(ch.isalnum() for ch in token.text))
        if not apart and token.kind in _TARGET_KINDS and not empty:
            groups[-1].extend(_split_joint_word(token, vocabulary))
    groups = [_without_remark(g) for g in groups if g]
    return [g for g in groups if not all(map(_is_remark, g))] or groups


def _is_next_name(token: Token, group: Sequence[Token]) -> bool:
    """Whether a whole name follows on that of another thing: ``the front door the back door``."""
    if token.kind != "name" or not token.data.get("full") or not group:
        return False
    last = group[-1]
    return last.kind == "name" and bool(last.data.get("full")) and set(last.refs).isdisjoint(token.refs)


def _without_remark(group: list[Token]) -> list[Token]:
    """The words of a mention alone."""
    # "奶奶嗓子干书房湿度多少": what is told before a place or thing is not asked about.
    if len(group) > 1 and _is_remark(group[0]) and group[1].kind != "word":
        group = group[1:]
    # A thing whose whole name was said needs no other words: is the hot tub warm enough yet.
    whole = any(t.data.get("full") for t in of_kind(group, "name"))
    return without_kind(group, "word") if whole else group


def _is_remark(token: Token) -> bool:
    """Whether Chinese words that nobody knows are too many for a name, and are of nobody's home."""
    long = token.kind == "word" and len(token.text) >= MIN_REMARK_CHARS and is_han(token.text[0])
    return long and not token.text.endswith(little("theirs"))


def _share_thing(groups: Sequence[list[Token]], thing: list[Token]) -> list[list[Token]]:
    """``the lamps of the hall and the study``: several places share the one thing."""
    bare = without_kind(thing, *PLACE_KINDS)
    if not has_kind(thing, *PLACE_KINDS):
        return [[*g, *bare] for g in groups if g is not thing]
    return [g if g is thing else [*g, *bare] for g in groups]


def _doors_and_windows(group: list[Token]) -> list[list[Token]]:
    """A mention each of what one word names two of: ``门窗``."""
    own: list[Token] = []  # the door of an appliance is told by the appliance
    for t in group:
        if not (own and t.means("type", "door") and own[-1].means("type", *_DOOR_APPLIANCES)):
            own.append(t)
    types = of_kind(own, "type")
    if list(map(canonical_sense, types)) != ["door", "window"]:
        return [own]
    return [[*of_kind(own, *PLACE_KINDS), t] for t in types]


_DOOR_APPLIANCES = frozenset({"refrigerator", "washer", "dryer", "dishwasher", "oven", "microwave"})


def _split_joint_word(token: Token, vocabulary: Vocabulary | None) -> list[Token]:
    if vocabulary is None or token.kind != "name":
        return [token]
    parts = tag_text(token.text, replace(vocabulary, home=_NO_WORDS, readable=_NO_WORDS), reading=True)
    named = [t.kind for t in parts] == ["room", "type"] and parts[0].refs
    return parts if named else [token]


_NO_WORDS = Gazetteer([])


# Questions: is a fact wanted rather than an act.


_QUESTION_SENSES = frozenset({"how_many", "which", "what", "who", "whether", "why"})
_ACT_KINDS = frozenset({"verb", "step", "particle", "light_verb"})
_SUBJECT_FILLERS = ("subject", "you", "pronoun", "quantity", "owner")
"""Words for who or how many: what stands behind them tells, as in ``some of us are on call``."""
_VALUE_KINDS = frozenset({"number", "color", "white", "extreme", "mode", "choice"})
_BINDING_KINDS = frozenset({"negation", "condition", "timing", "domain", "hostile", "comment", "except"})
_SETTING_KINDS = _ACT_KINDS | _VALUE_KINDS | _BINDING_KINDS | {"scene"}
_EMPTY_KINDS = frozenset({"filler", "mark", "conj", "address"})
_CLAUSE_MARKS = frozenset({"weak", "strong"})
"""Marks that end a clause; that of ``Nora's`` does not."""


def is_question(tokens: Sequence[Token], language: LanguageCode) -> bool:
    """Whether the sentence asks for a fact rather than an act."""
    if has_sense(tokens, "negation", "why_not", "why_still", "let_stay"):
        return False
    content = without_kind(tokens, *_EMPTY_KINDS)
    if not content:
        return False
    asks = _asks_first if LANGUAGES[language].asks_first else _asks_in_place
    return asks(tokens, content)


def _asks_first(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    said = _joined_text(tokens)
    # An order ends the sentence, or what makes one of it: "make sure it is off, will you".
    if _order_follows(tokens) or _ends_with(said, "bids"):
        return False
    if _begins_asking(said, content) or asked_later(tokens):
        return True
    first = content[0]
    # ``I was up all night, ...``, ``Nora is out``: who stands before the verb tells
    led = next((a for a, b in pairwise(tokens) if b is first), None)
    if first.kind == "question" and led is not None and led.means("filler", "subject", "you", "person"):
        return False
    if first.kind == "question":
        # "do turn it off": the verb of a question before an act only stresses it
        stressed = has_use(first, "does") and has_kind(content[1:2], *_ACT_KINDS)
        return not (_opens_with(said, "orders") or stressed)
    if any(_opens_with(clause, "requests") for clause in _clause_texts(tokens)):
        return False
    named = first.kind in TARGET_KINDS | {"quantifier"}
    return any_use(tokens, "question_mark") and (named or not has_kind(content, *_ACT_KINDS))


def _begins_asking(said: str, content: Sequence[Token]) -> bool:
    """``tell me whether``, ``the lamp is on, isn't it``; ``show me``, ``any lights on`` with no act after."""
    if _opens_with(said, "whether") or _ends_with(said, "endings"):
        return True
    asks = canonical_sense(content[0]) == "any" or _opens_with(said, "openers")
    return asks and not has_kind(content, *_ACT_KINDS - {"particle"})


def asked_later(tokens: Sequence[Token]) -> bool:
    """``apart from the hall, which lamps are lit``: the question comes after a part that orders nothing.

    Behind what is told of things no mark is needed: ``it's stuffy what's the humidity``.
    """
    begins = False
    for at, token in enumerate(tokens):
        if token.kind in _ACT_KINDS or token.kind == "condition":
            return False
        if begins and token.means("question", *_QUESTION_SENSES):
            return True
        if at > 1 and tokens[0].kind == "statement" and token.means("question", *_AMOUNT_SENSES):
            return True
        leads = token.kind in {"filler", "conj"} and not token.means("filler", *_SUBJECT_FILLERS)
        begins = token.means("mark", *_CLAUSE_MARKS) or token.means("filler", "link") or (begins and leads)
    return False


def _clause_texts(tokens: Sequence[Token]) -> Iterator[str]:
    """The words between marks."""
    for is_mark, clause in groupby(tokens, lambda t: t.kind == "mark"):
        if not is_mark:
            yield _joined_text(list(clause))


def _asks_in_place(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    last = content[-1]
    final = last.kind in {"question", "negation"} and (
        canonical_sense(last) == "final" or has_use(last, "or_not")
    )
    if not final and (has_kind(content, "condition") or _means_everyone(content)):
        return False
    senses = set(map(canonical_sense, of_kind(content, "question")))
    if not senses.isdisjoint(_QUESTION_SENSES):
        return True
    if final:
        return not has_kind(content, "verb") or not _opens_with(_joined_text(tokens, ""), "orders")
    return "state" in senses and (any_use(tokens, "question_mark") or _hopes_not(tokens))


def _hopes_not(tokens: Sequence[Token]) -> bool:
    """``没漏水吧``: what is hoped not to be so is asked."""
    said = without_kind(tokens, "mark")
    return any_use(said, "not_yet") and any_use(said[-1:], "hopes")


def _means_everyone(content: Sequence[Token]) -> bool:
    """``哪个灯都别开``: with ``都`` and a prohibition the question word means every one."""
    at = next(
        (i for i, t in enumerate(content) if t.means("question", "which", "what", "who")),
        None,
    )
    rest = content[at + 1 :] if at is not None else []
    spread = next((i for i, t in enumerate(rest) if has_use(t, "each_of")), None)
    return spread is not None and has_kind(rest[spread:], "negation", "except")


def _joined_text(tokens: Sequence[Token], joint: str = " ") -> str:
    return joint.join(t.text for t in without_kind(tokens, "mark"))


def _opens_with(said: str, part: str) -> bool:
    """Whether the sentence begins with one of these words; English ones may follow a courtesy."""
    words = lexicon.question_words()[part]
    if said[:1].isascii():
        places = range(1 if part in {"orders", "requests"} else 24)
        return any(f" {said} ".find(f" {w} ") in places for w in words["en"])
    asked = next((said.removeprefix(you) for you in little("you") if said.startswith(you)), said)
    return asked.startswith(tuple(words["zh"]))


def _ends_with(said: str, part: str) -> bool:
    """``the lamp is on, isn't it``: a tag asks; ``make sure it is off, will you`` bids."""
    return said.endswith(tuple(f" {words}" for words in lexicon.question_words()[part]["en"]))


def _order_follows(tokens: Sequence[Token]) -> bool:
    """``is it a lamp? whatever, plug it in``: the sentence ends in an order, which counts."""
    begins = False
    for at, token in enumerate(tokens):
        object_ = tokens[at + 1] if at + 1 < len(tokens) else token
        if token.means("mark", *_CLAUSE_MARKS):
            begins = True
        elif begins and (
            token.kind in {"verb", "light_verb"}
            or (object_.kind == "reference" and object_ is not token and token.kind in TARGET_KINDS)
        ):
            return True
        elif token.kind not in {"filler", "conj"}:
            begins = False
    return False


@cache
def _question_gazetteer(language: LanguageCode) -> Gazetteer:
    """The words known in a sentence of a language, as they are meant in a question."""
    return Gazetteer([*lexicon.question_entries(language), *lexicon.entries(language)])


def question_tokens(text: str, vocabulary: Vocabulary, language: LanguageCode) -> list[Token]:
    """The words of a normalised text as they are meant in a question."""
    asked = _question_gazetteer(mixed_with(language)[0])
    return tag_text(text, replace(vocabulary, language=asked), reading=True)


def question_queries(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, language: LanguageCode
) -> tuple[QueryIR, ...]:
    """The facts wanted, one query for each mention; empty when the sentence asks for none.

    ``tokens`` are those of an order.
    """
    is_asked = is_question(tokens, language)
    if _asks_a_person(tokens) or (not is_asked and has_kind(tokens, *_SETTING_KINDS)):
        return ()
    meant = repair_names(_without_strays(question_tokens(text, vocabulary, language)), text, vocabulary)
    if asked_later(tokens):
        meant = _without_told(meant, tokens)
    if _asks_of_the_world(meant):
        return ()
    if is_asked and _reproaches(text):
        return (base_question(text, meant),)
    if not is_asked and not _is_noun_question(meant, tokens):
        return ()
    return tuple(query for one in _joined_questions(meant) for query in fact_queries(text, one, vocabulary))


def _without_told(meant: list[Token], tokens: Sequence[Token]) -> list[Token]:
    """The words of a question without what is told before it, which says at most where.

    Only where the question itself says of whom, and nothing before it says more.
    """
    asks = [t.start for t in tokens if t.means("question", *_QUESTION_SENSES)]
    begin, stop = asks[0], 0
    if tokens[0].kind == "statement":
        return [t for t in meant if t.start >= begin or t.kind in PLACE_KINDS]
    for at in (t.end for t in tokens if t.means("mark", "strong")):
        begin, stop = next(((later, at) for later in asks if later >= at), (begin, stop))
    head, rest = [t for t in meant if t.start < begin], [t for t in meant if t.start >= begin]
    says_more = has_kind(head, "except", "condition") or (has_kind(head, *DEVICE_KINDS) and not stop)
    of_whom = has_kind(rest, *DEVICE_KINDS, *PLACE_KINDS) or has_sense(rest, "question", "who")
    return rest if of_whom and not says_more else meant


def _asks_of_the_world(meant: Sequence[Token]) -> bool:
    """``how does a kettle work``: of a kind of thing, and of nothing that one of them shows."""
    thing = next((n for n, t in enumerate(meant) if t.kind == "type"), 0)
    any_such = thing > 0 and meant[thing - 1].text in little("any_such")
    return any_such and not named_quantities(meant)


def _asks_a_person(tokens: Sequence[Token]) -> bool:
    """``did you feed the cat``: of what the listener does, in words that no home knows."""
    threes = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return any(
        has_use(asks, "does") and you.means("filler", "you") and deed.kind == "word"
        for asks, you, deed in threes
    )


def _joined_questions(tokens: list[Token]) -> list[list[Token]]:
    """Two questions of one sentence, each of something it names: ``is the gate open and is the lamp on``."""
    for at, (joint, begins) in enumerate(pairwise(tokens)):
        halves = [tokens[:at], tokens[at + 1 :]]
        asks = begins.means("question", *_QUESTION_SENSES) or _measures(begins)
        joined = asks and joint.kind == "conj"
        if joined and all(has_kind(half, *DEVICE_KINDS, *PLACE_KINDS) for half in halves):
            return [halves[0], *_joined_questions(halves[1])]
    return [tokens]


def _without_strays(tokens: list[Token]) -> list[Token]:
    """``the co2 level``: a common word of questions is part of a name only beside another word of it."""
    if not has_kind(tokens, "cue", "property"):
        return tokens
    common, names = lexicon.question_words()["fillers"]["en"], of_kind(tokens, "name", "nameword")
    out = list(tokens)
    for at, token in enumerate(tokens):
        others = chain.from_iterable(t.refs for t in names if t is not token)
        if token.kind == "nameword" and token.text in common and set(token.refs).isdisjoint(others):
            out[at] = replace(token, kind="filler")
    return out


def _reproaches(text: str) -> bool:
    words = lexicon.question_words()["reproaches"]
    return any(w in text for w in words["zh"]) or any(f" {w} " in f" {text} " for w in words["en"])


def _is_noun_question(meant: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """A thing or place and a quantity, and nothing to be done with it: ``the temperature of the study``."""
    # Words that say more than of whom what is told
    if has_kind(meant, "question", *_SETTING_KINDS) or any(len(t.text) > 1 for t in of_kind(meant, "word")):
        return False
    named = has_kind(meant, "name", "nameword", "type")
    quantity = next(_noun_quantities(meant), None)
    if quantity is not None:
        return named or quantity.ambient
    if named and _opens_a_question(meant, tokens):
        return True
    return has_kind(meant, "name") and not (has_kind(meant, *PLACE_KINDS) or has_kind(tokens, *DEVICE_KINDS))


def _noun_quantities(meant: Sequence[Token]) -> Iterator[lexicon.Quantity]:
    """The quantities told by a noun of their own, states apart."""
    table, nouns = lexicon.quantities(), lexicon.surfaces("property")
    named = named_quantities([t for t in meant if t.text in nouns])
    return (table[name] for name in named if name in table and not table[name].state)


def _opens_a_question(meant: Sequence[Token], tokens: Sequence[Token]) -> bool:
    openers = lexicon.question_words()["openers"]["zh"]
    return _opens_with(_joined_text(tokens), "openers") or any(t.text in openers for t in meant)
