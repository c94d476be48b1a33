"""BM25, Chinese and English: constants, formulas, and two indexes that compute all gains when they are built.

A query is then a few array additions: no segmentation, no writer, nothing on disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from math import log

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character
from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import normalise

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
TermGains = tuple[Rows | None, Floats]
"""Rows and their gains; a term of many rows has gains for all of them and no list of rows."""

K1 = 1.2
"""How fast repeating a word stops helping."""
B = 0.4
"""How much a long document is discounted, 0 to 1; low, since names and commands are all short."""
UNIGRAM_WEIGHT = 0.35
"""Weight of a single Chinese character against a pair of them."""
_DENSE_SHARE = 0.15


def lexical_terms(text: str) -> list[str]:
    """Stems of Latin words, Chinese characters and pairs of neighbouring ones, in no promised order."""
    words, han = runs(normalise(text))
    found = [stem(word) for word in words]
    for run in han:
        found += run
        found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def term_weight(term: str) -> float:
    """How much a term counts whatever its rarity: a single Chinese character little."""
    return UNIGRAM_WEIGHT if is_character(term) else 1.0


def inverse_frequency(size: int, frequency: int) -> float:
    """How much a term tells that so many of ``size`` documents hold: its inverse document frequency."""
    return log(1 + (size - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """Documents by row. Made by ``build``; never changed afterwards."""

    size: int
    _postings: dict[str, TermGains] = field(repr=False)

    @classmethod
    def build(cls, documents: Sequence[str], k1: float = K1, b: float = B) -> LexicalIndex:
        """Index ``documents``; row ``i`` of every score is ``documents[i]``."""
        counts = [Counter(lexical_terms(document)) for document in documents]
        discount = _discount(counts, k1, b)
        rows = _term_rows(counts)
        return cls(
            len(documents), {t: _impacts(t, where, times, discount, k1) for t, (where, times) in rows.items()}
        )

    def scores(self, query: str) -> Floats:
        """BM25 of every document, shape ``(size,)``; 0 where no term of the query occurs."""
        total = np.zeros(self.size, np.float32)
        for term in set(lexical_terms(query)):
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
        gains = {term: self._gain(term, i) for term in set(lexical_terms(query))}
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
    lengths = np.array([sum(term_weight(t) * n for t, n in c.items()) for c in counts], np.float64)
    return k1 * (1 - b + b * lengths / (lengths.mean() or 1.0)) if counts else lengths


def _term_rows(counts: Sequence[Counter[str]]) -> dict[str, tuple[Rows, Rows]]:
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
) -> TermGains:
    size = len(discount)
    idf = inverse_frequency(size, len(rows))
    gains = (term_weight(term) * idf * times * (k1 + 1) / (times + discount[rows])).astype(np.float32)
    if len(rows) < size * _DENSE_SHARE:
        return rows, gains
    dense = np.zeros(size, np.float32)
    dense[rows] = gains
    return None, dense


# BM25 with every gain computed beforehand, in rows as sparse as language is.


Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class PostingCounts:
    """How often each document holds each term; terms have numbers, in order of their first occurrence."""

    terms: dict[str, int]
    starts: Numbers
    """Where each document's part begins in ``term_numbers`` and ``times``; one more, for the end."""
    term_numbers: Numbers
    times: Numbers

    @property
    def size(self) -> int:
        """Documents."""
        return len(self.starts) - 1

    def of(self, row: int) -> Numbers:
        """The numbers of the terms of a document, each once."""
        return self.term_numbers[self.starts[row] : self.starts[row + 1]]

    @property
    def rows(self) -> Numbers:
        """The document of each entry."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.starts))

    def extend(self, documents: Sequence[Sequence[str]]) -> PostingCounts:
        """These and further documents behind them."""
        terms = dict(self.terms)
        flat = [terms.setdefault(term, len(terms)) for document in documents for term in document]
        rows = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
        held = np.array(flat, np.int32)
        new = _sum_counts(terms, len(documents), rows, held, np.ones(len(held), np.int32))
        return PostingCounts(
            terms,
            np.concatenate([self.starts, self.starts[-1] + new.starts[1:]]),
            np.concatenate([self.term_numbers, new.term_numbers]),
            np.concatenate([self.times, new.times]),
        )

    def group(self, group: Numbers, number: int) -> PostingCounts:
        """The documents of each group put together, ``number`` groups in all."""
        return _sum_counts(self.terms, number, group[self.rows], self.term_numbers, self.times)


def _sum_counts(
    terms: dict[str, int],
    size: int,
    rows: npt.NDArray[np.signedinteger],
    held: Numbers,
    times: Numbers,
) -> PostingCounts:
    """The counts of ``size`` documents of which each entry tells a document, a term and how often."""
    width = max(len(terms), 1)
    keys, inverse = np.unique(rows.astype(np.int64) * width + held, return_inverse=True)
    summed = np.bincount(inverse, times, len(keys)).astype(np.int32)
    where, what = np.divmod(keys, width)
    return PostingCounts(terms, _offsets(np.bincount(where, minlength=size)), what.astype(np.int32), summed)


def _offsets(lengths: npt.NDArray[np.intp]) -> Numbers:
    """Where parts of these lengths begin, and where the last one ends."""
    starts = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=starts[1:])
    return starts


def count_terms(documents: Sequence[Sequence[str]]) -> PostingCounts:
    """The terms of each document, counted."""
    none = np.zeros(0, np.int32)
    return PostingCounts({}, np.zeros(1, np.int32), none, none).extend(documents)


@dataclass(frozen=True, slots=True)
class ImpactPostings:
    """For every term the documents that hold it, in order, and what it adds to their scores."""

    size: int
    terms: dict[str, int]
    starts: Numbers
    rows: Numbers
    gains: Floats
    idf: Floats
    """By term, single characters as little as they count."""
    max_gains: Floats
    """The greatest gain of each term."""
    is_telling: npt.NDArray[np.bool_]
    """Whether a term tells by itself; a single Chinese character does not."""

    def of(self, term: str) -> tuple[Numbers, Floats]:
        """The documents of a term and its gains there; none where no document holds it."""
        number = self.terms.get(term)
        return self.at(number) if number is not None else (self.rows[:0], self.gains[:0])

    def at(self, number: int) -> tuple[Numbers, Floats]:
        """The same for the number of a term."""
        part = slice(self.starts[number], self.starts[number + 1])
        return self.rows[part], self.gains[part]

    def weight(self, term: str) -> float:
        """How much a term tells; most, where no document holds it."""
        number = self.terms.get(term)
        if number is not None:
            return float(self.idf[number])
        return term_weight(term) * inverse_frequency(self.size, 0)

    def scores(self, terms: Sequence[str], weights: Floats | None = None) -> Floats:
        """BM25 of every document, shape ``(size,)``; each term counts once, or as much as its weight."""
        total = np.zeros(self.size, np.float32)
        for term, weight in zip(
            terms, np.ones(len(terms), np.float32) if weights is None else weights, strict=True
        ):
            rows, gains = self.of(term)
            total[rows] += weight * gains
        return total


def build_postings(counts: PostingCounts, k1: float = K1, b: float = B) -> ImpactPostings:
    """The postings of counted documents."""
    frequency = np.bincount(counts.term_numbers, minlength=len(counts.terms))
    telling = np.array([not is_character(term) for term in counts.terms], np.bool_)
    plain = np.where(telling, np.float32(1), np.float32(UNIGRAM_WEIGHT))
    idf = plain * _idf(frequency, counts.size)
    order = np.argsort(counts.term_numbers, kind="stable")
    starts = _offsets(frequency)
    gains = (idf[counts.term_numbers] * _term_saturation(counts, plain, k1, b))[order]
    most = np.maximum.reduceat(gains, starts[:-1]) if len(frequency) else gains
    return ImpactPostings(counts.size, counts.terms, starts, counts.rows[order], gains, idf, most, telling)


def _idf(frequency: npt.NDArray[np.intp], size: int) -> Floats:
    rare: Floats = np.log(1 + (size - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    return rare


def _term_saturation(counts: PostingCounts, plain: Floats, k1: float, b: float) -> Floats:
    """What saying a term so often in so long a document counts for, by entry."""
    rows = counts.rows
    lengths = np.bincount(rows, counts.times * plain[counts.term_numbers], counts.size)
    mean = float(lengths.mean()) if counts.size else 0.0
    discount = k1 * (1 - b + b * lengths / (mean or 1.0))
    share: Floats = (counts.times * (k1 + 1) / (counts.times + discount[rows])).astype(np.float32)
    return share
