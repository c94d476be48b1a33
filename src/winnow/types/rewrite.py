"""A question that stands alone, and where each of its words comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from winnow.types.intent import By

Style = Literal["plain", "retrieval", "written"]
"""``plain`` reads as a person would say it; ``retrieval`` adds words the talk turns on, for nobody to read;
``written`` puts spoken language into written."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of an earlier turn that was copied into the query."""

    text: str
    turn: int
    """Index into the history, oldest 0."""
    at: int
    """Where it was put: offset in the query as said."""
    replaced: str = ""
    """The words of the query it stands for (``它``, ``that one``); empty where it was only put in."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The standalone query. No content word of it is in neither the query nor the history (law 8)."""

    query: str
    changed: bool = False
    spans: tuple[Span, ...] = ()
    """Evidence: what was copied from where."""
    reason: str = ""
    """``no_history``, ``complete``, ``vague``, or the rule that wrote it."""
    confidence: float = 1.0
    by: By = "rules"
    context: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Terms that the talk turns on and the query lacks; they go into a search as ``Search.context``."""
