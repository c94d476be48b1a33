"""Texts indexed for BM25 with every gain computed when the index is built, in rows as sparse as language is.

A query is then a few array additions: no segmentation, no writer, nothing on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character
from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import normalise
from winnow.language.term_weights import K1, UNIGRAM_WEIGHT, B, inverse_frequency, saturation, term_weight

# Exact nearest neighbours over the vectors of one scope; no approximation, so filters never lose a hit.


Floats = npt.NDArray[np.float32]


class VectorIndex:
    """Unit vectors by row, with the ``name`` and ``version`` of the embedder they came from.

    Other vectors must not be asked of it.
    """

    def __init__(self, vectors: Floats, name: str, version: str) -> None:
        self.name, self.version = name, version
        self.size, self.dimension = vectors.shape
        self._columns = np.ascontiguousarray(vectors.T, np.float32)

    def scores(self, vector: Floats) -> Floats:
        """The inner product with every row, shape ``(size,)``: the cosine of unit vectors.

        Raises ValueError on another length.
        """
        if vector.shape != (self.dimension,):
            raise ValueError(
                f"{self.name} {self.version} has vectors of {self.dimension}, asked with shape {vector.shape}"
            )
        scores: Floats = vector @ self._columns
        return scores

    def search(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """The ``k`` best rows and their scores, best first, equal scores by row."""
        return self._best(self.scores(vector), k)

    def search_all(self, vectors: Floats, k: int) -> list[list[tuple[int, float]]]:
        """The same for each row of ``vectors``, shape ``(n, dimension)``, read once for all of them."""
        return [self._best(scores, k) for scores in vectors @ self._columns]

    def _best(self, scores: Floats, k: int) -> list[tuple[int, float]]:
        k = min(max(k, 0), self.size)
        if not k:
            return []
        cut = np.partition(scores, self.size - k)[self.size - k]
        rows = np.flatnonzero(scores >= cut)
        best = rows[np.lexsort((rows, -scores[rows]))][:k]
        return [(int(row), float(scores[row])) for row in best]


MAX_SIMILAR_TERMS = 12
"""Terms of the collection that stand for one term of the query, at most."""
MIN_SIMILARITY = 0.35
"""Cosine from which a term may stand for another."""
SIMILAR_TERM_WEIGHT = 0.6
"""What a term that stands for another counts for at most, at a cosine of 1."""


# Texts indexed for BM25 with every gain computed when the index is built, in rows as sparse as language is.


Numbers = npt.NDArray[np.int32]


def lexical_terms(text: str) -> list[str]:
    """Stems of Latin words, Chinese characters and pairs of neighbouring ones, in no promised order."""
    words, han = runs(normalise(text))
    found = [stem(word) for word in words]
    for run in han:
        found += run
        found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


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

    @property
    def rows(self) -> Numbers:
        """The document of each entry."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.starts))

    def weighted_lengths(self, weights: Floats) -> npt.NDArray[np.float64]:
        """The length of each document, a term as long as its weight says."""
        lengths = np.bincount(self.rows, self.times * weights[self.term_numbers], self.size)
        return lengths.astype(np.float64, copy=False)


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
    terms: dict[str, int] = {}
    flat = [terms.setdefault(term, len(terms)) for document in documents for term in document]
    rows = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
    held = np.array(flat, np.int32)
    return _sum_counts(terms, len(documents), rows, held, np.ones(len(held), np.int32))


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
        for number, term in enumerate(terms):
            rows, gains = self.of(term)
            total[rows] += gains if weights is None else weights[number] * gains
        return total


def build_postings(counts: PostingCounts, k1: float = K1, b: float = B) -> ImpactPostings:
    """The postings of counted documents."""
    frequency = np.bincount(counts.term_numbers, minlength=len(counts.terms))
    telling = np.array([not is_character(term) for term in counts.terms], np.bool_)
    plain = np.where(telling, np.float32(1), np.float32(UNIGRAM_WEIGHT))
    idf = plain * inverse_frequency(counts.size, frequency).astype(np.float32)
    lengths = counts.weighted_lengths(plain)
    mean = float(lengths.mean()) if counts.size else 0.0
    share = saturation(counts.times, lengths[counts.rows], mean, k1, b).astype(np.float32)
    order = np.argsort(counts.term_numbers, kind="stable")
    starts = _offsets(frequency)
    gains = (idf[counts.term_numbers] * share)[order]
    most = np.maximum.reduceat(gains, starts[:-1]) if len(frequency) else gains
    return ImpactPostings(counts.size, counts.terms, starts, counts.rows[order], gains, idf, most, telling)


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """Texts as they are written, by row, every word of them. Made by ``build``; never changed afterwards."""

    postings: ImpactPostings

    @classmethod
    def build(cls, documents: Sequence[str], k1: float = K1, b: float = B) -> LexicalIndex:
        """Index ``documents``; row ``i`` of every score is ``documents[i]``."""
        return cls(build_postings(count_terms(list(map(lexical_terms, documents))), k1, b))

    def scores(self, query: str) -> Floats:
        """BM25 of every document, shape ``(size,)``; 0 where no term of the query occurs."""
        return self.postings.scores(list(dict.fromkeys(lexical_terms(query))))
