"""Turns that answer: a yes or a no to a confirmation, a choice among what we offered, the same for another.

Our own question in a talk given as text is recognised here; what words say to it, ``language.answers`` tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any, Literal, cast

from winnow.language.answers import UNCLEAR, AnswerMeaning, ClosedQuestion, family, meaning
from winnow.language.lexicon import type_words
from winnow.language.normalize import normalise
from winnow.language.tables import table
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Quantifier,
    QueryIR,
    Token,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.types.utterance import Turn
from winnow.understand.dialogue.references import Tag, retarget_query
from winnow.understand.words.tokens import canonical_sense, has_use

Read = Callable[[str], tuple[QueryIR, ...]]
Things = tuple[tuple[Token, ...], ...]
_COUNTED = frozenset({"ordinal", "count", "floor"})
_DOING, _UNDOING = frozenset({"on"}), frozenset({"off", "lock"})
"""Families of acts, and those that undo them."""
_SAYING = frozenset({"verb", "particle"})
_LEANING = _SAYING | {"reference"}
"""Words that may take up what we asked about: ``lock it``."""
_ROOM = frozenset({"room"})
_ACTS = frozenset({"verb", "step", "number", "color", "white"})


@dataclass(frozen=True, slots=True)
class OurQuestion:
    """The question our last turn ended in."""

    kind: Literal["confirm", "choose", "open"]
    request: str
    """What the person had said before it."""
    read: tuple[QueryIR, ...]
    """The same as read; empty when it asked for a fact."""
    named: Things
    """The options of a choice in order, or the things a yes would be said to."""
    about: tuple[Token, ...] = ()
    """Other words of the question for all of these."""
    more: bool = False
    """Whether it says that more could be meant than it names."""

    @property
    def orders(self) -> tuple[QueryIR, ...]:
        """What was to be done before we asked."""
        return tuple(q for q in self.read if q.action or q.value)

    def answer_meaning(self, text: str, tokens: Sequence[Token]) -> AnswerMeaning:
        """What an answer means; ``unclear`` when the question is no closed one.

        What the answer calls a thing counts as a name of that thing.
        """
        if self.kind == "open" or (self.kind == "choose" and len(self.named) < 2):
            return UNCLEAR
        names = tuple(_names((*thing, *self.about), tokens) for thing in self.named or ((),))
        unnamed = ((),) if self.more else ()  # whoever says all means those as well
        acts = frozenset(q.action for q in self.orders if q.action)
        asked = ClosedQuestion(self.kind, normalise(self.request), (*names, *unnamed), acts, len(names))
        return meaning(text, asked)


def our_question(history: Sequence[Turn], tag: Tag, read: Read) -> OurQuestion | None:
    """What our last turn asked, when it asked something."""
    question = history[-1].content if history and history[-1].role == "assistant" else ""
    request = next((t.content for t in reversed(history[:-1]) if t.role == "user"), "")
    if not request or not _contains_name("asks", question):
        return None
    wanted = read(request)
    if _contains_name("choices", question):
        lead = _pattern("lead").match(question)  # said before the options of them all: "which wall lamp: ..."
        rest, about = (question[lead.end() :], tag(lead[0])) if lead else (question, ())
        options, things = _offered_options(tag(rest)), tuple(of_kind(about, *DEVICE_KINDS))
        return OurQuestion("choose", request, wanted, options, things, _contains_name("more", question))
    kind: Literal["confirm", "open"] = "confirm" if _wants_a_yes(question, tag, wanted) else "open"
    return OurQuestion(kind, request, wanted, *_at_stake(tag(question)))


def _wants_a_yes(question: str, tag: Tag, wanted: Sequence[QueryIR]) -> bool:
    """Whether a yes is wanted to what was ordered: not to another thing or room, nor to undoing it.

    ``It is open. Shall I close it again?`` wants another yes than the one for opening it.
    """
    asks = _pattern("last").search(question)
    if not asks or not _contains_name("confirms", question):
        return False
    asked, said = tag(asks[0]), [t for q in wanted for t in q.target.tokens]
    if _undoes(
        {family(canonical_sense(t)) for t in of_kind(asked, *_SAYING)}, {family(q.action) for q in wanted}
    ):
        return False
    return _speak_of(DEVICE_KINDS, asked, said) and _speak_of(_ROOM, asked, said)


def _undoes(acts: set[str], wanted: set[str]) -> bool:
    """Whether only acts are said that take back those that were wanted."""
    sides = ((_DOING, _UNDOING), (_UNDOING, _DOING))
    return any(acts and acts <= ones and wanted & others and not wanted & ones for ones, others in sides)


def _speak_of(kinds: frozenset[str], asked: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether all words of these kinds in a question may mean what the words of an order mean."""
    meant = of_kind(said, *kinds)
    named = [t for t in of_kind(asked, *kinds) if canonical_sense(t) != "device"]
    return not meant or all(any(_alike(t, other) for other in meant) for t in named)


