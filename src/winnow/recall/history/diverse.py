"""Messages that say what a better one says stand back, and where several are asked for, talks take turns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from winnow.recall.history.index import HistoryIndex

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


SPREAD = np.float32(0.03)
"""What a message loses for each better one of its talk, where several are asked for; the best has 1.

What somebody did "so far" was told in many talks, and one of them alone would fill the list.
"""


def diverse(
    index: HistoryIndex, scores: Floats, rows: Rows, limit: int, diversity: float, spread: bool = False
) -> Rows:
    """At most ``limit`` of the rows, best first.

    A message loses ``diversity`` times its share of words in common with the most similar one before it
    (maximal marginal relevance), and with ``spread`` a little for each before it of its talk; the best score
    counts 1.
    """
    if len(rows) < 2 or not (diversity > 0 or spread):
        return rows[:limit]
    nothing = np.zeros((len(rows), len(rows)), np.float32)
    alike = diversity * _alike(index, rows) if diversity > 0 else nothing
    together = SPREAD * _together(index, rows) if spread else nothing
    return rows[_chosen((1 - diversity) * scores[rows] / scores[rows[0]], alike, together)[:limit]]


def _chosen(worth: Floats, alike: Floats, together: Floats) -> list[int]:
    """One after the other, the best by what is left of its worth beside those that were chosen before."""
    left, loss, crowd = worth.copy(), np.zeros_like(worth), np.zeros_like(worth)
    chosen: list[int] = []
    for _ in worth:
        best = int(np.argmax(left - loss - crowd))
        chosen.append(best)
        left[best] = -np.inf
        loss = np.maximum(loss, alike[best])
        crowd = crowd + together[best]
    return chosen


def _together(index: HistoryIndex, rows: Rows) -> Floats:
    """1 where two messages are of one dialogue, else 0, shape ``(rows, rows)``."""
    talk, dialogue = index.talks.number[rows], index.talks.dialogue[rows]
    shared: Floats = ((talk[:, None] == talk[None]) & dialogue).astype(np.float32)
    return shared


def _alike(index: HistoryIndex, rows: Rows) -> Floats:
    """The share of words that any two of the messages have in common, 0..1, shape ``(rows, rows)``."""
    held = [frozenset(index.counts.of(int(row)).tolist()) for row in rows]
    return np.array([[len(a & b) / (len(a | b) or 1) for b in held] for a in held], np.float32)
