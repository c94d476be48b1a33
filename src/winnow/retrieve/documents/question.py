"""What a question asks for: its terms, its concepts, and how much each of them tells in a collection."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms, core, is_character, is_stop, touches_stop
from winnow.language.gazetteer import runs
from winnow.language.normalize import language_of, normalise
from winnow.language.segment import cut
from winnow.ports.services import Embedder
from winnow.retrieve.documents.features import LIMIT, WORD, Part, is_word, passage_terms
from winnow.retrieve.documents.index import PassageIndex, Tuning
from winnow.retrieve.expand import ALIKE, MOST, NEAREST, VectorIndex
from winnow.types.candidate import Search
from winnow.types.utterance import Language

# Words of one language for words of the other, among those that a collection says.


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


@dataclass(frozen=True, slots=True)
class Question:
    """Terms and concepts with their weights; both are what ``said`` looks for."""

    text: str = ""
    terms: Mapping[str, float] = field(default_factory=dict)
    concepts: Mapping[str, float] = field(default_factory=dict)
    """Its words of content, Chinese ones whole: no pairs of characters that only meet."""
    alike: Alike = field(default_factory=dict)
    """Terms of the collection that may stand for a concept, in the other language."""
    rare: Mapping[str, float] = field(default_factory=dict)
    """How much each of its content terms tells in all that was searched."""
    about: Mapping[str, float] = field(default_factory=dict)
    """What the talk turns on beside; it adds to scores only."""

    @property
    def language(self) -> Language:
        """Of its words."""
        return language_of(self.text)

    @property
    def mass(self) -> float:
        """How much all terms tell together."""
        return sum(self.terms.values()) or 1.0


def asked(search: Search, index: PassageIndex, table: Embedder | None = None) -> Question:
    """The question as it is asked of these passages; with a table, of those in the other language too."""
    text, forms = search.text, dict[str, str]()
    words = [word for run in runs(normalise(text, LIMIT))[1] for word in cut(run)]
    told = _told(passage_terms(text), words, index.tuned)
    content = list(dict.fromkeys(content_terms(text, forms)))
    concepts = [*filter(str.isascii, content), *dict.fromkeys(_concepts(words))]
    return Question(
        text,
        _weighed(told, index),
        index.rarity(concepts, plainly=False),
        alike(concepts, forms, index, table) if table else {},
        index.rarity(content),
        _weighed({term: value for term, value in search.context.items() if term not in told}, index),
    )


def _weighed(shares: Mapping[str, float], index: PassageIndex) -> dict[str, float]:
    """Terms, each with its share of its rarity."""
    return {term: rare * shares[term] for term, rare in index.rarity(list(shares)).items()}


def _concepts(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if not is_stop(word):
            yield WORD + word if len(word) > 1 else word


def _told(terms: Sequence[str], words: Collection[str], tuned: Tuning) -> dict[str, float]:
    """The terms and what share of its rarity each counts.

    Two characters that meet where one word ends and another begins are rare in any collection and say little:
    least where one of them says nothing.
    """
    within = {word[at : at + 2] for word in words for at in range(len(word) - 1)}
    found: dict[str, float] = {}
    for term in dict.fromkeys(terms):
        if term.isascii() or is_character(term) or term in within:
            found[term] = 1.0
        elif not is_word(term):
            found[term] = tuned.beside if touches_stop(term) else tuned.across
        elif not is_stop(term.removeprefix(WORD)):
            found[term] = 1.0
    return found
