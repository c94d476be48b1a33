"""Terms and postings of passages, five bytes an entry; parts are merged without sorting anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.language.gazetteer import runs
from winnow.language.normalize import normalise
from winnow.language.segment import cut

# What passages are found by: terms of content, and of Chinese the words as a dictionary cuts them.


Keys = npt.NDArray[np.uint64]
WORD_MARK = "_"
"""Stands before a Chinese word, which is another term than the same pair of characters."""
MAX_PASSAGE_CHARS = 8000
"""Characters of a passage that are read."""


def passage_terms(text: str, forms: dict[str, str] | None = None) -> list[str]:
    """Terms of content, and the Chinese words of two characters and more among them.

    ``forms`` learns the first word that each English term was made of.
    """
    return [*content_terms(text, forms), *(WORD_MARK + word for word in chinese_words(text) if len(word) > 1)]


def chinese_words(text: str) -> list[str]:
    """Its Chinese words as a dictionary cuts them, single characters among them."""
    return [word for run in runs(normalise(text, MAX_PASSAGE_CHARS))[1] for word in cut(run)]


def is_word(term: str) -> bool:
    """Whether a term is a whole Chinese word."""
    return term[:1] == WORD_MARK


def keys_of(terms: Sequence[str]) -> Keys:
    """A number of 64 bits for each term, the same on every machine."""
    digests = b"".join(
        blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest() for term in terms
    )
    return np.frombuffer(digests, np.dtype("<u8")).astype(np.uint64, copy=False)


Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
COUNT_BITS, TITLE_BIT, HEADING_BIT = 0x3F, 0x40, 0x80
"""Bits of an entry: how often the text says the term, whether the title does, whether a heading does."""


@dataclass(frozen=True, slots=True)
class TermNames:
    """Terms as text, one behind the other; English ones as the word that was read, not its core."""

    letters: Bytes
    starts: Long
    """Where each begins; one more, for the end."""

    @classmethod
    def of(cls, terms: Sequence[str]) -> TermNames:
        """These terms."""
        coded = [term.encode("utf-8", "surrogatepass") for term in terms]
        starts = starts_of(np.array([len(term) for term in coded], np.int64))
        return cls(np.frombuffer(b"".join(coded), np.uint8), starts)

    def __getitem__(self, number: int) -> str:
        """A term."""
        coded = self.letters[self.starts[number] : self.starts[number + 1]]
        return coded.tobytes().decode("utf-8", "surrogatepass")

    def select(self, numbers: Long) -> TermNames:
        """Those of these numbers."""
        lengths = np.diff(self.starts)[numbers]
        return TermNames(self.letters[_stretch_positions(self.starts[numbers], lengths)], starts_of(lengths))


@dataclass(frozen=True, slots=True)
class Entries:
    """For every term the rows that hold it, and how."""

    keys: Keys
    """Of the terms, in rising order."""
    names: TermNames
    starts: Long
    """Where each term's entries begin; one more, for the end."""
    rows: npt.NDArray[np.integer]
    entry_bits: Bytes

    @property
    def bytes(self) -> int:
        """What they take in memory."""
        arrays = (self.keys, self.names.letters, self.names.starts, self.starts, self.rows, self.entry_bits)
        return sum(array.nbytes for array in arrays)

    def numbers(self, keys: Keys) -> Long:
        """The number of each term; -1 where nothing holds it."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, at, -1)

    def frequency(self, numbers: Long) -> Long:
        """How many passages hold each term."""
        known = np.maximum(numbers, 0)
        if not len(self.keys):
            return known
        counted: Long = np.where(numbers >= 0, self.starts[known + 1] - self.starts[known], 0)
        return counted

    def of(self, number: int) -> tuple[npt.NDArray[np.integer], Bytes]:
        """The rows of a term, and how each holds it."""
        where = slice(self.starts[number], self.starts[number + 1])
        return self.rows[where], self.entry_bits[where]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PassagePart:
    """Passages by row. Never changed; one is the same as itself only."""

    segments: tuple[str, ...]
    """What it is made of."""
    sizes: tuple[int, ...]
    """Rows of each of them."""
    ids: tuple[str, ...]
    entries: Entries
    lengths: Floats
    """Of text, title and headings in terms, a character counting less: shape ``(3, size)``."""
    chinese: Floats
    """How much of each passage is Chinese, 0..1."""

    @property
    def size(self) -> int:
        """Passages, those among them that no longer are."""
        return len(self.ids)

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return self.entries.bytes + self.lengths.nbytes + self.chinese.nbytes + ID_BYTES * self.size


ID_BYTES = 90
"""Bytes of an id of a passage: the text and its place in a tuple. Measured."""


def merge_parts(parts: Sequence[PassagePart]) -> PassagePart:
    """The parts one behind the other. Their entries are put where they belong, not sorted anew."""
    if len(parts) == 1:
        return parts[0]
    return PassagePart(
        tuple(chain.from_iterable(part.segments for part in parts)),
        tuple(chain.from_iterable(part.sizes for part in parts)),
        tuple(chain.from_iterable(part.ids for part in parts)),
        _merge_entries([part.entries for part in parts], [part.size for part in parts]),
        np.concatenate([part.lengths for part in parts], axis=1),
        np.concatenate([part.chinese for part in parts]),
    )


def _merge_entries(parts: Sequence[Entries], sizes: Sequence[int]) -> Entries:
    keys, first = np.unique(np.concatenate([part.keys for part in parts]), return_index=True)
    numbers = [np.searchsorted(keys, part.keys) for part in parts]
    counts = np.zeros(len(keys), np.int64)
    for part, number in zip(parts, numbers, strict=True):
        counts[number] += np.diff(part.starts)
    starts = starts_of(counts)
    rows, held = _merged_rows(parts, numbers, starts, sizes)
    ends = np.cumsum([0, *(part.names.starts[-1] for part in parts)])
    inner_starts = [part.names.starts[:-1] + end for part, end in zip(parts, ends, strict=False)]
    joined_names = TermNames(
        np.concatenate([part.names.letters for part in parts]), np.concatenate([*inner_starts, ends[-1:]])
    )
    return Entries(keys, joined_names.select(first), starts, rows, held)


def _merged_rows(
    parts: Sequence[Entries], numbers: Sequence[Long], starts: Long, sizes: Sequence[int]
) -> tuple[Numbers, Bytes]:
    """Rows and entries of all parts, by term and within a term by part."""
    rows, held = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)
    free, behind = starts[:-1].copy(), 0
    for part, number, size in zip(parts, numbers, sizes, strict=True):
        lengths = np.diff(part.starts)
        where = _stretch_positions(free[number], lengths)
        rows[where] = part.rows
        rows[where] += behind
        held[where] = part.entry_bits
        free[number] += lengths
        behind += size
    return rows, held


def starts_of(lengths: npt.NDArray[np.signedinteger]) -> Long:
    """Where stretches of these lengths begin, one behind the other, and where the last one ends."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def _stretch_positions(starts: Long, lengths: Long) -> Long:
    """All places of stretches that begin at ``starts`` and have these lengths."""
    ends = np.cumsum(lengths)
    if not len(ends):
        return np.zeros(0, np.int64)
    places: Long = np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1])
    return places
