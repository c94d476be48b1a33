"""What vectors come from and where they are kept, for tests: dictionaries that can be damaged."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from winnow.errors import StoreError
from winnow.types.scope import Scope
from winnow.types.space import Space

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


class KeptInMemory:
    """The port ``Vectors`` over a dictionary; ``damaged`` keys are read as None, ``shut`` takes none."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, Space, str], Floats] = {}
        self.damaged: set[str] = set()
        self.shut = False

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats | None]:
        held = await self.held(scope, space, keys)
        return {k: None if k in self.damaged else self.rows[scope.tenant, space, k] for k in held}

    async def held(self, scope: Scope, space: Space, keys: Sequence[str]) -> Collection[str]:
        return [key for key in keys if (scope.tenant, space, key) in self.rows]

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        if self.shut:
            raise StoreError("full")
        self.damaged -= set(vectors)
        self.rows |= {(scope.tenant, space, key): np.array(row) for key, row in vectors.items()}

    async def forget(self, scope: Scope, keys: Collection[str] | None = None) -> int:
        gone = [k for k in self.rows if k[0] == scope.tenant and (keys is None or k[2] in keys)]
        for key in gone:
            del self.rows[key]
        return len(gone)

    async def spaces(self, scope: Scope) -> Mapping[Space, int]:
        ours = [space for tenant, space, _ in self.rows if tenant == scope.tenant]
        return {space: ours.count(space) for space in ours}

    async def keys(self, scope: Scope, space: Space, size: int = 10_000) -> AsyncIterator[Sequence[str]]:
        ours = [key for tenant, found, key in self.rows if (tenant, found) == (scope.tenant, space)]
        for n in range(0, len(ours), size):
            yield ours[n : n + size]
