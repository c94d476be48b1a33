"""How likely a turn that no rule settles needs something looked up."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import cast

from winnow.text.tables import table


def weights() -> Mapping[str, Mapping[str, float]]:
    """``features``: feature -> weight, with ``bias``. ``rules``: rule -> how often it was right.

    ``decision``: the ``threshold``.
    """
    return cast("Mapping[str, Mapping[str, float]]", table(__package__, "weights.yaml"))


def chance(found: Mapping[str, float]) -> float:
    """0..1: how many turns with these features needed retrieval, of those the weights were fitted on."""
    fitted = weights()["features"]
    total = fitted["bias"] + sum(fitted.get(name, 0.0) * value for name, value in found.items())
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def threshold() -> float:
    """Retrieve from this chance on."""
    return weights()["decision"]["threshold"]


def trust(rule: str) -> float:
    """0..1: how often a rule was right."""
    return weights()["rules"].get(rule, 0.9)
