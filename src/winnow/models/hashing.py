"""An embedder that needs no model, of hashed character n-grams: words in common, never meaning in common."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log1p

import numpy as np
import numpy.typing as npt

from winnow.language.ngrams import runs, stem
from winnow.language.normalise import normalise

_HAN_WEIGHT = {1: 0.4, 2: 1.0}
_WORD_WEIGHT = 1.0
_TRIGRAM_WEIGHT = 0.35


@lru_cache(maxsize=65536)
def _hash(feature: str) -> int:
    return zlib.crc32(feature.encode("utf-8", "surrogatepass"))


class HashingEmbedder:
    """Texts -> unit vectors of ``dimension`` floats; the same text gets the same vector in every process.

    Chinese character uni- and bigrams, English stems and their trigrams, each counted sublinearly, signed to
    keep collisions fair.
    """

    name = "hashing-ngram"
    version = "1"
    alike = None
    """Its cosines tell of spelling only."""

    def __init__(self, dimension: int = 256) -> None:
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row of length 1 per text, zeros for one without words: shape ``(len(texts), dimension)``."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for number, text in enumerate(texts):
            counts = _features(normalise(text))
            row = rows[number]
            if counts:
                hashes = [_hash(f) for f, _ in counts]
                weights = [
                    w * log1p(n) if h & 1 else -w * log1p(n)
                    for ((_, w), n), h in zip(counts.items(), hashes, strict=True)
                ]
                row += np.bincount([(h >> 1) % self.dimension for h in hashes], weights, self.dimension)
                length = float(np.sqrt(row @ row))
                if length:
                    row /= length
        return rows


def _features(text: str) -> Counter[tuple[str, float]]:
    """Feature and weight -> how often."""
    words, han = runs(text)
    found: list[tuple[str, float]] = []
    for run in han:
        found += [(c, _HAN_WEIGHT[1]) for c in run]
        found += [(run[i : i + 2], _HAN_WEIGHT[2]) for i in range(len(run) - 1)]
    for word in map(stem, words):
        padded = f"#{word}#"
        found.append((word + "#", _WORD_WEIGHT))
        found += [(padded[i : i + 3], _TRIGRAM_WEIGHT) for i in range(len(padded) - 2)]
    return Counter(found)
