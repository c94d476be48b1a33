"""What is kept of every act, for whoever asks later who did what."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.receipt import Outcome


@dataclass(frozen=True, slots=True)
class Record:
    """One act: when (seconds since the epoch), for whom, and what came of each call."""

    at: float
    user: str
    outcomes: tuple[Outcome, ...]
    retrieval_id: str = ""
    """The retrieval that led to it; empty when an agent made up the calls."""
