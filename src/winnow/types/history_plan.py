"""How a history had better be searched, and what that was concluded from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnow.errors import Problem
from winnow.types.history import HistorySettings
from winnow.types.host_report import Advice
from winnow.types.shortlist import Step


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found where messages are kept."""

    settings: HistorySettings
    """As it is configured, or as it seems meant; its ``host`` is the table that was looked at."""
    counts: Mapping[str, int]
    """User -> number of messages."""
    vectors: str = ""
    """Type of the column of vectors, such as ``vector(1536)``; empty: there is none."""
    problems: tuple[Problem, ...] = ()
    """What stands in the way of reading it."""
    advice: tuple[Advice, ...] = ()
    others: tuple[str, ...] = ()
    """Other tables that look as if they held messages."""


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """What is advised: settings, and each step of the decision with its reason."""

    settings: HistorySettings
    steps: tuple[Step, ...]
    advice: tuple[Advice, ...] = ()
