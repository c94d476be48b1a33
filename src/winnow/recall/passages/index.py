"""Passages of one tier, made ready for questions: a few merged parts, which only ever get longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from winnow.ports import Segment
from winnow.recall.passages.part import HEADING, TIMES, TITLE, Floats, Long, Part, merged
from winnow.recall.passages.segment import read_segment
from winnow.recall.passages.terms import keys_of, plain
from winnow.recall.passages.tuned import Tuning, tuning

Alive = npt.NDArray[np.bool_]
GROWTH = 2
"""A part is merged with the one before it unless that is so many times as long: few parts, little work."""


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """Passages by row: those of the first part, then those of the next. Made by ``of``; never changed."""

    parts: tuple[Part, ...] = ()
    alive: tuple[Alive, ...] = field(default=(), repr=False)
    """Which rows of each part still are."""
    tuned: Tuning = field(default_factory=tuning)
    discounts: tuple[Floats, ...] = field(default=(), repr=False)
    """What the length of each passage takes off."""

    @classmethod
    def of(cls, segments: Sequence[Segment], tuned: Tuning | None = None) -> PassageIndex:
        """The index of these segments. Raises ValueError where one cannot be read."""
        return cls(tuned=tuned or tuning()).extended(segments)

    def extended(self, segments: Sequence[Segment]) -> PassageIndex:
        """The index of these segments, which are all there are; of known ones ``data`` may be empty.

        What is known is not read again, and parts are merged as they grow. Raises ValueError where a segment
        cannot be read.
        """
        known = self.segments
        new = [read_segment(one.id, one.data) for one in segments if one.id not in known]
        parts = _grown([*self.parts, *([merged(new)] if new else [])])
        dead = {one.id: one.dead for one in segments}
        alive = tuple(np.concatenate(list(_alive(part, dead))) for part in parts)
        return PassageIndex(parts, alive, self.tuned, tuple(_discounts(parts, self.tuned)))

    @property
    def segments(self) -> frozenset[str]:
        """Ids of what it is made of."""
        return frozenset(id_ for part in self.parts for id_ in part.segments)

    @property
    def rows(self) -> int:
        """Passages, those among them that no longer are."""
        return sum(part.size for part in self.parts)

    @property
    def size(self) -> int:
        """Passages that are."""
        return sum(int(alive.sum()) for alive in self.alive)

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return sum(part.bytes + 5 * part.size for part in self.parts)

    @property
    def worn(self) -> bool:
        """Whether most of it no longer is, so that it is better opened anew."""
        return self.size * 2 < self.rows

    def id(self, row: int) -> str:
        """The id of the passage of a row."""
        for part in self.parts:
            if row < part.size:
                return part.ids[row]
            row -= part.size
        raise IndexError(row)

    def rarity(self, terms: Sequence[str]) -> dict[str, float]:
        """How much each term tells: its inverse document frequency, of a single character a part of it."""
        keys = keys_of(terms)
        often = np.zeros(len(terms), np.int64)
        for part in self.parts:
            often += part.entries.frequency(part.entries.numbers(keys))
        rare = np.log(1 + (self.rows - often + 0.5) / (often + 0.5))
        return {term: plain(term) * float(value) for term, value in zip(terms, rare, strict=True)}

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """BM25 of every row with terms of these weights (rarity among them), 0 for what no longer is."""
        keys, by = keys_of(list(weights)), np.array(list(weights.values()), np.float32)
        found = [self._part(at, part.entries.numbers(keys), by) for at, part in enumerate(self.parts)]
        return np.concatenate(found) if found else np.zeros(0, np.float32)

    def _part(self, at: int, numbers: Long, weights: Floats) -> Floats:
        part, discount, said = self.parts[at], self.discounts[at], _said(self.tuned)
        total = np.zeros(part.size, np.float32)
        for number, weight in zip(numbers.tolist(), weights.tolist(), strict=True):
            if number >= 0:
                rows, held = part.entries.of(number)
                times = said[held]
                total[rows] += np.float32(weight * (self.tuned.k1 + 1)) * times / (times + discount[rows])
        total *= self.alive[at]
        return total


def _grown(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts of which each is ``GROWTH`` times as long as the next at least."""
    grown: list[Part] = []
    for part in parts:
        grown.append(part)
        while len(grown) > 1 and grown[-2].size < GROWTH * grown[-1].size:
            grown[-2:] = [merged(grown[-2:])]
    return tuple(grown)


def _alive(part: Part, dead: Mapping[str, frozenset[str]]) -> Iterator[Alive]:
    """Which passages of each of its segments still are; none of a segment that is not told."""
    ends = np.cumsum([0, *part.sizes]).tolist()
    for id_, (start, end) in zip(part.segments, pairwise(ends), strict=True):
        gone = dead.get(id_)
        if gone:
            yield np.array([passage not in gone for passage in part.ids[start:end]], np.bool_)
        else:
            yield np.full(end - start, gone is not None, np.bool_)


@cache
def _said(tuned: Tuning) -> Floats:
    """How often a term counts as said, by the bits of its entry: shape ``(256,)``."""
    bits = np.arange(256)
    times = (bits & TIMES) + tuned.title * (bits & TITLE > 0) + tuned.heading * (bits & HEADING > 0)
    said: Floats = times.astype(np.float32)
    return said


def _discounts(parts: Sequence[Part], tuned: Tuning) -> Iterator[Floats]:
    weights = np.array([1.0, tuned.title, tuned.heading], np.float32)
    lengths = [weights @ part.lengths for part in parts]
    mean = sum(float(found.sum()) for found in lengths) / max(sum(map(len, lengths)), 1)
    for found in lengths:
        yield (tuned.k1 * (1 - tuned.b + tuned.b * found / (mean or 1.0))).astype(np.float32)
