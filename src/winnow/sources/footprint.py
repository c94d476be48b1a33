"""What an indexed history takes in memory, by looking at what it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from sys import getsizeof
from typing import Any

import numpy as np

from winnow.types.message import Message

ENTRY = 130
"""Bytes of an entry of a dictionary of short texts: its places, the text, a number. Measured."""
MESSAGE = 330
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
        return sum(MESSAGE + getsizeof(held.content) for held in part if isinstance(held, Message))
    return getsizeof(part) + ENTRY * len(part)
