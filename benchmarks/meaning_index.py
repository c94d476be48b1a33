"""Documents searched by words and by meaning: what a document says otherwise counts too, for less.

No part of the package searches so; ``benchmarks.passages`` measures what it would be worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winnow.language.gazetteer import runs
from winnow.language.normalize import is_han, normalise
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import (
    MAX_SIMILAR_TERMS,
    MIN_SIMILARITY,
    SIMILAR_TERM_WEIGHT,
    Floats,
    LexicalIndex,
    VectorIndex,
    lexical_terms,
)

TEXT_WEIGHT = 0.5
"""Weight of the cosine of the whole texts beside the lexical score, whose best document has 1.

Less within Chinese, see ``_apart``.
"""


@dataclass(frozen=True, slots=True)
class TermVectors:
    """Terms of the collection and their vectors."""

    names: tuple[str, ...]
    vectors: VectorIndex

    @classmethod
    def of(cls, names: Sequence[str], embedder: Embedder) -> TermVectors:
        """These terms, embedded one by one."""
        return cls(tuple(names), _vector_index(names, embedder))

    def alike(self, term: str, vector: Floats) -> list[tuple[str, float]]:
        """Other terms that may stand for ``term``, best first, and what each counts for."""
        near = self.vectors.search(vector, MAX_SIMILAR_TERMS + 1)
        found = [
            (self.names[row], SIMILAR_TERM_WEIGHT * min(cosine, 1.0))
            for row, cosine in near
            if cosine >= MIN_SIMILARITY
        ]
        return [(other, weight) for other, weight in found if other != term][:MAX_SIMILAR_TERMS]


@dataclass(frozen=True, slots=True)
class MeaningIndex:
    """Documents by row, their terms and the vectors of both. Made by ``build``; never changed afterwards."""

    lexical: LexicalIndex
    embedder: Embedder
    every: TermVectors
    latin: TermVectors
    vectors: VectorIndex
    chinese: Floats
    """How much of each document is Chinese, 0..1."""

    @classmethod
    def build(cls, documents: Sequence[str], embedder: Embedder) -> MeaningIndex:
        """Index ``documents``; row ``i`` of every score is ``documents[i]``."""
        lexical = LexicalIndex.build(documents)
        names = sorted(lexical.postings.terms)
        latin = [name for name in names if not is_han(name[0])]
        chinese = np.array([_chinese(document) for document in documents], np.float32)
        return cls(
            lexical,
            embedder,
            TermVectors.of(names, embedder),
            TermVectors.of(latin, embedder),
            _vector_index(documents, embedder),
            chinese,
        )

    def scores(self, query: str) -> Floats:
        """Words said, words alike and the whole, of every document, shape ``(size,)``."""
        words = self.expanded_scores(query)
        top = float(words.max()) if words.size else 0.0
        whole = self.vectors.scores(self.embedder.embed([query])[0])
        return (words / np.float32(top) if top else words) + np.float32(TEXT_WEIGHT) * self._apart(
            query
        ) * whole

    def expanded_scores(self, query: str) -> Floats:
        """BM25 in which each term of the query counts by the best of the terms that may stand for it.

        It may stand for itself. In Chinese documents next to nothing stands for a Chinese query:
        its characters find them.
        """
        apart = self._apart(query)
        total = np.zeros(self.lexical.postings.size, np.float32)
        asked = sorted(set(lexical_terms(query)))
        for term, vector in zip(asked, self.embedder.embed(asked), strict=True):
            own = self.lexical.postings.scores([term])
            total += own + apart * (self._best(term, vector, own) - own)
        return total

    def _best(self, term: str, vector: Floats, own: Floats) -> Floats:
        """The gains of a term or, where they are more, of what may stand for it.

        That gains no more than the term itself, if the documents hold it.
        """
        best, limit = own, float(own.max()) if own.any() else np.inf
        # Characters and pairs of them are no words: only Latin words may stand for them.
        known = self.latin if is_han(term[0]) else self.every
        for other, weight in known.alike(term, vector):
            gains = self.lexical.postings.scores([other])
            share = weight * min(1.0, limit / float(gains.max()))
            best = np.maximum(best, np.float32(share) * gains)
        return best

    def _apart(self, query: str) -> Floats:
        """1 where query and document are not both Chinese, 0 where both are wholly so.

        There meaning moved right answers down.
        """
        apart: Floats = np.square(1 - np.float32(_chinese(query)) * self.chinese)
        return apart


def _chinese(text: str) -> float:
    """The share of Chinese among the characters and Latin words of a text."""
    words, han = runs(normalise(text))
    characters = sum(map(len, han))
    return characters / (characters + len(words)) if characters else 0.0


def _vector_index(texts: Sequence[str], embedder: Embedder) -> VectorIndex:
    return VectorIndex(embedder.embed(texts), embedder.name, embedder.version)
