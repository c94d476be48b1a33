"""What is held to be true of somebody or something, and what one statement is to another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

FactStatus = Literal["current", "superseded", "uncertain", "withdrawn"]
Relation = Literal["update", "duplicate", "compatible", "contradiction", "unsure"]
"""What the later of two statements is to the earlier; ``unsure``: the rules abstain."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement with what it is about. Nothing is ever overwritten: what follows it is told by ids."""

    id: str
    text: str
    """As it was said."""
    subject: str = ""
    attribute: str = ""
    value: str = ""
    at: datetime | None = None
    """Since when it holds, or when it was said, by the clock on the wall."""
    credibility: float = 0.5
    """0..1. What the person corrects has 1."""
    source: str = ""
    """``user``, ``message:ID``, ``document:ID`` ..."""
    status: FactStatus = "current"
    replaced_by: str = ""
    """Id of the fact that took its place."""
    reason: str = ""
    """Why it has this status: the rule that decided."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the later of two statements is to the earlier, and the rule that says so."""

    relation: Relation
    reason: str
    confidence: float = 1.0
