"""What the reader of an export of messages tells, and what an import of one did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from winnow.types.catalog import Note

Read = Callable[[int, int], None]
"""Told now and then how far a reader is: bytes read, and bytes in all (0: nobody knows)."""


@dataclass(frozen=True, slots=True)
class MessagesReport:
    """What an import of messages kept, and what it did not."""

    user: str
    found: int = 0
    """Messages in the export."""
    added: int = 0
    """Those that were not there before."""
    total: int = 0
    """Messages of the user now."""
    notes: tuple[Note, ...] = ()
    """What was left out or could not be read, each with its place in the file."""
