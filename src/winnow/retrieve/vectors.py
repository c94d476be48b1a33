"""Exact nearest neighbours over the vectors of one scope; no approximation, so filters never lose a hit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
        scores = self.scores(vector)
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
