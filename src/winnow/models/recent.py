"""Vectors in memory: those used last stay, by their number and by the bytes they take."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from winnow.models.units import Floats

ENTRIES = 100_000
BYTES = 256 * 1024 * 1024
OVERHEAD = 330
"""Bytes of an entry beside its numbers: the array, the key and their places. Measured by tracemalloc."""

Key = tuple[str, str]
"""Tenant and text."""


class Recent:
    """At most ``entries`` vectors and ``size`` bytes; whoever shares one among threads takes turns."""

    def __init__(self, entries: int = ENTRIES, size: int = BYTES) -> None:
        self.most_entries, self.most_bytes = entries, size
        self.size = 0
        self._rows: OrderedDict[Key, Floats] = OrderedDict()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._rows)

    def get(self, key: Key) -> Floats | None:
        """The vector, which is now the one used last."""
        row = self._rows.get(key)
        if row is not None:
            self._rows.move_to_end(key)
        return row

    def those(self, tenant: str, keys: Iterable[str]) -> dict[str, Floats]:
        """The tenant's vectors of these keys, as far as they are here."""
        rows = ((key, self.get((tenant, key))) for key in keys)
        return {key: row for key, row in rows if row is not None}

    def put(self, rows: Iterable[tuple[Key, Floats]]) -> int:
        """Keep these; those that were not used for longest have to leave: how many."""
        for key, row in rows:
            self._drop(key)
            self._rows[key] = row
            self.size += row.nbytes + OVERHEAD
        evicted = 0
        while self._rows and (len(self._rows) > self.most_entries or self.size > self.most_bytes):
            self._drop(next(iter(self._rows)))
            evicted += 1
        return evicted

    def clear(self) -> None:
        """Forget all."""
        self._rows.clear()
        self.size = 0

    def _drop(self, key: Key) -> None:
        row = self._rows.pop(key, None)
        if row is not None:
            self.size -= row.nbytes + OVERHEAD
