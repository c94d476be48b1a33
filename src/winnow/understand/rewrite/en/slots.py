"""Where a query leans on what was said before: pronouns, ``that song``, ``the second one``, half a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from winnow.understand.rewrite.en.words import Token, lists

GROUPS = {
    "it": "thing", "its": "thing", "that": "thing", "he": "person", "his": "person", "she": "person", "her": "person",
    "they": "several", "their": "several", "those": "several", "one": "one", "there": "there", "such": "such", "name": "name",
    "nth": "nth",
}  # fmt: skip
_IDIOMS = frozenset({"be", "in", "right", "out", "over", "up", "down", "hi", "hello", "hey"})
"""Right there, out there: no place that was said."""
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
        return GROUPS[self.form]


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
    if read[i].kind == "name" and (i == 0 or read[i - 1].kind != "name"):
        return _name(read, i)
    return None


def _nth(read: tuple[Token, ...], i: int) -> Slot | None:
    """``the second one``, ``the first``, ``the last option``; not ``the second message``."""
    if read[i].low != "the" or i + 1 >= len(read) or read[i + 1].low not in lists()["ordinals"]:
        return None
    after = read[i + 2] if i + 2 < len(read) else None
    if after is not None and after.low in {"one", "option", "choice"}:
        return Slot(i, i + 3, "nth", place=lists()["ordinals"][read[i + 1].low])
    if after is None or after.kind in {"mark", "function"}:
        return Slot(i, i + 2, "nth", place=lists()["ordinals"][read[i + 1].low])
    return None


def _demonstrative(read: tuple[Token, ...], i: int) -> Slot | None:
    low, after = read[i].low, read[i + 1] if i + 1 < len(read) else None
    if after is not None and after.low in {"one", "ones"}:
        return Slot(i, i + 2, "that")
    before = read[i - 1] if i else None
    if (
        low == "that"
        and before is not None
        and before.kind in {"word", "name", "number"}
        and after is not None
        and after.kind != "mark"
    ):
        return None  # the message that came
    if after is not None and after.kind in {"word", "number"}:
        end = i + 1
        while end < len(read) and read[end].kind in {"word", "number"} and not read[end].low.endswith("ly"):
            end += 1
        return Slot(i, end, "such", noun=read[end - 1].low) if end > i + 1 else None
    if after is not None and after.low in lists()["verbs"] and after.low in lists()["nouns"]:
        return Slot(i, i + 2, "such", noun=after.low)
    if (
        low == "that"
        and after is not None
        and before is not None
        and before.low in lists()["complementizer"]
        and after.kind != "mark"
    ):
        return None  # tell her that I
    return Slot(i, i + 1, "those" if low in {"these", "those"} else "that")


def _expletive(read: tuple[Token, ...], i: int) -> bool:
    """``there is``, ``are there``: nothing is pointed at."""
    after = read[i + 1].low if i + 1 < len(read) else ""
    before = read[i - 1].low if i else ""
    if before in _IDIOMS:
        return True
    be = lists()["expletive"]
    return (
        after in be
        or after in {"any", "anything", "a", "other"}
        or (before in be and i + 1 < len(read) and read[i + 1].kind != "mark")
    )


def _idle(read: tuple[Token, ...], i: int) -> bool:
    """``is it raining``, ``it is cold``: the weather and the hour, which no phrase stands for."""
    near = [t.low for t in read[max(0, i - 1) : i] + read[i + 1 : i + 2]]
    return bool(set(near) & lists()["expletive"]) and any(
        t.low in lists()["weather"] for t in read[i + 1 : i + 5]
    )


def _counts(read: tuple[Token, ...], i: int) -> bool:
    """``one day``, ``one of them``, ``one person``: a number."""
    after = read[i + 1] if i + 1 < len(read) else None
    return after is not None and (
        after.kind in {"word", "name", "number"} or after.low in {"of", "more", "or"}
    )


_EMPTY = {"there": _expletive, "one": _counts, "it": _idle}
"""What a word may be that points at nothing."""


def _owner(read: tuple[Token, ...], i: int) -> bool:
    """Whether ``her`` owns what follows: a noun comes next."""
    if i + 1 >= len(read):
        return False
    after = read[i + 1]
    if after.kind in {"mark", "number"} or after.low in lists()["after_object"]:
        return False
    return after.kind != "verb" or after.low in lists()["nouns"]


def _name(read: tuple[Token, ...], i: int) -> Slot:
    end = i + 1
    while end < len(read) and read[end].kind == "name":
        end += 1
    return Slot(i, end, "name")
