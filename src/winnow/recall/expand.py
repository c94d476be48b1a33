"""Documents searched by words and by meaning: each word of a query also counts, for less, where a document says it otherwise.

An embedder that knows both languages finds passages in the other language this way; one that knows only spelling adds little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from winnow.ports import Embedder
from winnow.recall.lexical import LexicalIndex, terms
from winnow.recall.vectors import VectorIndex
from winnow.text.normalise import is_han

Floats = npt.NDArray[np.float32]
NEAREST = 12
"""Terms of the collection that stand for one term of the query, at most."""
ALIKE = 0.35
"""Cosine from which a term may stand for another."""
MOST = 0.6
"""What a term that stands for another counts for at most; one of cosine c counts for MOST times c."""
WHOLE = 0.5
"""Weight of the cosine of the whole texts beside the lexical score, whose best document has 1; less for Chinese, see ``_unseen``."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of the collection and their vectors."""

    names: tuple[str, ...]
    vectors: VectorIndex

    @classmethod
    def of(cls, names: Sequence[str], embedder: Embedder) -> Terms:
        """These terms, embedded one by one."""
        return cls(tuple(names), _indexed(names, embedder))

    def alike(self, term: str, vector: Floats) -> list[tuple[str, float]]:
        """Other terms that may stand for ``term``, best first, and what each counts for."""
        near = self.vectors.search(vector, NEAREST + 1)
        found = [(self.names[row], MOST * min(cosine, 1.0)) for row, cosine in near if cosine >= ALIKE]
        return [(other, weight) for other, weight in found if other != term][:NEAREST]


@dataclass(frozen=True, slots=True)
class MeaningIndex:
    """Documents by row, their terms and the vectors of both. Made by ``build``; never changed afterwards."""

    lexical: LexicalIndex
    embedder: Embedder
    every: Terms
    latin: Terms
    vectors: VectorIndex

    @classmethod
    def build(cls, documents: Sequence[str], embedder: Embedder) -> MeaningIndex:
        """Index ``documents``; row ``i`` of every score is ``documents[i]``."""
        lexical = LexicalIndex.build(documents)
        names = sorted(lexical.terms)
        latin = [name for name in names if not is_han(name[0])]
        return cls(lexical, embedder, Terms.of(names, embedder), Terms.of(latin, embedder), _indexed(documents, embedder))

    def scores(self, query: str) -> Floats:
        """Words said, words alike and the whole, of every document, shape ``(size,)``."""
        words = self.expanded(query)
        top = float(words.max()) if words.size else 0.0
        whole = self.vectors.scores(self.embedder.embed([query])[0])
        return (words / np.float32(top) if top else words) + np.float32(WHOLE * self._unseen(query)) * whole

    def expanded(self, query: str) -> Floats:
        """BM25 in which each term of the query counts by the best of the terms that may stand for it, itself included.

        Characters and pairs of them are no words: only Latin words may stand for them. What stands for a term that the documents hold
        gains no more than that term.
        """
        total = np.zeros(self.lexical.size, np.float32)
        asked, unseen = sorted(set(terms(query))), self._unseen(query)
        for term, vector in zip(asked, self.embedder.embed(asked), strict=True):
            best = self.lexical.gains(term)
            limit = float(best.max()) if best.any() else np.inf
            share = unseen if is_han(term[0]) else 1.0
            for other, weight in (self.latin if is_han(term[0]) else self.every).alike(term, vector):
                gains = self.lexical.gains(other)
                best = np.maximum(best, np.float32(share * weight * min(1.0, limit / float(gains.max()))) * gains)
            total += best
        return total

    def _unseen(self, query: str) -> float:
        """The share of the query's terms that Chinese characters do not already find, squared: where they do, the whole is noise."""
        asked = set(terms(query))
        spelled = [term for term in asked if self._spelt(term)]
        return float((1 - len(spelled) / len(asked)) ** 2) if asked else 0.0

    def _spelt(self, term: str) -> bool:
        """Whether it is Chinese and the documents hold its characters."""
        return is_han(term[0]) and all(character in self.lexical.terms for character in term)


def _indexed(texts: Sequence[str], embedder: Embedder) -> VectorIndex:
    return VectorIndex(embedder.embed(texts), embedder.name, embedder.version)
