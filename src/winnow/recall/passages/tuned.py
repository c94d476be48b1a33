"""How passages are scored: the figures of ``weights.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from winnow.text.tables import table
from winnow.types.dialogue import Language

Weights = Mapping[str, float]
MEANING = "meaning"
"""The reason that needs vectors; the others need words only."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """BM25 of passages in one language."""

    k1: float
    """How fast repeating a term stops helping."""
    b: float
    """How much a passage is discounted that is long among those of its language, 0 to 1."""
    title: float
    """How many times a term of the title counts, beside the text itself."""
    heading: float
    """The same of a heading."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Chosen and fitted by ``training/knowledge/fit_passages.py``."""

    zh: Scoring
    en: Scoring
    across: float
    """What a pair of Chinese characters counts for that belong to two words of the question."""
    beside: float
    """The same where one of them says nothing by itself."""
    flat: float
    """From which share of the first passage's score on the fifth is so near that words are fed back."""
    feedback: float
    """What they count for."""
    passage: Mapping[Language, Weights] = field(hash=False)
    """What each reason for a passage counts for, by the language of the question."""
    sentence: Mapping[Language, Weights] = field(hash=False)
    """The same of a sentence."""

    @property
    def scorings(self) -> tuple[Scoring, Scoring]:
        """Those of passages in English and in Chinese."""
        return self.en, self.zh


@cache
def tuning() -> Tuning:
    """The figures in force."""
    found: dict[str, Any] = table("winnow.recall.passages", "weights.yaml")
    return Tuning(**found | {name: Scoring(**found[name]) for name in ("zh", "en")})
