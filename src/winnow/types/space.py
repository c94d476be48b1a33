"""Which vectors may be compared with which, and what a text is found by among them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

Kind = Literal["question", "passage"]
"""What a text is to its embedder: some models want the two told apart by a prefix."""


@dataclass(frozen=True, slots=True)
class Space:
    """What made a vector. Vectors of different spaces are never compared, nor is one taken for another's."""

    name: str
    """Name of the embedder."""
    version: str
    dimension: int


def key_of(text: str) -> str:
    """What the vector of a text is kept under, in every space: 32 hexadecimal digits (BLAKE2b, 128 bits)."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
