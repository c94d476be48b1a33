"""Where a query leans on what was said before: pronouns, ``that song``, ``the second one``, half a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from winnow.understand.rewrite.en.words import Token, lists, token_at

_IDIOMS = frozenset({"be", "in", "right", "out", "over", "up", "down", "hi", "hello", "hey"})
"""Right there, out there: no place that was said."""
_CHOICES = frozenset({"one", "option", "choice"})
_PHRASED = frozenset({"word", "name", "number"})
"""Kinds of words that phrases are made of."""
_OWNED = frozenset({"its", "his", "their"})
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})


@dataclass(frozen=True, slots=True)
class Slot:
    """Words ``start`` up to ``end`` of the query that may stand for something said earlier."""

    start: int
    end: int
    form: str
    """Class of the word (``it``, ``he``, ...), ``such`` for ``that song``, ``name`` for part of a name,
    ``nth`` for ``the second one``."""
    owns: bool = False
    """What replaces it takes a possessive 's."""
    noun: str = ""
    """``song`` of ``that song``."""
    place: int = 0
    """For ``nth``: which, from 1; from the end below 0."""

    @property
    def group(self) -> str:
        """Forms that are weighed alike."""
        return str(lists()["groups"].get(self.form, self.form))


def slots(read: tuple[Token, ...]) -> Iterator[Slot]:
    """The slots of a query, in order, none within another."""
    i = 0
    while i < len(read):
        slot = _slot(read, i)
        if slot is not None:
            yield slot
        i = slot.end if slot is not None else i + 1


def _slot(read: tuple[Token, ...], i: int) -> Slot | None:
    low = read[i].low
    if nth := _nth(read, i):
        return nth
    if low in _DEMONSTRATIVES:
        return _demonstrative(read, i)
    form = lists()["slots"].get(low)
    if form:
        owns = _owner(read, i) if form == "her" else form in _OWNED
        return None if form in _EMPTY and _EMPTY[form](read, i) else Slot(i, i + 1, form, owns=owns)
    if read[i].kind == "name" and token_at(read, i - 1).kind != "name":
        return _name(read, i)
    return None


def _nth(read: tuple[Token, ...], i: int) -> Slot | None:
    """``the second one``, ``the first``, ``the last option``; not ``the second message``."""
    place = lists()["ordinals"].get(token_at(read, i + 1).low) if read[i].low == "the" else None
    if place is None:
        return None
    after = token_at(read, i + 2)
    if after.low in _CHOICES:
        return Slot(i, i + 3, "nth", place=place)
    return Slot(i, i + 2, "nth", place=place) if after.kind in {"mark", "function"} else None


def _demonstrative(read: tuple[Token, ...], i: int) -> Slot | None:
    low, before, after = read[i].low, token_at(read, i - 1), token_at(read, i + 1)
    if after.low in {"one", "ones"}:
        return Slot(i, i + 2, "that")
    joins = low == "that" and after.kind != "mark"
    if joins and before.kind in _PHRASED:
        return None  # the message that came
    if after.kind in {"word", "number"}:
        return _such(read, i)
    if _either(after):
        return Slot(i, i + 2, "such", noun=after.low)
    if joins and before.low in lists()["complementizer"]:
        return None  # tell her that I
    return Slot(i, i + 1, lists()["slots"][low])


def _either(token: Token) -> bool:
    """A word that is as often a noun as a verb."""
    return token.low in lists()["verbs"] and token.low in lists()["nouns"]


def _such(read: tuple[Token, ...], i: int) -> Slot | None:
    """``that old song``; None where an adverb follows."""
    end = i + 1
    while token_at(read, end).kind in {"word", "number"} and not read[end].low.endswith("ly"):
        end += 1
    return Slot(i, end, "such", noun=read[end - 1].low) if end > i + 1 else None


def _expletive(read: tuple[Token, ...], i: int) -> bool:
    """``there is``, ``are there``: nothing is pointed at."""
    be, before, after = lists()["expletive"], token_at(read, i - 1).low, token_at(read, i + 1)
    if before in _IDIOMS or after.low in be or after.low in {"any", "anything", "a", "other"}:
        return True
    return before in be and after.kind != "mark"


def _idle(read: tuple[Token, ...], i: int) -> bool:
    """``is it raining``, ``it is cold``: the weather and the hour, which no phrase stands for."""
    near = {token_at(read, i - 1).low, token_at(read, i + 1).low}
    return bool(near & lists()["expletive"]) and any(t.low in lists()["weather"] for t in read[i + 1 : i + 5])


def _counts(read: tuple[Token, ...], i: int) -> bool:
    """``one day``, ``one of them``, ``one person``: a number."""
    after = token_at(read, i + 1)
    return after.kind in _PHRASED or after.low in {"of", "more", "or"}


_EMPTY = {"there": _expletive, "one": _counts, "it": _idle}
"""What a word may be that points at nothing."""


def _owner(read: tuple[Token, ...], i: int) -> bool:
    """Whether ``her`` owns what follows: a noun comes next."""
    after = token_at(read, i + 1)
    if after.kind in {"mark", "number"} or after.low in lists()["after_object"]:
        return False
    return after.kind != "verb" or after.low in lists()["nouns"]


def _name(read: tuple[Token, ...], i: int) -> Slot:
    end = i + 1
    while token_at(read, end).kind == "name":
        end += 1
    return Slot(i, end, "name")
