"""Which terms each piece of text holds, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
import numpy.typing as npt

from winnow.language.content import is_character, terms_in
from winnow.language.normalise import normalise

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.intp]
_BETWEEN = "\u23ce"
"""A sign that no text needs and normalising leaves alone: all texts are normalised in one go."""
LARGEST = 20_000_000
"""Numbers of the largest table that is made: a text of about 200,000 characters needs as many."""
CHARACTER = 0.35
"""What a single Chinese character tells against a pair of them."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of many texts, each occurrence a row of ``held`` and ``texts``."""

    known: dict[str, int]
    """Terms have numbers, in order of their first occurrence."""
    forms: dict[str, str]
    """The first word that each English term was made of."""
    held: Numbers
    texts: Numbers
    size: int
    """Texts."""

    @property
    def lengths(self) -> Numbers:
        """Terms of each text."""
        return np.bincount(self.texts, minlength=self.size)

    def times(self, asked: Sequence[str]) -> Floats:
        """How often each text holds each of these terms: shape ``(size, len(asked))``."""
        column = np.full(len(self.known) + 1, len(asked), np.intp)
        column[[self.known.get(term, -1) for term in asked]] = np.arange(len(asked))
        column[-1] = width = len(asked)  # where terms that no text holds were written
        counts = np.bincount(self.texts * (width + 1) + column[self.held], minlength=self.size * (width + 1))
        return counts.reshape(self.size, width + 1)[:, :-1].astype(np.float32)

    def best(self, rows: Floats) -> Floats:
        """Of what every term has, the greatest of each text's terms: shape ``(size, columns)``."""
        found = np.zeros((self.size, rows.shape[1]), np.float32)
        starts = np.flatnonzero(np.diff(self.texts, prepend=-1))
        if len(starts):
            found[self.texts[starts]] = np.maximum.reduceat(rows[self.held], starts)
        return found

    def holding(self, groups: Numbers, number: int) -> Floats:
        """How often each group of texts holds each term: shape ``(number, terms)``.

        No terms where that would be too large a table: then nobody looks for repetitions or likeness.
        """
        width = len(self.known) if number * len(self.known) <= LARGEST else 0
        if not width:
            return np.zeros((number, 0), np.float32)
        counts = np.bincount(groups[self.texts] * width + self.held, minlength=number * width)
        return counts.reshape(number, width).astype(np.float32)


def terms_of(texts: Sequence[str]) -> Terms:
    """The content terms of each text."""
    forms: dict[str, str] = {}
    together = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in texts)
    found = normalise(together, 2 * len(together)).split(_BETWEEN)
    held = [terms_in(text, forms) for text in found + [""] * (len(texts) - len(found))]
    known = dict.fromkeys(chain.from_iterable(held))  # in order; numbering while reading takes twice as long
    numbers = dict(zip(known, count(), strict=False))
    rows = np.repeat(np.arange(len(held)), list(map(len, held)))
    flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(held)), np.intp, len(rows))
    return Terms(numbers, forms, flat, rows, len(held))


def plain(asked: Sequence[str]) -> Floats:
    """How much terms tell by what they are: a single Chinese character less than a word."""
    return np.array([CHARACTER if is_character(term) else 1.0 for term in asked], np.float32)
