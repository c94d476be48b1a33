"""A question as passages are asked it: terms, concepts, translations, and how much each of them weighs."""

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
from winnow.retrieve.documents.index import PassageIndex, PassageTuning
from winnow.retrieve.documents.postings import (
    MAX_PASSAGE_CHARS,
    WORD_MARK,
    PassagePart,
    is_word,
    passage_terms,
)
from winnow.retrieve.vectors import MAX_SIMILAR_TERMS, MIN_SIMILARITY, SIMILAR_TERM_WEIGHT, VectorIndex
from winnow.types.candidate import Search
from winnow.types.utterance import LanguageCode

# Words of one language for words of the other, among those that a collection says.


Floats = npt.NDArray[np.float32]
Translations = Mapping[str, Mapping[str, float]]
MIN_LANGUAGE_SHARE = 0.02
"""Share of the passages from which on those of another language are looked for."""
WORD_OF_TWO = 3
"""Length of a Chinese word of two characters, its sign before it."""
MAX_VOCABULARY = 30_000
"""Words of each language in one part that may stand for others, at most: those that most passages say."""


@dataclass(frozen=True, slots=True)
class PartVocabulary:
    """Words of a part in one language, and their vectors."""

    names: tuple[str, ...]
    vectors: VectorIndex


_VOCABULARIES: WeakKeyDictionary[PassagePart, dict[bool, PartVocabulary]] = WeakKeyDictionary()
"""What was embedded once; it goes with its part."""


def translations(
    concepts: Sequence[str], forms: Mapping[str, str], index: PassageIndex, table: Embedder
) -> Translations:
    """Of each concept the terms that may stand for it where passages are in the other language.

    ``forms``: the words that the English concepts were made of. Weights are 0..``SIMILAR_TERM_WEIGHT``.
    """
    found: dict[str, dict[str, float]] = {}
    for chinese, share in ((False, 1 - index.chinese), (True, index.chinese)):
        asked = [concept for concept in concepts if concept.isascii() == chinese]
        if asked and share >= MIN_LANGUAGE_SHARE:
            vectors = table.embed([forms.get(concept, concept.removeprefix(WORD_MARK)) for concept in asked])
            for part in index.parts:
                known = _part_vocabulary(part, table)[chinese]
                for concept, vector in zip(asked, vectors, strict=True):
                    found.setdefault(concept, {}).update(_nearest_words(known, vector))
    return found


def _nearest_words(known: PartVocabulary, vector: Floats) -> Iterator[tuple[str, float]]:
    for row, cosine in known.vectors.search(vector, MAX_SIMILAR_TERMS):
        if cosine >= MIN_SIMILARITY:
            yield known.names[row], SIMILAR_TERM_WEIGHT * min(cosine, 1.0)


def _part_vocabulary(part: PassagePart, table: Embedder) -> dict[bool, PartVocabulary]:
    """The words of a part: False those that are not Chinese, True those that are."""
    if part not in _VOCABULARIES:
        _VOCABULARIES[part] = {chinese: _embed_vocabulary(part, table, chinese) for chinese in (False, True)}
    return _VOCABULARIES[part]


def _embed_vocabulary(part: PassagePart, table: Embedder, chinese: bool) -> PartVocabulary:
    often = np.argsort(-np.diff(part.entries.starts), kind="stable")
    words = (part.entries.names[number] for number in often.tolist())
    names = tuple(islice((word for word in words if _is_of_language(word, chinese)), MAX_VOCABULARY))
    vectors = table.embed([name.removeprefix(WORD_MARK) for name in names])
    terms = names if chinese else tuple(map(core, names))
    return PartVocabulary(terms, VectorIndex(vectors, table.name, table.version))


def _is_of_language(word: str, chinese: bool) -> bool:
    """Whether it is a word of that language; a Chinese one of two characters is told as their pair."""
    if not chinese:
        return word.isascii() and not is_word(word) and not word.isdigit()
    return not word.isascii() and not (is_word(word) and len(word) == WORD_OF_TWO)


@dataclass(frozen=True, slots=True)
class KnowledgeQuestion:
    """Terms and concepts with their weights; both are what ``said`` looks for."""

    text: str = ""
    terms: Mapping[str, float] = field(default_factory=dict)
    concepts: Mapping[str, float] = field(default_factory=dict)
    """Its words of content, Chinese ones whole: no pairs of characters that only meet."""
    translations: Translations = field(default_factory=dict)
    """Terms of the collection that may stand for a concept, in the other language."""
    rarity: Mapping[str, float] = field(default_factory=dict)
    """How much each of its content terms tells in all that was searched."""
    context: Mapping[str, float] = field(default_factory=dict)
    """What the talk turns on beside; it adds to scores only."""

    @property
    def language(self) -> LanguageCode:
        """Of its words."""
        return language_of(self.text)

    @property
    def mass(self) -> float:
        """How much all terms tell together."""
        return sum(self.terms.values()) or 1.0


def parse_question(search: Search, index: PassageIndex, table: Embedder | None = None) -> KnowledgeQuestion:
    """The question as it is asked of these passages; with a table, of those in the other language too."""
    text, forms = search.text, dict[str, str]()
    words = [word for run in runs(normalise(text, MAX_PASSAGE_CHARS))[1] for word in cut(run)]
    told = _term_shares(passage_terms(text), words, index.tuning)
    content = list(dict.fromkeys(content_terms(text, forms)))
    concepts = [
        *filter(str.isascii, content),
        *dict.fromkeys(WORD_MARK + word if len(word) > 1 else word for word in words if not is_stop(word)),
    ]
    return KnowledgeQuestion(
        text,
        _rarity_weights(told, index),
        index.rarity(concepts, plainly=False),
        translations(concepts, forms, index, table) if table else {},
        index.rarity(content),
        _rarity_weights({term: value for term, value in search.context.items() if term not in told}, index),
    )


def _rarity_weights(shares: Mapping[str, float], index: PassageIndex) -> dict[str, float]:
    """Terms, each with its share of its rarity."""
    return {term: rare * shares[term] for term, rare in index.rarity(list(shares)).items()}


def _term_shares(terms: Sequence[str], words: Collection[str], tuned: PassageTuning) -> dict[str, float]:
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
        elif not is_stop(term.removeprefix(WORD_MARK)):
            found[term] = 1.0
    return found
