"""What somebody said in an earlier talk, as a host application keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a person's history. Its text is kept as it was said and never compressed."""

    id: str
    role: str
    """Who said it: ``user``, ``assistant``, or a name where a log has names."""
    content: str
    at: datetime | None = None
    """When, by the clock on the person's wall: without a time zone. None: nobody knows."""
    conversation: str = ""
    """The talk it belongs to, where the host tells; empty: gaps in time tell."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a person's history looked like at one moment, cheap to read: another stamp, other messages.

    ``mark`` stands for all that can change without a change of the number: the newest, edits, deletions.
    """

    count: int
    mark: str = ""
