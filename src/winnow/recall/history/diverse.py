"""Messages that say what a better one says stand back (maximal marginal relevance)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from winnow.recall.history.index import HistoryIndex

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


def diverse(index: HistoryIndex, scores: Floats, rows: Rows, limit: int, diversity: float) -> Rows:
    """At most ``limit`` of the rows, best first.

    A message loses ``diversity`` times its share of words in common with the most similar one before it;
    the best score counts 1.
    """
    if diversity <= 0 or len(rows) < 2:
        return rows[:limit]
    alike = _alike(index, rows)
    worth = (1 - diversity) * scores[rows] / scores[rows[0]]
    loss = np.zeros(len(rows), np.float32)
    chosen: list[int] = []
    for _ in range(min(limit, len(rows))):
        chosen.append(int(np.argmax(worth - diversity * loss)))
        worth[chosen[-1]] = -np.inf
        loss = np.maximum(loss, alike[chosen[-1]])
    return rows[chosen]


def _alike(index: HistoryIndex, rows: Rows) -> Floats:
    """The share of words that any two of the messages have in common, 0..1, shape ``(rows, rows)``."""
    held = [frozenset(index.counts.of(int(row)).tolist()) for row in rows]
    return np.array([[len(a & b) / (len(a | b) or 1) for b in held] for a in held], np.float32)
