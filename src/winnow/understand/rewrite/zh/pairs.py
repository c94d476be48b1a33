"""What holds of a span in a slot: whether it fits its new neighbours as it fitted those it had."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from winnow.language.segment import Word
from winnow.understand.rewrite.zh.candidates import Slot, Stretch
from winnow.understand.rewrite.zh.scene import Scene
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, kind

Floats = npt.NDArray[np.float32]
Place = TypeVar("Place", bound=Hashable)
_ANYWHERE = ("before in query", "after in query", "span in query", "noun in query", "verb before in query")
_LEFT = ("as before", "ends as before", "edge said", "said", "doubled", "earlier")
_RIGHT = ("as after", "begins as after", "edge said", "said", "doubled", "later")
_INSTEAD = ("head kept", "person", "place", "thing")
PAIR = (*_ANYWHERE, *(f"left {name}" for name in _LEFT), *(f"right {name}" for name in _RIGHT), *_INSTEAD)
"""Features of a span in a slot, in the order of their weights."""


class Gone(NamedTuple):
    """What gives way to a span: what its first word points at, and its last word when it has several."""

    points: str
    head: str


def pairs(found: Sequence[Stretch], places: Sequence[Slot], scene: Scene) -> Floats:
    """What holds of each span in each slot, shape (spans, slots, ``PAIR``), 0 or 1."""
    said, query = "\n".join(source.text for source in scene.sources), scene.query
    parts = (
        _each(found, [scene.text] * len(places), _anywhere),
        _each(found, [_left(slot, query) for slot in places], partial(_behind, said)),
        _each(found, [_right(slot, query) for slot in places], partial(_in_front, said)),
        _each(found, [_gone(slot, query) for slot in places], _instead),
    )
    return np.concatenate(parts, axis=2)


def _each(
    found: Sequence[Stretch],
    places: Sequence[Place],
    holds: Callable[[Stretch, Sequence[Place]], Sequence[tuple[bool, ...]]],
) -> Floats:
    """What holds of each span at each place; places that are alike are looked at once."""
    number = {place: n for n, place in enumerate(dict.fromkeys(places))}
    table = np.array([holds(stretch, list(number)) for stretch in found], np.float32)
    return table[:, [number[place] for place in places]]


def _left(slot: Slot, query: Sequence[Word]) -> str:
    """The word before."""
    return query[slot.first - 1].text if slot.first else ""


def _right(slot: Slot, query: Sequence[Word]) -> str:
    """The word behind."""
    return slot.glue or (query[slot.last].text if slot.last < len(query) else "")


def _gone(slot: Slot, query: Sequence[Word]) -> Gone:
    if slot.last == slot.first:
        return Gone("", "")
    return Gone(kind(query[slot.first].text), query[slot.last - 1].text if slot.last > slot.first + 1 else "")


def _anywhere(stretch: Stretch, queries: Sequence[str]) -> list[tuple[bool, ...]]:
    """What holds of a span wherever it goes in the query."""
    before, after = stretch.before, stretch.after
    led = bool(before) and stretch.source.words[stretch.first - 1].tag == "v"
    return [
        (
            len(before) > 1 and before in query,
            len(after) > 1 and after in query,
            stretch.text in query,
            any(w.text in query for w in stretch.words if w.tag in NOMINAL),
            led and before[0] in query,
        )
        for query in queries
    ]


def _behind(said: str, stretch: Stretch, lefts: Sequence[str]) -> list[tuple[bool, ...]]:
    """What holds of a span behind each word; nothing where there is none."""
    text, before = stretch.text, stretch.before
    earlier = stretch.source.text[: stretch.words[0].start]
    return [
        (
            left == before,
            left[-1] == before[-1:],
            left[-1] + text[0] in said,
            left + text in said,
            left[-1] == text[0],
            len(left) > 1 and left in earlier,
        )
        if left
        else (False,) * len(_LEFT)
        for left in lefts
    ]


def _in_front(said: str, stretch: Stretch, rights: Sequence[str]) -> list[tuple[bool, ...]]:
    """What holds of a span in front of each word; nothing where there is none."""
    text, after = stretch.text, stretch.after
    later = stretch.source.text[stretch.words[-1].end :]
    return [
        (
            right == after,
            right[0] == after[:1],
            text[-1] + right[0] in said,
            text + right in said,
            text[-1] == right[0],
            len(right) > 1 and right in later,
        )
        if right
        else (False,) * len(_RIGHT)
        for right in rights
    ]


def _instead(stretch: Stretch, gone: Sequence[Gone]) -> list[tuple[bool, ...]]:
    """What holds of a span in place of each stretch that points back; nothing where none gives way."""
    tags = {w.tag for w in stretch.words}
    named = bool(tags & {"n", "nz"})
    return [
        (
            bool(head) and head in stretch.text,
            points == "he" and "nr" in tags,
            points == "place" and "ns" in tags,
            points in ("it", "this") and named,
        )
        if points
        else (False,) * len(_INSTEAD)
        for points, head in gone
    ]
