"""How much of a home is offered for one query."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The sizes of a shortlist. A set keeps every member, whatever they say (law 5)."""

    devices: int = 24
    """Devices, where not every one of them fits every word."""
    commands: int = 4
    """Commands of each of them."""
    near: int = 3
    """Things named that are only near in meaning."""
