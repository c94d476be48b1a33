"""BM25 over short documents, Chinese and English, with every impact computed when the index is built.

A query is then a few array additions: no segmentation, no writer, nothing on disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from math import log

import numpy as np
import numpy.typing as npt

from winnow.language.ngrams import runs, stem
from winnow.language.normalise import normalise

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
Postings = tuple[Rows | None, Floats]
"""Rows and their gains; a term of many rows has gains for all of them and no list of rows."""

K1 = 1.2
"""How fast repeating a word stops helping."""
B = 0.4
"""How much a long document is discounted, 0 to 1; low, since names and commands are all short."""
UNIGRAM = 0.35
"""Weight of a single Chinese character against a pair of them."""
_DENSE_SHARE = 0.15


def terms(text: str) -> list[str]:
    """Stems of Latin words, Chinese characters and pairs of neighbouring ones, in no promised order."""
    words, han = runs(normalise(text))
    found = [stem(word) for word in words]
    for run in han:
        found += run
        found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def _weight(term: str) -> float:
    return UNIGRAM if len(term) == 1 and not term.isascii() else 1.0


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """Documents by row. Made by ``build``; never changed afterwards."""

    size: int
    _postings: dict[str, Postings] = field(repr=False)

    @classmethod
    def build(cls, documents: Sequence[str], k1: float = K1, b: float = B) -> LexicalIndex:
        """Index ``documents``; row ``i`` of every score is ``documents[i]``."""
        counts = [Counter(terms(document)) for document in documents]
        discount = _discount(counts, k1, b)
        rows = _rows(counts)
        return cls(
            len(documents), {t: _impacts(t, where, times, discount, k1) for t, (where, times) in rows.items()}
        )

    def scores(self, query: str) -> Floats:
        """BM25 of every document, shape ``(size,)``; 0 where no term of the query occurs."""
        total = np.zeros(self.size, np.float32)
        for term in set(terms(query)):
            if (posting := self._postings.get(term)) is not None:
                rows, gains = posting
                if rows is None:
                    total += gains
                else:
                    total[rows] += gains
        return total

    @property
    def terms(self) -> Set[str]:
        """Every term of the documents."""
        return self._postings.keys()

    def gains(self, term: str) -> Floats:
        """What one term adds to the score of every document, shape ``(size,)``."""
        rows, gains = self._postings.get(term, (None, np.zeros(self.size, np.float32)))
        if rows is None:
            return gains
        spread = np.zeros(self.size, np.float32)
        spread[rows] = gains
        return spread

    def explain(self, query: str, i: int) -> dict[str, float]:
        """Which terms of the query gave document ``i`` how much, most first; their sum is its score."""
        gains = {term: self._gain(term, i) for term in set(terms(query))}
        found = sorted(gains.items(), key=lambda item: (-item[1], item[0]))
        return {term: gain for term, gain in found if gain}

    def _gain(self, term: str, i: int) -> float:
        posting = self._postings.get(term)
        if posting is None:
            return 0.0
        rows, gains = posting
        if rows is None:
            return float(gains[i])
        at = int(np.searchsorted(rows, i))
        return float(gains[at]) if at < len(rows) and rows[at] == i else 0.0


def _discount(counts: Sequence[Counter[str]], k1: float, b: float) -> npt.NDArray[np.float64]:
    """How much the length of each document takes off, shape ``(documents,)``."""
    lengths = np.array([sum(_weight(t) * n for t, n in c.items()) for c in counts], np.float64)
    return k1 * (1 - b + b * lengths / (lengths.mean() or 1.0)) if counts else lengths


def _rows(counts: Sequence[Counter[str]]) -> dict[str, tuple[Rows, Rows]]:
    """Term -> the documents that hold it, and how often each does."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for row, count in enumerate(counts):
        for term, times in count.items():
            where, often = found.setdefault(term, ([], []))
            where.append(row)
            often.append(times)
    return {term: (np.array(where), np.array(often)) for term, (where, often) in found.items()}


def _impacts(
    term: str,
    rows: Rows,
    times: Rows,
    discount: npt.NDArray[np.float64],
    k1: float,
) -> Postings:
    size = len(discount)
    idf = log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5))
    gains = (_weight(term) * idf * times * (k1 + 1) / (times + discount[rows])).astype(np.float32)
    if len(rows) < size * _DENSE_SHARE:
        return rows, gains
    dense = np.zeros(size, np.float32)
    dense[rows] = gains
    return None, dense
