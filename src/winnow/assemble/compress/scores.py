"""Reasons -> what a piece promises, by fitted weights."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.evidence import REASONS
from winnow.text.tables import table
from winnow.types.dialogue import Language

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, float]
RARE = frozenset({"rare", "rare_sentence"})
"""What needs to know how rare words are in all that was searched."""
MEANT = frozenset({"like", "soft"})
"""What needs to know the meaning of words."""


def known(rare: bool, meant: bool) -> str:
    """The name of the weights for what is known beside the texts."""
    return "_".join(name for name, there in (("words", True), ("rare", rare), ("meaning", meant)) if there)


def reasons_of(name: str) -> tuple[str, ...]:
    """The reasons that count under a name of ``known``."""
    absent = (RARE if "rare" not in name else set()) | (MEANT if "meaning" not in name else set())
    return tuple(reason for reason in REASONS if reason not in absent)


def weights(language: Language, name: str) -> Weights:
    """The weights in force for texts of a language."""
    found = cast("dict[str, dict[str, Weights]]", table("winnow.assemble.compress", "weights.yaml"))
    return found[language][name]


def scores(reasons: Floats, by: Weights) -> Floats:
    """The sum of the weighed reasons of each unit: shape ``(units,)``."""
    column: Floats = np.array([by.get(name, 0.0) for name in REASONS], np.float32)
    found: Floats = reasons @ column
    return found


def shares(sums: Floats) -> Floats:
    """How likely each unit is the one that answers, if one of them does: 0..1, together 1."""
    grown = np.exp(sums - sums.max(initial=0))
    found: Floats = grown / (grown.sum() or 1.0)
    return found


@cache
def names() -> tuple[str, ...]:
    """All names of ``known``."""
    return tuple(known(rare, meant) for rare in (False, True) for meant in (False, True))
