"""Weights of reasons by which the right ones of each question stand first: a softmax over what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """What was found for many questions, one below the other."""

    values: Floats
    """How much each reason speaks for each: shape ``(found, reasons)``."""
    share: Floats
    """What each should have of its question's softmax."""
    starts: npt.NDArray[np.intp]
    lengths: npt.NDArray[np.intp]

    def slope(self, by: Floats) -> Floats:
        """The slope of the mean loss at these weights, shape ``(reasons,)``."""
        sums = self.values @ by
        grown = np.exp(sums - np.repeat(np.maximum.reduceat(sums, self.starts), self.lengths))
        given = grown / np.repeat(np.add.reduceat(grown, self.starts), self.lengths)
        slope: Floats = self.values.T @ (given - self.share) / len(self.starts)
        return slope


def descended(
    files: Sequence[Rows], start: Floats, prior: Floats, l2: float, rate: float, steps: int
) -> Floats:
    """Weights of at least 0 after so many steps of Adam, each file as important as another."""
    by, speed, spread = start.copy(), np.zeros(len(start)), np.zeros(len(start))
    for step in range(1, steps + 1):
        slope = 2 * l2 * (by - prior) + np.sum([rows.slope(by) for rows in files], axis=0)
        speed, spread = 0.9 * speed + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        pace = speed / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        by = np.maximum(by - rate * (1 - 0.9 * step / steps) * pace, 0)
    return by
