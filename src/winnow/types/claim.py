"""Texts that somebody is having embedded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """A batch that was announced before it was sent: whoever else needs one of its texts leaves it alone.

    When its time is over, its answer never came: it is sent again as it was, in the same order, so that a
    server that knows the batch need not work for it a second time.
    """

    batch: str
    """Its id."""
    keys: tuple[str, ...]
    """Its texts in their order, by ``key_of``."""
    until: float
    """Seconds since the epoch when its request must have ended."""
