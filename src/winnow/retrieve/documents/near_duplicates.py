"""Which passages nearly say the same, and which of two stands for the other.

Marks are banded MinHash values: two passages that share nine tenths of their shingles have one in common 24
times of 25. What has one in common is then compared word by word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.language.normalize import normalise
from winnow.types.document import Passage

Longs = npt.NDArray[np.uint64]
SHINGLE_CHARS = 8
"""Characters of a shingle."""
BANDS, ROWS = 5, 7
MIN_SHINGLE_OVERLAP = 0.85
"""Least share of common shingles."""
MIN_FOLDED_CHARS = 20
"""Characters below which nothing is folded: what is as short is often said anew and meant anew."""
MAX_COMPARED_PASSAGES = 8
"""Passages that each one is compared with, at most."""
_RANDOM = np.random.default_rng(20)
_FACTORS = _RANDOM.integers(1, 2**63, (BANDS * ROWS, 1), np.uint64) | np.uint64(1)
_POWERS = np.uint64(1099511628211) ** np.arange(SHINGLE_CHARS, dtype=np.uint64)
_PLACES = np.uint64(14695981039346656037) ** np.arange(1, ROWS + 1, dtype=np.uint64)
_BETWEEN = re.compile(r"[\W_]+")
UNDATED = datetime.min  # noqa: DTZ901 - a wall clock has no zone


def shingles(text: str) -> Longs:
    """A number for each run of characters of the text, spelt in one way; every one once."""
    said = _BETWEEN.sub("", normalise(text, len(text)))
    codes = np.frombuffer(said.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    if codes.size < SHINGLE_CHARS:
        return codes[:0]
    windows = np.lib.stride_tricks.sliding_window_view(codes, SHINGLE_CHARS)
    mixed = (windows * _POWERS).sum(1, dtype=np.uint64)
    return np.unique(mixed ^ (mixed >> np.uint64(29)))


def minhash_bands(found: Longs) -> tuple[int, ...]:
    """What passages of nearly the same shingles have one of in common; nothing for very short ones."""
    if found.size + SHINGLE_CHARS <= MIN_FOLDED_CHARS:
        return ()
    least = (found * _FACTORS).min(1).reshape(BANDS, ROWS)
    bands = (least * _PLACES).sum(1, dtype=np.uint64) + np.arange(BANDS, dtype=np.uint64)
    return tuple(bands.view(np.int64).tolist())


def shingle_overlap(one: Longs, other: Longs) -> float:
    """Share of common shingles among all of both."""
    common = np.intersect1d(one, other, assume_unique=True).size
    return common / max(1, one.size + other.size - common)


class DuplicateSearch:
    """Passages of a batch, compared with each other and with what is there."""

    def __init__(self, fresh: Sequence[Passage]) -> None:
        self._fresh = [passage.id for passage in fresh]
        self._passages: dict[str, Passage] = {}
        self._shingles: dict[str, Longs] = {}
        self._alike: dict[int, list[str]] = defaultdict(list)
        self.marks: dict[str, tuple[int, ...]] = {}
        for passage in fresh:
            self._take(passage)

    def duplicates(self, there: Iterable[Passage]) -> dict[str, str]:
        """Id of each passage that another says whole -> id of that one, which stands for itself."""
        for passage in there:
            for mark in self._take(passage):
                self._alike[mark].append(passage.id)
        folded: dict[str, str] = {}
        for id_ in self._fresh:
            for other in self._near(id_, folded):
                self._fold(id_, other, folded)
            for mark in self.marks[id_]:
                self._alike[mark].append(id_)
        return folded

    def _take(self, passage: Passage) -> tuple[int, ...]:
        """Know a passage; its marks."""
        said = shingles(passage.text)
        self._passages[passage.id], self._shingles[passage.id] = passage, said
        self.marks[passage.id] = minhash_bands(said)
        return self.marks[passage.id]

    def _near(self, id_: str, folded: Collection[str]) -> list[str]:
        """What has a mark in common with it and stands for itself, some of it."""
        # Bounded: boilerplate shares a band with thousands of passages.
        known = dict.fromkeys(other for mark in self.marks[id_] for other in self._alike[mark])
        return [other for other in known if other not in folded and other != id_][:MAX_COMPARED_PASSAGES]

    def _fold(self, fresh: str, known: str, folded: dict[str, str]) -> None:
        """Fold one of two into the other, if either may be."""
        if (
            fresh in folded
            or shingle_overlap(self._shingles[fresh], self._shingles[known]) < MIN_SHINGLE_OVERLAP
        ):
            return
        one, other = self._passages[fresh], self._passages[known]
        # Which may stand for which: who is believed more, what is more important, newer, then what says
        # more
        first, second = _precedence(one), _precedence(other)
        if first == second:
            orders: Sequence[tuple[Passage, Passage]] = (other, one), (one, other)
        else:
            orders = ((one, other),) if first > second else ((other, one),)
        for kept, left in orders:
            if contains_all_terms(kept.text, left.text):
                folded.update({id_: kept.id for id_, into in folded.items() if into == left.id})
                folded[left.id] = kept.id
                return


def contains_all_terms(kept: str, left: str) -> bool:
    """Whether one passage says every word and number that the other says: nothing is lost with that one."""
    return set(content_terms(left)) <= set(content_terms(kept))


def _precedence(passage: Passage) -> tuple[float, float, datetime]:
    about = passage.document
    return about.credibility, about.importance, about.at or UNDATED
