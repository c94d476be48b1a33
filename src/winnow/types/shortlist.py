"""What may be meant: candidates by reference, each with its evidence, and what was dropped on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.types.ref import Ref


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a candidate. ``score`` is 0..1 within its lane."""

    lane: str
    """``name``, ``alias``, ``pinyin``, ``fuzzy``, ``room``, ``type``, ``lexical``, ``vector``, ``near``,
    ``trait`` ..."""
    score: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be meant. ``data`` is what its source alone knows of it: a command's key, a text."""

    ref: Ref
    evidence: tuple[Evidence, ...] = ()
    score: float = 0.0
    data: object = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that was looked at and left out."""

    id: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was decided on the way, and why: ``strategy`` ``hybrid`` ``240 messages``."""

    what: str
    chosen: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """What one source offers for one query, best first."""

    source: str
    """``home``, ``history``, ``knowledge`` ..."""
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    steps: tuple[Step, ...] = ()
    """How it was searched."""
    weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    """How much each term of the question tells in all that was searched (inverse document frequency)."""

    @property
    def degraded(self) -> tuple[str, ...]:
        """What was to help and failed, so that less than was meant decided."""
        return tuple(step.reason for step in self.steps if step.what == "degraded")
