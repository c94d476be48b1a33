"""What passages are found by: terms of content, and of Chinese the words as a dictionary cuts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from winnow.language.content import content_terms, is_character
from winnow.language.ngrams import runs
from winnow.language.normalise import normalise
from winnow.language.segment import cut
from winnow.recall.lexical import UNIGRAM

Keys = npt.NDArray[np.uint64]
WORD = "_"
"""Stands before a Chinese word, which is another term than the same pair of characters."""
LIMIT = 8000
"""Characters of a passage that are read."""


def passage_terms(text: str, forms: dict[str, str] | None = None) -> list[str]:
    """Terms of content, and the Chinese words of two characters and more among them.

    ``forms`` learns the first word that each English term was made of.
    """
    return [*content_terms(text, forms), *_words(text)]


def _words(text: str) -> Iterator[str]:
    for run in runs(normalise(text, LIMIT))[1]:
        for word in cut(run):
            if len(word) > 1:
                yield WORD + word


def is_word(term: str) -> bool:
    """Whether a term is a whole Chinese word."""
    return term[:1] == WORD


def plain(term: str) -> float:
    """How much a term counts whatever its rarity: a single Chinese character little."""
    return UNIGRAM if is_character(term) else 1.0


def keys_of(terms: Sequence[str]) -> Keys:
    """A number of 64 bits for each term, the same on every machine."""
    digests = b"".join(
        blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest() for term in terms
    )
    return np.frombuffer(digests, np.dtype("<u8")).astype(np.uint64, copy=False)
