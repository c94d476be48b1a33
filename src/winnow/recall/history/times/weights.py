"""How strongly a time narrows a search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeWeights:
    """Measured on development questions that name a time; see docs/decisions/0039."""

    said: float = 0.8
    """What the day counts that a message was said on; a day that it tells of counts 1."""
    other_year: float = 0.8
    """What a day of no year counts in the years before and after the nearest."""
    long: float = 0.5
    """Power of the share of a told stretch that lies in the time asked for: 0 minds no long stretches."""
    near: float = 0.4
    """What a message counts that lies right beside the time asked for."""
    before: float = 14.0
    """Days after which that has fallen by e, for what was before the time asked for."""
    after: float = 10.0
    """The same for what was after: things are told when they are over."""
