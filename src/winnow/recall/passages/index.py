"""Passages of one tier, made ready for questions: a few merged parts, which only ever get longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from winnow.ports import Segment
from winnow.recall.passages.part import HEADING, TIMES, TITLE, Floats, Part, merged
from winnow.recall.passages.segment import read_segment
from winnow.recall.passages.terms import keys_of, plain
from winnow.recall.passages.tuned import Tuning, tuning

Alive = npt.NDArray[np.bool_]
HALF = 0.5
"""Share of Chinese from which on a passage is."""
GROWTH = 2
"""A part is merged with the one before it unless that is so many times as long: few parts, little work."""


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """Passages by row: those of the first part, then those of the next. Made by ``of``; never changed."""

    parts: tuple[Part, ...] = ()
    alive: tuple[Alive, ...] = field(default=(), repr=False)
    """Which rows of each part still are."""
    tuned: Tuning = field(default_factory=tuning)
    lengths: tuple[Lengths, ...] = field(default=(), repr=False)

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
        return PassageIndex(parts, alive, self.tuned, _lengths(parts, self.tuned))

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
    def chinese(self) -> float:
        """The share of the passages that are Chinese, 0..1."""
        return sum(float(one.chinese.sum()) for one in self.lengths) / max(self.rows, 1)

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

    def rarity(self, terms: Sequence[str], *, plainly: bool = True) -> dict[str, float]:
        """How much each term tells: its inverse document frequency.

        ``plainly``: of a single Chinese character only a part of it.
        """
        keys = keys_of(terms)
        often = np.zeros(len(terms), np.int64)
        for part in self.parts:
            often += part.entries.frequency(part.entries.numbers(keys))
        rare = np.log(1 + (self.rows - often + 0.5) / (often + 0.5))
        share = plain if plainly else _whole
        return {term: share(term) * float(value) for term, value in zip(terms, rare, strict=True)}

    def scores(self, weights: Mapping[str, float], alike: Iterable[Mapping[str, float]] = ()) -> Floats:
        """BM25 of every row with terms of these weights (rarity among them), 0 for what no longer is.

        A term adds its weight at most, however often it is said.

        ``alike``: groups of terms that stand for one another; of each the one that gains most counts.
        """
        groups = tuple(alike)
        together = zip(self.parts, self.lengths, self.alive, strict=True)
        found = [_Scoring(*one, _said(self.tuned)).scores(weights, groups) for one in together]
        return np.concatenate(found) if found else np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class _Scoring:
    """One part of an index."""

    part: Part
    lengths: Lengths
    alive: Alive
    said: Floats

    def scores(self, weights: Mapping[str, float], groups: Sequence[Mapping[str, float]]) -> Floats:
        """Of each passage, 0 for what no longer is."""
        total = np.zeros(self.part.size, np.float32)
        for rows, gains in self._gains(weights):
            total[rows] += gains
        for group in groups:
            total += self._most(group)
        total *= self.alive
        return total

    def _most(self, weights: Mapping[str, float]) -> Floats:
        best = np.zeros(self.part.size, np.float32)
        for rows, gains in self._gains(weights):
            best[rows] = np.maximum(best[rows], gains)
        return best

    def _gains(self, weights: Mapping[str, float]) -> Iterator[tuple[npt.NDArray[np.integer], Floats]]:
        numbers = self.part.entries.numbers(keys_of(list(weights)))
        for number, weight in zip(numbers.tolist(), weights.values(), strict=True):
            if number >= 0:
                rows, held = self.part.entries.of(number)
                times = self.said[self.lengths.chinese[rows], held]
                yield rows, np.float32(weight) * times / (times + self.lengths.discounts[rows])


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


def _whole(_: str) -> float:
    return 1.0


@cache
def _said(tuned: Tuning) -> Floats:
    """How often a term counts as said, by language and the bits of its entry: shape ``(2, 256)``."""
    bits = np.arange(256)
    times, title, heading = bits & TIMES, bits & TITLE > 0, bits & HEADING > 0
    return np.array([times + by.title * title + by.heading * heading for by in tuned.scorings], np.float32)


@dataclass(frozen=True, slots=True)
class Lengths:
    """What the length of each passage of a part takes off, and its language."""

    discounts: Floats
    chinese: npt.NDArray[np.intp]
    """1 where it is Chinese, else 0."""


def _lengths(parts: Sequence[Part], tuned: Tuning) -> tuple[Lengths, ...]:
    """A passage is long or short among those of its language."""
    if not parts:
        return ()
    chinese = [(part.chinese >= HALF).astype(np.intp) for part in parts]
    lengths = np.concatenate([_long(part, of, tuned) for part, of in zip(parts, chinese, strict=True)])
    every = np.concatenate(chinese)
    means = np.bincount(every, lengths, 2) / np.maximum(np.bincount(every, minlength=2), 1)
    discounts = _discounts(tuned, every, lengths / np.maximum(means[every], 1e-9))
    ends = np.cumsum([part.size for part in parts])[:-1]
    return tuple(Lengths(*one) for one in zip(np.split(discounts, ends), chinese, strict=True))


def _long(part: Part, chinese: npt.NDArray[np.intp], tuned: Tuning) -> Floats:
    """How long each passage is, all fields together."""
    by = np.array([[1.0, scoring.title, scoring.heading] for scoring in tuned.scorings], np.float32)
    found: Floats = (by[chinese].T * part.lengths).sum(0)
    return found


def _discounts(tuned: Tuning, chinese: npt.NDArray[np.intp], share: npt.NDArray[np.floating]) -> Floats:
    """By the share that each length is of the mean of its language."""
    k1, b = np.array([(scoring.k1, scoring.b) for scoring in tuned.scorings], np.float32).T
    found: Floats = (k1[chinese] * (1 - b[chinese] + b[chinese] * share)).astype(np.float32)
    return found
