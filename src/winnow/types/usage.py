"""What a person uses: for ranking among equals, never to leave anything out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Usage:
    """Device id -> how often one person used it, and when last (seconds since the epoch).

    Devices never used are missing.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    last_used: Mapping[str, float] = field(default_factory=dict)
    preferred: Mapping[str, int] = field(default_factory=dict)
    """Device id -> how much the person would rather have it meant, where the words say no more of another."""

    def order(self, device_id: str) -> tuple[int, int, float]:
        """What puts one device before another that is otherwise equal; the greater comes first."""
        liked, used = self.preferred.get(device_id, 0), self.counts.get(device_id, 0)
        return liked, used, self.last_used.get(device_id, 0.0)