def _alike(one: Token, other: Token) -> bool:
    """Whether two words may name the same thing: it is the same, its kind, or a part of its name."""
    if not set(one.refs).isdisjoint(other.refs) or one.text in other.text or other.text in one.text:
        return True
    return "type" in {one.kind, other.kind} and not _kinds(one).isdisjoint(_kinds(other))


def _kinds(token: Token) -> frozenset[str]:
    """The kinds of device a word is for."""
    if token.kind == "type":
        known = type_words().get(canonical_sense(token))
        return frozenset(known.kinds) if known else frozenset()
    kinds = token.data.get("kinds")
    return frozenset(map(str, kinds)) if isinstance(kinds, tuple) else frozenset()


def _at_stake(question: Sequence[Token]) -> tuple[Things, tuple[Token, ...]]:
    """The things a yes would be said to, with the place said before each, and the other words for them.

    The word for a kind is a thing by itself where no name in the question is of that kind.
    """
    # "the bedroom lamp, a light": a kind that a name in the question has is that thing, not another.
    of_names = frozenset(kind for t in question if t.kind == "name" for kind in _kinds(t))
    things: dict[object, tuple[Token, ...]] = {}
    others: list[Token] = []
    place: tuple[Token, ...] = ()
    for token in question:
        if token.kind in PLACE_KINDS:
            place = (token,)
        elif _is_a_thing(token, of_names):
            words = (*place, token)
            # One thing named twice is one: by its ids, or by the words where the home gives none.
            things.setdefault((token.refs or tuple(t.text for t in words)), words)
            place = ()
        elif token.kind in DEVICE_KINDS:
            others.append(token)
    return tuple(things.values()), (*others, *place)


def _is_a_thing(token: Token, of_names: frozenset[str]) -> bool:
    return token.kind == "name" or (token.kind == "type" and _kinds(token).isdisjoint(of_names))


def _names(thing: Sequence[Token], answer: Sequence[Token]) -> tuple[str, ...]:
    refs = {ref for t in thing for ref in t.refs}
    return (*(t.text for t in thing), *(t.text for t in answer if refs & set(t.refs)))


def choose_targets(ours: OurQuestion, meant: AnswerMeaning) -> tuple[QueryIR, ...]:
    """What was to be done, aimed at the things that were chosen; nothing where it is not told to which."""
    if ours.kind == "confirm":
        aimed = [_aimed_at(ours.named[n], ours.orders) for n in meant.options]
        return tuple(query for query in aimed if query) if all(aimed) else ()
    last = ours.orders[-1:]
    # One past the named things stands for all of them.
    if len(ours.named) in meant.options:  # those that are not named as well
        return tuple(replace(q, quantifier=Quantifier.ALL) for q in last)
    return tuple(retarget_query(q, ours.named[n], answering=True) for q in last for n in meant.options)


def _aimed_at(thing: Sequence[Token], orders: Sequence[QueryIR]) -> QueryIR | None:
    """The only order that may be for a thing, for that thing alone."""
    own = of_kind(thing, *DEVICE_KINDS)
    found = [q for q in orders if any(_alike(t, other) for t in own for other in q.target.things)]
    return retarget_query(found[0], thing, answering=True) if len(found) == 1 else None


def denies(token: Token) -> bool:
    """Whether a word says that something is not meant."""
    sense = canonical_sense(token)
    negated = token.kind == "negation" and sense in {"not", "never_mind"}
    return (
        negated
        or (token.kind == "confirm" and sense == "no")
        or token.kind == "except"
        or sense == "not_that"
    )


