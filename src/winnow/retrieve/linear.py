"""Weighted sums of features: what every fitted weights file is read for."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
MAX_LOG_ODDS = 30.0
"""Beyond these odds a probability is 0 or 1 for any purpose, and ``exp`` might overflow."""


def weighted_sum(features: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The sum of the features, each as much as its weight; what is not computed counts nothing."""
    total = np.zeros_like(next(iter(features.values())))
    for name, weight in weights.items():
        if name in features:
            total += np.float32(weight) * features[name]
    return total


def probability(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """0..1, by logistic weights; that of ``always`` is counted whatever the features are."""
    log_odds = weights["always"] + sum(weights[name] * value for name, value in features.items())
    return 1 / (1 + exp(-min(MAX_LOG_ODDS, max(-MAX_LOG_ODDS, log_odds))))
