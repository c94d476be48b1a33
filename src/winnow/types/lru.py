"""A mapping that forgets what was used longest ago.

It lies below all rooms because stores, models, retrieval and the engine each remember a bounded number of
things.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from math import inf
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """At most ``most`` values, which take ``most_bytes`` together; safe in threads.

    ``size_of``: bytes of a value. ``grows``: values may take more while they are held, so that all
    of them are measured whenever one is put.
    """

    def __init__(
        self,
        most: int,
        most_bytes: float = inf,
        size_of: Callable[[V], int] = lambda _: 0,
        *,
        grows: bool = False,
    ) -> None:
        self.most, self.most_bytes = most, most_bytes
        self._size_of, self._grows = size_of, grows
        self._values: OrderedDict[K, V] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __len__(self) -> int:
        """How many are held."""
        return len(self._values)

    def __contains__(self, key: K) -> bool:
        """Whether the key has a value; this does not count as use."""
        return key in self._values

    def __repr__(self) -> str:
        """All that is held."""
        return f"LruCache({self.items()!r})"

    @property
    def bytes(self) -> int:
        """About what the values take together."""
        with self._lock:
            return self._measure() if self._grows else self._bytes

    def items(self) -> tuple[tuple[K, V], ...]:
        """Keys and values, the one used last at the end."""
        with self._lock:
            return tuple(self._values.items())

    def values(self) -> tuple[V, ...]:
        """All values, the one used last at the end."""
        with self._lock:
            return tuple(self._values.values())

    def get(self, key: K) -> V | None:
        """The value, which is now the one used last."""
        with self._lock:
            if (value := self._values.get(key)) is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> int:
        """Hold the value, and let go of those used longest ago: how many. The newest one always stays."""
        with self._lock:
            self._remove(key)
            self._values[key] = value
            self._bytes = self._measure() if self._grows else self._bytes + self._size_of(value)
            before = len(self._values)
            while len(self._values) > 1 and (len(self._values) > self.most or self._bytes > self.most_bytes):
                self._remove(next(iter(self._values)))
            return before - len(self._values)

    def pop(self, key: K) -> V | None:
        """The value, which is no longer held."""
        with self._lock:
            return self._remove(key)

    def drop(self, is_gone: Callable[[K, V], bool]) -> None:
        """Let go of the entries for which ``is_gone`` holds."""
        with self._lock:
            for key in [key for key, value in self._values.items() if is_gone(key, value)]:
                self._remove(key)

    def clear(self) -> None:
        """Let go of all."""
        with self._lock:
            self._values.clear()
            self._bytes = 0

    def _remove(self, key: K) -> V | None:
        if (value := self._values.pop(key, None)) is not None:
            self._bytes -= self._size_of(value)
        return value

    def _measure(self) -> int:
        return sum(map(self._size_of, self._values.values()))


def clear_text_caches() -> None:
    """Empty the caches of functions over texts: all that hold more than one value and are bounded."""
    for name, module in list(sys.modules.items()):
        if name.startswith("winnow."):
            for function in list(vars(module).values()):
                parameters = getattr(function, "cache_parameters", None)
                if parameters is not None and (parameters()["maxsize"] or 0) > 1:
                    function.cache_clear()
