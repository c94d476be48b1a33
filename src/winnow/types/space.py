"""Which vectors may be compared with which."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Space:
    """What made a vector. Vectors of different spaces are never compared, nor is one taken for another's."""

    name: str
    """Name of the embedder."""
    version: str
    dimension: int
