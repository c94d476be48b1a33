"""Embedders in this process, without a network: a small semantic one, and one of hashed n-grams.

The semantic table has one vector for each word, character and pair of neighbours, summed. It was trained by
``training/embedder``; what it knows, what it was made of and how good it is stands in docs/embedder.md.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise, repeat
from math import log1p
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.errors import TableError
from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import normalise

# An embedder that needs no model, of hashed character n-grams: words in common, never meaning in common.

_HAN_WEIGHT = {1: 0.4, 2: 1.0}
_WORD_WEIGHT = 1.0
_TRIGRAM_WEIGHT = 0.35


@lru_cache(maxsize=65536)
def _hash(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass"))


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
            counts = _hashed_features(normalise(text))
            if counts:
                hashes = [_hash(f) for f, _ in counts]
                weights = [
                    w * log1p(n) if h & 1 else -w * log1p(n)
                    for ((_, w), n), h in zip(counts.items(), hashes, strict=True)
                ]
                row = rows[number]
                row += np.bincount([(h >> 1) % self.dimension for h in hashes], weights, self.dimension)
                row /= float(np.sqrt(row @ row)) or 1.0
        return rows


def _hashed_features(text: str) -> Counter[tuple[str, float]]:
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


# Rows of numbers brought to length 1, as the port ``Embedder`` promises them.

FloatRows = npt.NDArray[np.float32]


def unit_rows(found: FloatRows) -> FloatRows:
    """Every row divided by its length; a row of zeros stays one."""
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    units: FloatRows = np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)
    return units


TABLE_FOLDER = Path(__file__).with_name("data")
"""Where the package keeps the table."""
TABLE_FILES = ("static.json", "static.txt", "static.npy", "static.scales.npy")
"""Its files: about it, its pieces a line each, its rows of 8-bit numbers, and the scale of each row."""
MAX_TEXT_CHARS = 8000
"""Characters of a text that are read."""
SUBWORD_LENGTHS = (3, 4, 5)
"""Lengths of the pieces of a word that the table does not know."""
_BLOCK = 16_384
"""Rows that are summed at once."""


def text_pieces(text: str) -> tuple[list[str], list[str]]:
    """What a text is made of: the stems of its Latin words, and all its other pieces.

    These are pairs of stems, Chinese characters, and pairs and triples of characters.
    """
    words, han = runs(normalise(text, MAX_TEXT_CHARS))
    stems = [stem(word) for word in words]
    others = [f"{a} {b}" for a, b in pairwise(stems)]
    for run in han:
        others += run
        others += [run[i : i + 2] for i in range(len(run) - 1)]
        others += [run[i : i + 3] for i in range(len(run) - 2)]
    return stems, others


def subword_buckets(word: str, buckets: int) -> list[int]:
    """The buckets of an unknown word's pieces: numbers from 0 to ``buckets`` - 1."""
    padded = f"<{word}>".encode("utf-8", "surrogatepass")
    return [crc32(padded[i : i + n]) % buckets for n in SUBWORD_LENGTHS for i in range(len(padded) - n + 1)]


def table_rows(text: str, vocabulary: Mapping[str, int], buckets: int) -> list[int]:
    """The rows a text adds up: its known pieces, and for unknown words the buckets behind the vocabulary."""
    stems, others = text_pieces(text)
    found: list[int] = []
    for word in stems:
        row = vocabulary.get(word)
        if row is None:
            found += [len(vocabulary) + bucket for bucket in subword_buckets(word, buckets)]
        else:
            found.append(row)
    return found + [vocabulary[piece] for piece in others if piece in vocabulary]


@lru_cache(maxsize=1)
def _vocabulary(words: Path, _written: int) -> Mapping[str, int]:
    """The row of each piece; engines of one process read the file once for as long as nobody writes it."""
    return {piece: row for row, piece in enumerate(words.read_text("utf-8").split("\n"))}


class StaticEmbedder:
    """Texts -> unit vectors; paraphrases and translations come near.

    ``folder`` holds the table; its numbers stay on disk, mapped into memory. Safe in threads, since nothing
    changes after loading; two of one table are equal. Raises TableError when it is absent or damaged.
    """

    name = "static-zh-en"
    alike = 0.6
    """Measured by ``benchmarks/nearness.py``."""

    def __init__(self, folder: Path = TABLE_FOLDER) -> None:
        self.files = tuple(folder / name for name in TABLE_FILES)
        try:
            self._load(*self.files)
        except (OSError, ValueError, KeyError) as error:
            raise TableError(folder, str(error)) from error
        rows = len(self._vocabulary) + self._buckets
        if self._table.shape != (rows, self.dimension) or len(self._scales) != rows:
            raise TableError(folder, "its files are not of one size")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._written == self._written

    def __hash__(self) -> int:
        return hash(self._written)

    def _load(self, card: Path, words: Path, table: Path, scales: Path) -> None:
        about = json.loads(card.read_text("utf-8"))
        self.version = str(about["version"])
        self.dimension, self._buckets = int(about["dimension"]), int(about["buckets"])
        self._written = self.files, *(file.stat().st_mtime_ns for file in self.files)
        self._vocabulary = _vocabulary(words, words.stat().st_mtime_ns)
        self._table = np.asarray(np.load(table, mmap_mode="r"))
        self._scales = np.load(scales)[:, None]

    def embed(self, texts: Sequence[str]) -> FloatRows:
        """A row of length 1 per text, zeros where nothing is known: shape ``(len(texts), dimension)``."""
        out = np.zeros((len(texts), self.dimension), np.float32)
        rows: dict[int, list[int]] = {}
        size = 0
        for number, text in enumerate(texts):
            found = table_rows(text, self._vocabulary, self._buckets)
            if found:
                rows[number] = found
                size += len(found)
            if size >= _BLOCK:
                out[list(rows)] = self._sums(list(rows.values()))
                rows, size = {}, 0
        if rows:
            out[list(rows)] = self._sums(list(rows.values()))
        return out

    def words(self, words: Sequence[str]) -> FloatRows:
        """A row of length 1 for each stem, Chinese character or pair of them; zeros for what is unknown.

        Much quicker than ``embed`` for single words: nothing is read but the table.
        """
        rows = np.fromiter(map(self._vocabulary.get, words, repeat(-1)), np.intp, len(words))
        found = self._table[rows].astype(np.float32)  # -1 gives the last row, which is made zeros below
        lengths = np.sqrt(np.einsum("ij,ij->i", found, found))
        lengths[(rows < 0) | (lengths == 0)] = np.inf
        found /= lengths[:, None]
        return found

    def _sums(self, rows: Sequence[Sequence[int]]) -> FloatRows:
        """The sum of each list of rows, of length 1."""
        flat = np.fromiter(chain.from_iterable(rows), np.intp)
        starts = np.cumsum([0, *map(len, rows[:-1])])
        return unit_rows(np.add.reduceat(self._table[flat] * self._scales[flat], starts, axis=0))
