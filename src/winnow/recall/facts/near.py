"""How near the words of two statements are to each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from winnow.ports import Embedder

if TYPE_CHECKING:
    from winnow.ports.vectors import Floats

MOST = 60
"""Words of a statement that are compared."""


@lru_cache(maxsize=32768)
def _kept(table: Any, text: str) -> Any:
    """The vector of a word or a text, made once; an embedder is known by which one it is."""
    return table.embed([text])[0]


def _vector(table: Any, text: str) -> Any:
    return _kept(table, text)


def _rows(table: Embedder, texts: tuple[str, ...]) -> Floats:
    return np.array([_vector(table, text) for text in texts], np.float32)


def cosine(table: Embedder, one: str, other: str) -> float:
    """How near two texts are as a whole."""
    return float(_vector(table, one) @ _vector(table, other))


def cosines(table: Embedder, one: str, others: Sequence[str]) -> Floats:
    """How near each of the others is to a text as a whole."""
    if not others:
        return np.zeros(0, np.float32)
    return np.asarray(_rows(table, tuple(others)) @ _vector(table, one))


def covered(table: Embedder, words: tuple[str, ...], by: tuple[str, ...]) -> Floats:
    """For each word how near the nearest of the others comes, 1 for the same; empty where there is none."""
    words, by = words[:MOST], by[:MOST]
    if not words or not by:
        return np.zeros(len(words), np.float32)
    near = _rows(table, words) @ _rows(table, by).T
    for row, word in enumerate(words):
        if any(_contains(word, other) for other in by):
            near[row] = 1.0
    return np.asarray(near.max(1))


def nearest(table: Embedder, words: tuple[str, ...], others: tuple[str, ...]) -> float:
    """How near the nearest two of them are; 0 where one side has none."""
    if not words or not others:
        return 0.0
    return float((_rows(table, words[:MOST]) @ _rows(table, others[:MOST]).T).max())


def _contains(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) > 1 and (word in other or other in word))
