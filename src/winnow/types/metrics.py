"""How well a turn was served: what of its context bears on the question, what of an answer it supports.

The names are those of the field: relevance, utilisation, completeness and adherence of a context as in TRACe,
coverage of the concepts of a question (seed 004, section 5.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.types.briefing import Stage
from winnow.types.context import Part, Use
from winnow.types.ref import Ref


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer, and what of the context supports it."""

    text: str
    supported: bool
    share: float
    """Share of its terms, weighed by how much each tells, that the best place in the data says, 0..1."""
    added: float
    """The same of those terms that it adds to the question."""
    by: Ref | None = None
    """Where that place is; None: nothing in the data says any of it."""
    missing: tuple[str, ...] = ()
    """Its numbers and names that neither the data nor the question has."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """One turn in figures. Shares are 0..1; None where there is nothing to take a share of."""

    tokens: int
    """Of all messages."""
    total: int
    """Tokens they may have; 0: nobody set a limit."""
    data: int
    """Tokens of what was looked up and stands in the messages: history, facts, passages."""
    relevance: float | None = None
    """Share of the data's tokens that bears on the question: those of sentences that say a concept of it, or
    stand beside one that does, each weighed by the calibrated relevance of where it comes from."""
    coverage: float | None = None
    """Share of the question's concepts that the data says, weighed by how much each tells."""
    uncovered: tuple[str, ...] = ()
    """Concepts it does not say, as the question has them."""
    utilisation: float | None = None
    """Share of the data's tokens that supports the answer."""
    completeness: float | None = None
    """Share of what bears on the question that the answer uses."""
    support: float | None = None
    """Adherence: share of the answer's statements that the data supports."""
    statements: tuple[Statement, ...] = ()
    shares: Mapping[Part, Use] = field(default_factory=dict)
    """What each share of the budget holds."""
    stages: tuple[Stage, ...] = ()
    """Milliseconds of each stage."""
    model_tokens: int = 0
    """Read and written by language models on the way."""

    @property
    def ms(self) -> float:
        """Milliseconds of all stages together."""
        return sum(stage.ms for stage in self.stages)
