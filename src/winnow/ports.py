"""The outside, as the rest of Winnow sees it: protocols of one to three methods. Only ``wiring`` names what stands behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from winnow.types.catalog import Home
from winnow.types.imports import HomeInfo

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedder(Protocol):
    """Turns texts into vectors. ``name``, ``version`` and ``dimension`` are kept with every vector it made."""

    @property
    def name(self) -> str:
        """What the vectors come from: ``hashing``, ``bge-small-zh`` ..."""

    @property
    def version(self) -> str:
        """Changes whenever the same text would get another vector."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row of length 1 per text, in order: shape ``(len(texts), dimension)``."""


class Catalog(Protocol):
    """Where imported homes are kept."""

    def save_home(self, home: Home) -> int:
        """Replace the home of that id as a whole, or leave the old one untouched; its new version. Raises StoreError."""

    def load_home(self, home_id: str) -> Home:
        """The home with its version set. Raises HomeNotFound, StoreError."""

    def list_homes(self) -> tuple[HomeInfo, ...]:
        """All stored homes by id, without their contents. Raises StoreError."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> float:
        """Seconds since the epoch."""
