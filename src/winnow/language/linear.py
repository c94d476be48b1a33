"""Weighted sums of features: what every file of fitted weights is read for."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
MAX_LOG_ODDS = 30.0
"""Beyond these odds a probability is 0 or 1 for any purpose, and ``exp`` might overflow."""


def explain(features: Mapping[str, float], weights: Mapping[str, float]) -> dict[str, float]:
    """What each feature adds to the sum; one without a weight adds nothing."""
    return {name: weights.get(name, 0.0) * value for name, value in features.items()}


def weighted_sum(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of the features, each as much as its weight; ``bias`` is added whatever they are."""
    return weights.get("bias", 0.0) + sum([weights.get(n, 0.0) * value for n, value in features.items()])


def probability(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """0..1, by logistic weights."""
    return 1 / (1 + exp(-min(MAX_LOG_ODDS, max(-MAX_LOG_ODDS, weighted_sum(features, weights)))))


def log_odds(share: float) -> float:
    """Of a probability; one that is nearly sure counts no more than 0.9999."""
    held = min(max(share, 1e-4), 1 - 1e-4)
    return log(held / (1 - held))


def shares(sums: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """How likely each is, if one of them is: 0..1, together 1."""
    grown = np.exp(sums - sums.max(initial=0))
    found: npt.NDArray[np.floating] = grown / (grown.sum() or 1.0)
    return found


def weighted_rows(features: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The sum of features of many rows, each as much as its weight; what is not computed counts nothing."""
    total = np.zeros_like(next(iter(features.values())))
    for name, weight in weights.items():
        if name in features:
            total += np.float32(weight) * features[name]
    return total
