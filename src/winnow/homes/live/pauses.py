"""How long to wait before a server is tried again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

Chance = Callable[[], float]
"""A number from 0 to 1."""


@dataclass(slots=True)
class Pauses:
    """Twice as long each time, up to ``longest`` seconds; half of each is chance.

    Chance keeps many clients of a server that restarts from coming back all at once.
    """

    first: float = 0.5
    longest: float = 30.0
    chance: Chance = random.random
    taken: int = 0

    def next(self, asked: float = 0.0) -> float:
        """Seconds to wait now, at least what the server ``asked`` for."""
        pause: float = min(self.longest, self.first * 2 ** min(self.taken, 30))
        self.taken += 1
        return max(pause * (0.5 + self.chance() / 2), asked)

    def over(self) -> None:
        """It went well: the next pause is the first one again."""
        self.taken = 0
