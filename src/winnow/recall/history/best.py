"""The best of many scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


def best_rows(scores: Floats, limit: int) -> Rows:
    """The rows of the greatest scores above 0, best first; of equal ones the newest first."""
    limit = min(limit, len(scores))
    if limit <= 0:
        return np.zeros(0, np.intp)
    cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    rows = np.flatnonzero((scores >= cut) & (scores > 0))
    return rows[np.lexsort((-rows, -scores[rows]))][:limit]
