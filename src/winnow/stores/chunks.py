"""Many rows, some at a time: a statement has only so many parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
CHUNK = 500


def chunks(items: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """The items in order, at most ``size`` at a time."""
    left = iter(items)
    while part := list(islice(left, size)):
        yield part
