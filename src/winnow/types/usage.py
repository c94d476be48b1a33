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
