"""Words of one language for words of the other, among those that a collection says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from winnow.language.content import core
from winnow.ports import Embedder
from winnow.recall.expand import ALIKE, MOST, NEAREST
from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.part import Part
from winnow.recall.passages.terms import WORD, is_word
from winnow.recall.vectors import VectorIndex

Floats = npt.NDArray[np.float32]
Alike = Mapping[str, Mapping[str, float]]
OTHERS = 0.02
"""Share of the passages from which on those of another language are looked for."""
PAIR = 3
"""Length of a Chinese word of two characters, its sign before it."""
KNOWN = 30_000
"""Words of each language in one part that may stand for others, at most: those that most passages say."""


@dataclass(frozen=True, slots=True)
class Known:
    """Words of a part in one language, and their vectors."""

    names: tuple[str, ...]
    vectors: VectorIndex


_KNOWN: WeakKeyDictionary[Part, dict[bool, Known]] = WeakKeyDictionary()
"""What was embedded once; it goes with its part."""


def alike(concepts: Sequence[str], forms: Mapping[str, str], index: PassageIndex, table: Embedder) -> Alike:
    """Of each concept the terms that may stand for it where passages are in the other language.

    ``forms``: the words that the English concepts were made of. Weights are 0..``MOST``.
    """
    found: dict[str, dict[str, float]] = {}
    for chinese, share in ((False, 1 - index.chinese), (True, index.chinese)):
        asked = [concept for concept in concepts if concept.isascii() == chinese]
        if asked and share >= OTHERS:
            vectors = table.embed([forms.get(concept, concept.removeprefix(WORD)) for concept in asked])
            for part in index.parts:
                known = _known(part, table)[chinese]
                for concept, vector in zip(asked, vectors, strict=True):
                    found.setdefault(concept, {}).update(_near(known, vector))
    return found


def _near(known: Known, vector: Floats) -> Iterator[tuple[str, float]]:
    for row, cosine in known.vectors.search(vector, NEAREST):
        if cosine >= ALIKE:
            yield known.names[row], MOST * min(cosine, 1.0)


def _known(part: Part, table: Embedder) -> dict[bool, Known]:
    """The words of a part: False those that are not Chinese, True those that are."""
    if part not in _KNOWN:
        _KNOWN[part] = {chinese: _embedded(part, table, chinese) for chinese in (False, True)}
    return _KNOWN[part]


def _embedded(part: Part, table: Embedder, chinese: bool) -> Known:
    often = np.argsort(-np.diff(part.entries.starts), kind="stable")
    words = (part.entries.names[number] for number in often.tolist())
    names = tuple(islice((word for word in words if _is_of(word, chinese)), KNOWN))
    vectors = table.embed([name.removeprefix(WORD) for name in names])
    terms = names if chinese else tuple(map(core, names))
    return Known(terms, VectorIndex(vectors, table.name, table.version))


def _is_of(word: str, chinese: bool) -> bool:
    """Whether it is a word of that language; a Chinese one of two characters is told as their pair."""
    if not chinese:
        return word.isascii() and not is_word(word) and not word.isdigit()
    return not word.isascii() and not (is_word(word) and len(word) == PAIR)
