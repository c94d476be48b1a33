"""What was opened last, held for whoever asks again, within limits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """Something of a known size."""

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""


K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Sized)


class Held(Generic[K, V]):
    """Values by key, those asked for last; at most ``most``, which take ``most_bytes`` together.

    Safe in threads.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self.most_bytes = most, most_bytes
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many are held."""
        return len(self._values)

    def values(self) -> tuple[V, ...]:
        """All that are held, the one asked for last at the end."""
        with self._lock:
            return tuple(self._values.values())

    @property
    def bytes(self) -> int:
        """About what they take together."""
        with self._lock:
            return sum(value.bytes for value in self._values.values())

    def taken(self, key: K) -> V | None:
        """The value, which is now the one asked for last."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def drop(self, is_gone: Callable[[K], bool]) -> None:
        """Let go of those whose key that holds for."""
        with self._lock:
            for key in [key for key in self._values if is_gone(key)]:
                del self._values[key]

    def keep(self, key: K, value: V) -> None:
        """Hold it, and let go of those that were not asked for the longest. The newest one always stays."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            size = sum(held.bytes for held in self._values.values())
            while len(self._values) > 1 and (len(self._values) > self._most or size > self.most_bytes):
                size -= self._values.popitem(last=False)[1].bytes
