"""What a look at a host's database told: whether its table can be read as mapped, and which may be meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.errors import Problem
from winnow.types.history import HostTable


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that would make a table quicker or safer to read; ``sql`` is what its owner may run."""

    text: str
    sql: str = ""


@dataclass(frozen=True, slots=True)
class HostReport:
    """What stands in the way of reading a table as it is mapped, all of it at once."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Name -> type, as the database calls it; empty: the table is not there."""
    problems: tuple[Problem, ...] = ()
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True, slots=True)
class LikelyTable:
    """A table that looks as if it held messages, with the columns that seem meant."""

    table: HostTable
    score: float
    """0 to 1: how much of what a table of messages needs was found."""
    missing: tuple[str, ...] = ()
    """Fields of ``Columns`` nothing was found for, though they are needed."""
    advice: tuple[Advice, ...] = ()
