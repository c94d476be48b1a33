"""A cache with limits on number and bytes, and how much memory an indexed history takes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from sys import getsizeof
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from winnow.types.message import Message

# What an indexed history takes in memory, by looking at what it is made of.


ENTRY_BYTES = 130
"""Bytes of an entry of a dictionary of short texts: its places, the text, a number. Measured."""
MESSAGE_BYTES = 330
"""Bytes of a message beside its text: the object, its id, time and conversation. Measured."""


def footprint(value: object) -> int:
    """Bytes of a value of dataclasses, arrays, dictionaries and messages; what they share counts once.

    What is none of these (the embedder of an index) is taken to be there anyway.
    """
    parts = {id(part): part for part in _parts(value)}
    return sum(map(_bytes, parts.values()))


def _parts(value: object) -> Iterator[object]:
    """The value and all it holds that has a size of its own."""
    if isinstance(value, Mapping):
        yield value
        for held in value.values():
            if not isinstance(held, str | int):
                yield from _parts(held)
    elif isinstance(value, np.ndarray | tuple):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from _parts(getattr(value, field.name))


def _bytes(part: Any) -> int:
    if isinstance(part, np.ndarray):
        return getsizeof(part) if part.base is None else getsizeof(part) + part.nbytes
    if isinstance(part, tuple):
        return sum(MESSAGE_BYTES + getsizeof(held.content) for held in part if isinstance(held, Message))
    return getsizeof(part) + ENTRY_BYTES * len(part)


class Sized(Protocol):
    """Something of a known size."""

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""


CacheKey = TypeVar("CacheKey", bound=Hashable)
CacheValue = TypeVar("CacheValue", bound=Sized)


class LruCache(Generic[CacheKey, CacheValue]):
    """Values by key, those asked for last; at most ``most``, which take ``most_bytes`` together.

    Safe in threads.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self.most_bytes = most, most_bytes
        self._values: OrderedDict[CacheKey, CacheValue] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many are held."""
        return len(self._values)

    def values(self) -> tuple[CacheValue, ...]:
        """All that are held, the one asked for last at the end."""
        with self._lock:
            return tuple(self._values.values())

    @property
    def bytes(self) -> int:
        """About what they take together."""
        with self._lock:
            return sum(value.bytes for value in self._values.values())

    def get(self, key: CacheKey) -> CacheValue | None:
        """The value, which is now the one asked for last."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def drop(self, is_gone: Callable[[CacheKey], bool]) -> None:
        """Let go of those whose key that holds for."""
        with self._lock:
            for key in [key for key in self._values if is_gone(key)]:
                del self._values[key]

    def put(self, key: CacheKey, value: CacheValue) -> None:
        """Hold it, and let go of those that were not asked for the longest. The newest one always stays."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            size = sum(held.bytes for held in self._values.values())
            while len(self._values) > 1 and (len(self._values) > self._most or size > self.most_bytes):
                size -= self._values.popitem(last=False)[1].bytes