def re_aimed(
    tokens: Sequence[Token], history: Sequence[Turn], ours: OurQuestion | None, read: Read
) -> tuple[QueryIR, ...] | None:
    """The request before, aimed at what this turn names instead: ``不是那盏，是走廊的``.

    Empty when the turn declines; None when it is a turn of its own.
    """
    if ours is not None and (loose := _loose(tokens, ours)):
        return (replace(ours.orders[-1], unplaced=loose),)
    content = _content(tokens)
    if any(map(_leaves, content)):
        return () if ours is not None else None
    # A word nobody knows may say something else altogether, so the turn is read by itself.
    if "word" in (t.kind for t in content):
        return None
    if ours is not None and ours.kind == "choose" and ours.orders:
        return _answering(tokens, ours)
    return _correct_order(tokens, history, read)


def _leaves(token: Token) -> bool:
    return (token.kind, canonical_sense(token)) in {("negation", "never_mind"), ("except", "keep")}


def _answering(tokens: Sequence[Token], ours: OurQuestion) -> tuple[QueryIR, ...] | None:
    """The order we asked about, for what a reply names that is no option as we put it."""
    order, named = ours.orders[-1], _naming_tokens(_sides(tokens)[0])
    if not named or _counts(named) or _acts(_content(tokens)) or _elsewhere(named, ours):
        return None
    said = order.target.tokens
    # words are added and none taken away: nothing can be meant by all of them that was not meant before
    added = [t for t in named if t.text not in {other.text for other in said}]
    return (replace(order.about(*said, *added), references=()),)


def _elsewhere(named: Sequence[Token], ours: OurQuestion) -> bool:
    """Whether something is named that is neither in the order nor in a question that names all there is."""
    said = ours.orders[-1].target.tokens
    # Another room than the one of the order is a new wish, whatever was offered.
    if _rooms(said) and not _rooms(named) <= _rooms(said):
        return True
    # Only a question that names all there is tells that what is not in it is none of it.
    offered = [*said, *chain.from_iterable(ours.named)]
    complete = len(ours.named) > 1 and not ours.more
    return complete and not (_rooms(named) <= _rooms(offered) and _are_called(named, offered, ours.named))


def _corrects(content: Sequence[Token]) -> bool:
    """Whether a turn says no act and that something else was meant, or something as well."""
    other = {canonical_sense(t) for t in content} & {"not_that", "same", "other"}
    says = _acts(content) or has_kind(content, "particle")
    return bool(other or (content and content[0].kind == "conj")) and not says


def _correct_order(
    tokens: Sequence[Token], history: Sequence[Turn], read: Read
) -> tuple[QueryIR, ...] | None:
    """The last order for what is named instead; empty where that is not told, None where nothing is named."""
    orders = _last_orders(history, read) if _corrects(_content(tokens)) else ()
    if not orders:
        return None
    if any(canonical_sense(t) == "other" for t in _content(tokens)):
        return (replace(orders[-1].about(), references=(), antecedents=(), other_than=orders[-1].target),)
    wanted, denied = _sides(tokens)
    named = _naming_tokens(wanted)
    # Turned down without anything instead, or by its place in a list that was never given.
    if (denied and not named) or _counts(wanted):
        return ()
    return (retarget_query(orders[-1], named),) if named else None


def likewise(read: Sequence[QueryIR], history: Sequence[Turn], orders: Read) -> tuple[QueryIR, ...]:
    """The request before, for what a turn without an act names; as it is where that was none, or several."""
    before = _last_orders(history, orders)
    # Of several different orders nobody knows which one is meant again.
    if len({(q.action, q.property, q.value) for q in before}) != 1:
        return tuple(read)
    return tuple(retarget_query(before[-1], q.target.tokens) for q in read)


def _loose(tokens: Sequence[Token], ours: OurQuestion) -> tuple[str, ...]:
    """The words of a reply to a closed question that are for nothing it names: they might be put to anything.

    An act or a value without a thing, or a place in our list that is none.
    """
    content = _content(tokens)
    if ours.kind == "open" or not (ours.orders and ours.named):
        return ()
    return tuple(t.text for t in content) if _is_loose(content, choosing=ours.kind == "choose") else ()


