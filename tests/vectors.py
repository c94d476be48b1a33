"""What vectors come from and where they are kept, for tests: dictionaries that can be damaged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from winnow.adapters.stores.connection import MEMORY
from winnow.adapters.stores.database import Database
from winnow.adapters.stores.vectors import VectorTable
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreBusy, StoreError
from winnow.types.scope import Scope
from winnow.types.vector import Space

Floats = npt.NDArray[np.float32]


class CountingEmbedder:
    """Tells texts apart, remembers every batch it was given, and fails where it is told to."""

    alike = None
    version = "1"

    def __init__(self, name: str = "counting", dimension: int = 4) -> None:
        self.name, self.dimension = name, dimension
        self.batches: list[list[str]] = []
        self.before: Callable[[Sequence[str]], None] = lambda texts: None
        """Called with each batch, in its thread."""
        self._lock = Lock()

    @property
    def texts(self) -> list[str]:
        """All texts, as they came."""
        return [text for batch in self.batches for text in batch]

    def embed(self, texts: Sequence[str]) -> Floats:
        """A row of length 1 per text."""
        with self._lock:
            self.batches.append(list(texts))
        self.before(texts)
        rows = np.ones((len(texts), self.dimension), np.float32)
        rows[:, 0] = [sum(map(ord, text)) for text in texts]
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Damageable(VectorTable):
    """Vectors of one process; ``damaged`` keys are read as None, ``shut`` it takes none, ``busy`` times not
    now."""

    def __init__(self) -> None:
        super().__init__(Database(MEMORY), FrozenClock())
        self.damaged: set[str] = set()
        self.shut, self.busy = False, 0

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats | None]:
        """Those that are there; None for one that is damaged."""
        found = await super().get(scope, space, keys)
        return {key: None if key in self.damaged else row for key, row in found.items()}

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Keep these, unless it is shut."""
        if self.shut:
            raise StoreError("full")
        if self.busy:
            self.busy -= 1
            raise StoreBusy("not now")
        self.damaged -= set(vectors)
        await super().put(scope, space, vectors)
