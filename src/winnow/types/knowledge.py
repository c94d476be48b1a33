"""How documents are searched, and whether what was found is enough (seed 004, section 1)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Limits of both tiers, and when the public one is needed."""

    private_most: int = 10
    private_least: float = 0.7
    """Least calibrated relevance of a private result, 0..1."""
    public_most: int = 5
    public_least: float = 0.75
    enough_results: int = 3
    enough_coverage: float = 0.8
    enough_confidence: float = 0.75
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