def _is_loose(content: Sequence[Token], *, choosing: bool) -> bool:
    named = _naming_tokens(content)
    if choosing and _counts(named):
        return True
    leans = choosing or not has_kind(content, *_LEANING)
    return leans and not named and _acts(content)


def _are_called(named: Iterable[Token], offered: Sequence[Token], options: Things) -> bool:
    """Whether every thing is called like one of the options, where those have names at all."""
    if not any(t.kind in DEVICE_KINDS for option in options for t in option):
        return True
    things = (t for t in named if t.kind in DEVICE_KINDS)
    return all(any(_alike(t, other) for other in offered) for t in things)


def _rooms(tokens: Iterable[Token]) -> set[str]:
    return {ref for t in tokens if t.kind == "room" for ref in t.refs or (t.text,)}


def _content(tokens: Sequence[Token]) -> list[Token]:
    return without_kind(tokens, "filler", "mark")


def _counts(named: Iterable[Token]) -> bool:
    return any(t.data.get("unit") == "ordinal" for t in named)


def _acts(content: Sequence[Token]) -> bool:
    """Whether a turn says what to do, or to which value."""
    return any(t.data.get("unit") not in _COUNTED for t in of_kind(content, *_ACTS))


def _last_orders(history: Sequence[Turn], read: Read) -> tuple[QueryIR, ...]:
    """The orders the person gave last."""
    said = next((t.content for t in reversed(history) if t.role == "user"), "")
    return tuple(q for q in read(said) if q.action or q.value)


def asked_again(
    text: str, tokens: Sequence[Token], history: Sequence[Turn], read: Read
) -> tuple[QueryIR, ...]:
    """``卧室呢``, ``what about the kitchen``: the question before, of another place or thing.

    Empty if that was none for a home.
    """
    about = [t for t in tokens if not has_use(t, "about")]
    named = _naming_tokens(about)
    other = {t.kind for t in about} - DEVICE_KINDS - PLACE_KINDS
    if (
        not _contains_name("about", text)
        or not named
        or not other <= {"filler", "mark", "conj", "question", "reference"}
    ):
        return ()
    said = next((t.content for t in reversed(history) if t.role == "user"), "")
    return tuple(retarget_query(q, named) for q in read(said))


def _sides(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """What a turn wants and what it turns down, clause by clause."""
    clauses: list[list[Token]] = [[]]
    for token in tokens:
        # Whether another clause begins: at a mark, or where what is wanted stands against what is not
        if token.kind == "mark":
            turns = canonical_sense(token) in {"strong", "weak"}
        else:
            turns = token.text in _table()["turning"] and any(map(denies, clauses[-1]))
        if turns:
            clauses.append([])
        if token.kind not in {"filler", "mark"}:
            clauses[-1].append(token)
    sides: tuple[list[Token], list[Token]] = ([], [])
    for clause in clauses:
        sides[any(map(denies, clause))].extend(clause)
    return sides


def _naming_tokens(tokens: Iterable[Token]) -> list[Token]:
    return [
        t
        for t in tokens
        if t.kind in DEVICE_KINDS | PLACE_KINDS | {"word"} or t.data.get("unit") == "ordinal"
    ]


def _offered_options(question: Sequence[Token]) -> Things:
    """The options of a question, in order: each a place, a name or both."""
    options: list[list[Token]] = []
    for token in question:
        if token.kind in PLACE_KINDS and len(token.refs) == 1:
            options.append([token])
        elif token.kind in DEVICE_KINDS and options and not has_kind(options[-1], *DEVICE_KINDS):
            options[-1].append(token)
        elif token.kind == "name" or (token.kind in DEVICE_KINDS and not options):
            options.append([token])
    # Where places tell the options apart, a name without a place is a word for all of them.
    placed = [option for option in options if has_kind(option, *PLACE_KINDS)]
    return tuple(map(tuple, placed if len(placed) > 1 else options))


@cache
def _table() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table(__package__, "replies.yaml"))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_table()[name], re.IGNORECASE | (re.DOTALL if name == "lead" else 0))


def _contains_name(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None
