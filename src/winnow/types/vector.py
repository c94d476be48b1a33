"""Vector spaces, claims on texts being embedded, and counts of a vector cache."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Literal

MIN_HIT_RATE = 0.5
"""Hit rate below which a cache wants something done about it (seed 003)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted of passages, each by text, and of questions. Two tallies add up."""

    asked: int = 0
    """Passages whose vectors were asked for."""
    memory: int = 0
    """Of these: found in memory."""
    store: int = 0
    """Found in the store."""
    joined: int = 0
    """Being embedded for somebody else at that moment, and shared."""
    made: int = 0
    """Embedded."""
    damaged: int = 0
    """Of the embedded ones: their stored vector was damaged."""
    unkept: int = 0
    """Embedded, but the store did not take the vector."""
    calls: int = 0
    """Batches given to the embedder, questions included."""
    failed: int = 0
    """Batches it failed at."""
    questions: int = 0
    """Questions, which only memory keeps."""
    evicted: int = 0
    """Vectors that had to leave the memory for others."""

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(getattr(self, name) + getattr(other, name) for name in TALLY_FIELDS))

    @property
    def hit_rate(self) -> float | None:
        """Share of the passages that needed no model, 0 to 1; None before anything was asked."""
        return (self.memory + self.store + self.joined) / self.asked if self.asked else None


TALLY_FIELDS = tuple(f.name for f in fields(Tally))
"""What a tally counts."""


@dataclass(frozen=True, slots=True)
class CacheReport:
    """A cache at one moment."""

    model: str
    version: str
    dimension: int
    """Numbers of a vector; 0 before the first one."""
    tally: Tally
    entries: int
    """Vectors in memory."""
    size: int
    """Bytes they take, with what finding them takes."""
    most_entries: int
    most_bytes: int
    stored: bool
    """Whether vectors outlive the process."""


# Texts that somebody is having embedded.


@dataclass(frozen=True, slots=True)
class Claim:
    """A batch that was announced before it was sent: whoever else needs one of its texts leaves it alone.

    When its time is over, its answer never came: it is sent again as it was, in the same order, so that a
    server that knows the batch need not work for it a second time.
    """

    batch: str
    """Its id."""
    keys: tuple[str, ...]
    """Its texts in their order, by ``text_key``."""
    until: float
    """Seconds since the epoch when its request must have ended."""


# Which vectors may be compared with which, and what a text is found by among them.


TextKind = Literal["question", "passage"]
"""What a text is to its embedder: some models want the two told apart by a prefix."""


@dataclass(frozen=True, slots=True)
class Space:
    """What made a vector. Vectors of different spaces are never compared, nor is one taken for another's."""

    name: str
    """Name of the embedder."""
    version: str
    dimension: int


def text_key(text: str) -> str:
    """What the vector of a text is kept under, in every space: 32 hexadecimal digits (BLAKE2b, 128 bits)."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
