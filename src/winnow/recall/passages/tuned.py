"""How passages are scored: the figures of ``weights.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from winnow.text.tables import table


@dataclass(frozen=True, slots=True)
class Tuning:
    """Fitted by ``training/knowledge/fit_passages.py``."""

    k1: float
    """How fast repeating a term stops helping."""
    b: float
    """How much a long passage is discounted, 0 to 1."""
    title: float
    """How many times a term of the title counts, beside the text itself."""
    heading: float


@cache
def tuning() -> Tuning:
    """The figures in force."""
    return Tuning(**table("winnow.recall.passages", "weights.yaml"))
