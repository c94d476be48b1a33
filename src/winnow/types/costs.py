"""What a wrong yes costs where a wrong no costs 1, for the probabilities that decide; thresholds follow.

``python -m benchmarks.calibration`` holds both against what was so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Decision = Literal["private_suffices", "source_bears", "anything_bears", "turn_needs", "opening_needs"]
COSTS: Mapping[Decision, float] = {
    # An answer that only public collections have is missed three times as badly as they are asked in vain
    "private_suffices": 3.0,
    # One answer that is lost counts as much as 32 results, or 2.3 questions, that are given something in vain
    "source_bears": 1 / 32,
    "anything_bears": 3 / 7,
    # A look-up that is missed costs 1.5 in vain, and 5.7 where a talk opens and nothing said stands in for it
    "turn_needs": 2 / 3,
    "opening_needs": 3 / 17,
}


def threshold(decision: Decision) -> float:
    """The probability, to two places, from which on a yes costs less than a no."""
    return round(COSTS[decision] / (1 + COSTS[decision]), 2)
