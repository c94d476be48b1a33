"""How documents are searched, and whether what was found is enough (seed 004, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Enough = Literal["confidence", "all"]


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Limits of both tiers, and when the public one is needed."""

    private: bool = True
    """Whether a person's own documents are searched."""
    private_most: int = 10
    private_least: float = 0.7
    """Calibrated relevance, 0..1, from which a private result counts, and is always kept."""
    public: bool = True
    """Whether everybody's documents are searched where they are needed."""
    public_most: int = 5
    public_least: float = 0.75
    least_share: float = 0.005
    """What is less relevant is kept too if it has this share of the best one's relevance."""
    enough_by: Enough = "confidence"
    """``confidence`` decides alone, or ``all``: results, coverage and confidence, as seed 004 has it."""
    enough_results: int = 3
    enough_coverage: float = 0.8
    enough_confidence: float = 0.75
    glance: bool = True
    """Whether the index of public documents may tell how well they match, before any of them is searched."""
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Domain of public documents -> words of a question that tell it, beside its own name."""
    half_life_days: float = 0.0
    """After how many days a document counts half as much. 0: age does not count."""


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether private results answer the question, computed and never guessed."""

    enough: bool
    results: int
    """Results that are relevant enough."""
    coverage: float
    """Share of the question's concepts that the results cover, weighed by how much each tells."""
    confidence: float
    """Calibrated: of questions with this figure, that share is answered by what was found."""
    reason: str = ""
