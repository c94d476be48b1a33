"""What a home makes of a turn before anything else is asked."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import Reading
from winnow.types.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reading of a turn, and what follows from it in this home: understood, recalled and decided, no more."""

    reading: Reading
    shortlists: tuple[HomeShortlist, ...]
    """One per query of the reading, in order."""
    verdict: Verdict
