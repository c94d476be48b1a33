"""BM25: how much a term tells, and what saying it often in a long text counts for."""

from __future__ import annotations

from math import log
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character

K1 = 1.2
"""How fast repeating a word stops helping."""
B = 0.4
"""How much a long document is discounted, 0 to 1; low, since names and commands are all short."""
UNIGRAM_WEIGHT = 0.35
"""Weight of a single Chinese character against a pair of them."""

Array = npt.NDArray[Any]


def term_weight(term: str) -> float:
    """How much a term counts whatever its rarity: a single Chinese character little."""
    return UNIGRAM_WEIGHT if is_character(term) else 1.0


@overload
def inverse_frequency(size: int, frequency: int) -> float: ...
@overload
def inverse_frequency(size: int, frequency: npt.NDArray[np.signedinteger]) -> npt.NDArray[np.float64]: ...
def inverse_frequency(
    size: int, frequency: int | npt.NDArray[np.signedinteger]
) -> float | npt.NDArray[np.float64]:
    """How much a term tells that so many of ``size`` documents hold: its inverse document frequency."""
    odds = 1 + (size - frequency + 0.5) / (frequency + 0.5)
    return log(odds) if isinstance(odds, float) else np.log(odds)


@overload
def saturation(times: int, lengths: float, mean: float, k1: float = K1, b: float = B) -> float: ...
@overload
def saturation(times: Array, lengths: Array, mean: float, k1: float = K1, b: float = B) -> Array: ...
def saturation(
    times: int | Array, lengths: float | Array, mean: float, k1: float = K1, b: float = B
) -> float | Array:
    """What saying a term so often counts for in documents of these lengths, 0 to ``k1 + 1``."""
    return times * (k1 + 1) / (times + k1 * (1 - b + b * lengths / (mean or 1.0)))
