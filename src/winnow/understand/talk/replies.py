"""Turns that answer: a yes or a no to a confirmation, a choice among what we offered, the same for another.

Our own question in a talk given as text is recognised here; what words say to it, ``language.answers`` tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from winnow.language.answers import UNCLEAR, ClosedQuestion, Meaning, meaning
from winnow.language.normalise import normalise
from winnow.types.dialogue import Turn
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, QueryIR, Token
from winnow.understand.talk.history import Tag, retargeted
from winnow.understand.words.kinds import says

_ASKS = re.compile(r"[?？]\s*(?:it gets hot\.\s*)?$", re.IGNORECASE)
_CONFIRMS = re.compile(
    r"确定|确认|继续吗|(?<![需还])要(?!别的|其他|帮).{0,14}吗|可以吗"
    r"|shall i|should i|go ahead|are you sure|proceed|is that right|right\?",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^.*[:：]", re.DOTALL)
"""What a question says before its options."""
_CHOICES = re.compile(r"还是|哪|which|\bor\b|1[.、]", re.IGNORECASE)
Read = Callable[[str], tuple[QueryIR, ...]]
Things = tuple[tuple[Token, ...], ...]
_COUNTED = frozenset({"ordinal", "count", "floor"})
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

    @property
    def orders(self) -> tuple[QueryIR, ...]:
        """What was to be done before we asked."""
        return tuple(q for q in self.read if q.action or q.value)

    def meant(self, text: str, tokens: Sequence[Token]) -> Meaning:
        """What an answer means; ``unclear`` when the question is no closed one.

        What the answer calls a thing counts as a name of that thing.
        """
        if self.kind == "open" or (self.kind == "choose" and len(self.named) < 2):
            return UNCLEAR
        names = tuple(_names((*thing, *self.about), tokens) for thing in self.named or ((),))
        acts = frozenset(q.action for q in self.orders if q.action)
        return meaning(text, ClosedQuestion(self.kind, normalise(self.request), names, acts))


def our_question(history: Sequence[Turn], tag: Tag, read: Read) -> OurQuestion | None:
    """What our last turn asked, when it asked something."""
    if len(history) < 2 or history[-1].role != "assistant" or not _ASKS.search(history[-1].content):
        return None
    request = next((t.content for t in reversed(history[:-1]) if t.role == "user"), "")
    if not request:
        return None
    question = history[-1].content
    if _CHOICES.search(question):
        return OurQuestion("choose", request, read(request), *_options(question, tag))
    kind: Literal["confirm", "open"] = "confirm" if _CONFIRMS.search(question) else "open"
    return OurQuestion(kind, request, read(request), *_at_stake(tag(question)))


def _options(question: str, tag: Tag) -> tuple[Things, tuple[Token, ...]]:
    """The options, and what is said before them of them all: ``which wall lamp: ...``."""
    lead = _LEAD.match(question)
    if lead is None:
        return _offered(tag(question)), ()
    return _offered(tag(question[lead.end() :])), tuple(t for t in tag(lead[0]) if t.kind in DEVICE_KINDS)


def _at_stake(question: Sequence[Token]) -> tuple[Things, tuple[Token, ...]]:
    """The things called by their names, and the other words for what is meant."""
    spoken = [t for t in question if t.kind in DEVICE_KINDS | PLACE_KINDS]
    things = {t.refs: (t,) for t in spoken if t.kind == "name"}
    return tuple(things.values()), tuple(t for t in spoken if t.kind != "name")


def _names(thing: Sequence[Token], answer: Sequence[Token]) -> tuple[str, ...]:
    refs = {ref for t in thing for ref in t.refs}
    return (*(t.text for t in thing), *(t.text for t in answer if refs & set(t.refs)))


def chosen(ours: OurQuestion, meant: Meaning) -> tuple[QueryIR, ...]:
    """The last order before our question, aimed at the options that were chosen."""
    last = ours.orders[-1:]
    return tuple(retargeted(q, ours.named[n], answering=True) for q in last for n in meant.options)


def _denies(token: Token) -> bool:
    sense = says(token)
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
    content = [t for t in tokens if t.kind not in {"filler", "mark"}]
    if any(t.kind in _ACTS and t.data.get("unit") not in _COUNTED for t in content):
        return None
    choosing = ours is not None and ours.kind == "choose"
    senses = {says(t) for t in content}
    corrects = senses & {"not_that", "same", "other"} or any(t.kind == "conj" for t in content[:1])
    before = (ours.orders if ours else _ordered(history, read)) if choosing or corrects else ()
    if not before:
        return None
    query = before[-1]
    if "other" in senses and not choosing:
        return (replace(query.about(), references=(), antecedents=(), other_than=query.target),)
    wanted, denied = _sides(tokens)
    named = _named(wanted)
    if (denied and not named) or any(t.data.get("unit") == "ordinal" for t in wanted):
        return None if choosing else ()
    answering = choosing and ours is not None and bool(ours.named)
    return (retargeted(query, named, answering=answering),) if named else None


def _ordered(history: Sequence[Turn], read: Read) -> tuple[QueryIR, ...]:
    """The orders the person gave last."""
    said = next((t.content for t in reversed(history) if t.role == "user"), "")
    return tuple(q for q in read(said) if q.action or q.value)


ABOUT = re.compile("(?:呢|的)[?]?$|^(?:and|what about|how about|what of)\\b")
"""Turns that ask the last question of something else."""


def asked_again(
    text: str, tokens: Sequence[Token], history: Sequence[Turn], read: Read
) -> tuple[QueryIR, ...]:
    """``卧室呢``, ``what about the kitchen``: the question before, of another place or thing.

    Empty if that was none for a home.
    """
    named = _named(t for t in tokens if t.text != "about")
    other = {t.kind for t in tokens if t.text != "about"} - DEVICE_KINDS - PLACE_KINDS
    if (
        not ABOUT.search(text)
        or not named
        or not other <= {"filler", "mark", "conj", "question", "reference"}
    ):
        return ()
    said = next((t.content for t in reversed(history) if t.role == "user"), "")
    return tuple(retargeted(q, named) for q in read(said))


def _sides(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """What a turn wants and what it turns down, clause by clause."""
    clauses: list[list[Token]] = [[]]
    for token in tokens:
        turned = token.text in {"是", "而是", "要"} and any(_denies(t) for t in clauses[-1])
        if turned or (token.kind == "mark" and says(token) in {"strong", "weak"}):
            clauses.append([])
        if token.kind not in {"filler", "mark"}:
            clauses[-1].append(token)
    wanted = [t for c in clauses for t in c if not any(_denies(d) for d in c)]
    return wanted, [t for c in clauses for t in c if any(_denies(d) for d in c)]


def _named(tokens: Iterable[Token]) -> list[Token]:
    return [
        t
        for t in tokens
        if t.kind in DEVICE_KINDS | PLACE_KINDS | {"word"} or t.data.get("unit") == "ordinal"
    ]


def _offered(question: Sequence[Token]) -> Things:
    """The options of a question, in order: each a place, a name or both."""
    options: list[list[Token]] = []
    for token in question:
        if token.kind in PLACE_KINDS and len(token.refs) == 1:
            options.append([token])
        elif token.kind in DEVICE_KINDS:
            if options and not any(t.kind in DEVICE_KINDS for t in options[-1]):
                options[-1].append(token)
            elif not options or token.kind == "name":
                options.append([token])
    placed = [o for o in options if any(t.kind in PLACE_KINDS for t in o)]
    return tuple(map(tuple, placed if len(placed) > 1 else options))
