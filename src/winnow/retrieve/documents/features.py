"""Candidate passages of a question, and the features of passages and of sentences, most of them 0..1.

How much each counts is data: ``weights.yaml``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms, core, is_character, is_stop, touches_stop
from winnow.language.gazetteer import runs
from winnow.language.normalize import normalise
from winnow.language.registry import language_of
from winnow.language.sentences import TextSpan, split_sentences
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import MAX_SIMILAR_TERMS, MIN_SIMILARITY, SIMILAR_TERM_WEIGHT, VectorIndex
from winnow.retrieve.documents.index import PassageIndex, PassageTuning
from winnow.retrieve.documents.postings import (
    MAX_PASSAGE_CHARS,
    WORD_MARK,
    PassagePart,
    chinese_words,
    is_word,
    passage_terms,
)
from winnow.types.candidate import Search
from winnow.types.document import Passage
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
                near = known.vectors.search_all(vectors, MAX_SIMILAR_TERMS)
                for concept, best in zip(asked, near, strict=True):
                    terms = found.setdefault(concept, {})
                    for row, cosine in (one for one in best if one[1] >= MIN_SIMILARITY):
                        terms[known.names[row]] = SIMILAR_TERM_WEIGHT * min(cosine, 1.0)
    return found


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
    words = chinese_words(text)
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


# The sentences of candidate passages, and which terms of the question each of them contains.


Rows = npt.NDArray[np.intp]
TermMatch = tuple[int, float]
"""A term's column, and how well it is said."""


@dataclass(frozen=True, slots=True)
class SentenceMatches:
    """Sentences by row, those of the best passage first."""

    sentences: tuple[TextSpan, ...]
    passage: Rows
    """The number of each sentence's passage."""
    starts: Rows
    """The first sentence of each passage; every passage has one."""
    table: Floats
    """How well each sentence says each term, 0..1: shape ``(sentences, terms)``."""
    titles: Floats
    """The same of the title and headings of each passage: shape ``(passages, terms)``."""
    lengths: Floats
    """Of each sentence: words, and characters by half."""
    title_lengths: Floats
    """The same of each title and its headings."""

    @property
    def neighbours(self) -> Floats:
        """What the sentences before and after say, of the same passage."""
        same = (self.passage[1:] == self.passage[:-1])[:, None]
        found = np.zeros_like(self.table)
        found[:-1] = np.where(same, self.table[1:], 0)
        found[1:] = np.maximum(found[1:], np.where(same, self.table[:-1], 0))
        return found

    def best_of(self, values: Floats) -> Floats:
        """The greatest value among each passage's sentences; one row for each."""
        best: Floats = np.maximum.reduceat(values, self.starts, axis=0)
        return best


def sentence_matches(
    passages: Sequence[Passage], terms: Sequence[str], alike: Translations | None = None
) -> SentenceMatches:
    """What these passages, at least one, say of the terms; what is ``alike`` says a term by its weight."""
    read = [_sentence_terms(passage.text[:MAX_PASSAGE_CHARS]) for passage in passages]
    counts = np.array([len(spans) for spans, _ in read])
    texts = list(chain.from_iterable(texts for _, texts in read))
    titles = [
        _TermText.of("\n".join((one.document.title.replace("_", " "), *one.headings))) for one in passages
    ]
    return SentenceMatches(
        tuple(chain.from_iterable(spans for spans, _ in read)),
        np.repeat(np.arange(len(passages)), counts),
        np.cumsum(counts) - counts,
        _table(texts, terms, alike or {}),
        _table(titles, terms, alike or {}),
        _lengths(texts),
        _lengths(titles),
    )


@lru_cache(maxsize=1024)  # the next question of a talk finds much of the same again
def _sentence_terms(text: str) -> tuple[tuple[TextSpan, ...], tuple[_TermText, ...]]:
    """The sentences of a passage, at least one, and what each says."""
    spans = split_sentences(text) or (TextSpan("", 0, 0),)
    return spans, tuple(_TermText.of(span.text) for span in spans)


def _lengths(texts: Sequence[_TermText]) -> Floats:
    return np.array([text.length for text in texts], np.float32)


@dataclass(frozen=True, slots=True)
class _TermText:
    """The cores of the Latin words of a text, and its Chinese characters, what parts them kept."""

    words: frozenset[str]
    han: str
    length: float

    @classmethod
    def of(cls, text: str) -> _TermText:
        words, han = runs(normalise(text, MAX_PASSAGE_CHARS))
        return cls(frozenset(map(core, words)), " ".join(han), len(words) + sum(map(len, han)) / 2)


@dataclass(slots=True)
class _TermMatcher:
    """What is looked for in each text, and which terms it says by how much."""

    words: dict[str, list[TermMatch]] = field(default_factory=dict)
    """Cores of Latin words."""
    parts: dict[str, list[TermMatch]] = field(default_factory=dict)
    """Runs of Chinese characters: cutting every text into words again would cost ten times as much."""

    def add(self, term: str, hit: TermMatch) -> None:
        """Look for it too."""
        if term.isascii() and not is_word(term):
            self.words.setdefault(term, []).append(hit)
        else:
            self.parts.setdefault(term.removeprefix(WORD_MARK), []).append(hit)

    def matches(self, text: _TermText) -> Iterator[TermMatch]:
        """The terms a text says."""
        for word in self.words.keys() & text.words:
            yield from self.words[word]
        if text.han:
            for part, hits in self.parts.items():
                if part in text.han:
                    yield from hits


def _table(texts: Sequence[_TermText], terms: Sequence[str], alike: Translations) -> Floats:
    sought = _TermMatcher()
    for at, term in enumerate(terms):
        sought.add(term, (at, 1.0))
        for other, weight in alike.get(term, {}).items():
            sought.add(other, (at, weight))
    found = np.zeros((len(texts), len(terms)), np.float32)
    for row, text in zip(found, texts, strict=True):
        for at, weight in sought.matches(text):
            row[at] = max(row[at], weight)
    return found


# The first look: which passages hold the words of a question. No text is read.


@dataclass(frozen=True, slots=True)
class PassageCandidates:
    """Passages worth reading, best first."""

    question: KnowledgeQuestion = field(default_factory=KnowledgeQuestion)
    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    """BM25 of each over the most a passage could have: 0..1."""
    feedback: Mapping[str, float] = field(default_factory=dict)
    """The score of each with what the first of them say besides, 0..1; empty where nothing is fed back."""


def find_passages(
    search: Search, index: PassageIndex, most: int, table: Embedder | None = None
) -> PassageCandidates:
    """The best passages for a question, at most ``most``; what the talk turns on adds to their scores.

    With a ``table`` of both languages, passages in the other language are found too.
    """
    question = parse_question(search, index, table)
    scores = index.scores({**question.terms, **question.context}, _translation_groups(question, index))
    rows = best_rows(scores, most)
    ids = tuple(index.id(row) for row in rows.tolist())
    return PassageCandidates(question, ids, tuple((scores[rows] / question.mass).tolist()))


def _translation_groups(question: KnowledgeQuestion, index: PassageIndex) -> Iterator[Mapping[str, float]]:
    """What may stand for each concept, with its rarity; never rarer than a concept that the passages say."""
    for concept, others in question.translations.items():
        rare = index.rarity(list(others))
        own = question.concepts[concept]
        yield {term: share * min(rare[term], own) for term, share in others.items()}


def reach_scores(index: PassageIndex, weights: Mapping[str, float]) -> Floats:
    """How much of the most a passage could have by these weights each row has: 0..1. No text is read."""
    return index.scores(weights) / np.float32(sum(weights.values()) or 1.0)


def best_rows(scores: Floats, most: int) -> Rows:
    """The rows of the greatest scores above 0, best first; of equal ones the earlier first."""
    most = min(most, len(scores))
    if most <= 0:
        return np.zeros(0, np.intp)
    least = np.partition(scores, len(scores) - most)[len(scores) - most]
    rows = np.flatnonzero((scores >= least) & (scores > 0))
    return rows[np.lexsort((rows, -scores[rows]))][:most]


Features = Mapping[str, Floats]
SENTENCE_LENGTH_DISCOUNT = 0.5
"""How much a long sentence is discounted."""


@dataclass(frozen=True, slots=True)
class PassageReading:
    """Passages that were found and read: what each says of the question."""

    candidates: PassageCandidates
    passages: tuple[Passage, ...]
    sentences: SentenceMatches
    by_terms: Floats
    """Weights of the columns of ``sentences``: terms of the question, 0 for its concepts; in all 1."""
    by_concepts: Floats
    """The same the other way round."""

    def term_share(self, table: Floats) -> Floats:
        """The share of the question that each row says, by what its terms tell."""
        share: Floats = table @ self.by_terms
        return share

    def concept_share(self, table: Floats) -> Floats:
        """The same by its concepts."""
        share: Floats = table @ self.by_concepts
        return share


def read_passages(found: PassageCandidates, passages: Mapping[str, Passage]) -> PassageReading:
    """What the passages that are still there say; there is at least one."""
    question = found.question
    own = tuple(passages[id_] for id_ in found.ids if id_ in passages)
    columns = [*question.terms, *question.concepts]
    # In the other language only concepts have words that stand for them, and whole words are terms as well.
    table = sentence_matches(own, columns, question.translations)
    terms, concepts = list(question.terms.values()), list(question.concepts.values())
    return PassageReading(
        found,
        own,
        table,
        _weight_shares([*terms, *[0.0] * len(concepts)]),
        _weight_shares([*[0.0] * len(terms), *concepts]),
    )


def _weight_shares(weights: Sequence[float]) -> Floats:
    return np.array(weights, np.float32) / np.float32(sum(weights) or 1.0)


def passage_features(one: PassageReading) -> Features:
    """Reason -> how much it speaks for each passage."""
    table, titles = one.sentences.table, one.sentences.titles
    whole = np.maximum(one.sentences.best_of(table), titles)
    wide = one.sentences.best_of(np.maximum(table, one.sentences.neighbours))
    titled, filled = one.term_share(titles), _title_shares(one)
    lengths = one.sentences.lengths
    discount = (
        1 - SENTENCE_LENGTH_DISCOUNT + SENTENCE_LENGTH_DISCOUNT * lengths / max(float(lengths.mean()), 1.0)
    )
    dense: Floats = one.term_share(one.sentences.table) * 2 / (1 + discount)
    return {
        "words": _relative_scores(one),
        "fed": _feedback_scores(one),
        "covered": one.term_share(whole),
        "concepts": one.concept_share(whole),
        "sentence": one.sentences.best_of(dense),
        "near": one.sentences.best_of(one.concept_share(np.maximum(table, one.sentences.neighbours))),
        "together": one.term_share(wide),
        "title": titled * filled,
        "titled": titled,
        "named": (filled >= MIN_WHOLE_TITLE).astype(np.float32),
    }


MIN_WHOLE_TITLE = 0.99
"""A title of which so much is asked for is asked for as a whole."""


def sentence_features(one: PassageReading) -> Features:
    """Reason -> how much it speaks for each sentence, as far as words tell."""
    table, of = one.sentences.table, one.sentences.passage
    titles = one.sentences.titles[of]
    around = np.maximum(table, one.sentences.neighbours)
    return {
        "words": _relative_scores(one)[of],
        "said": one.term_share(table),
        "said with title": one.term_share(np.maximum(table, titles)),
        "titled": one.term_share(titles),
        "around": one.term_share(around),
        "meant": one.concept_share(np.maximum(table, titles)),
        "meant around": one.concept_share(np.maximum(around, titles)),
    }


def cosines(question: str, texts: Sequence[str], table: Embedder) -> Floats:
    """Of a question with each text by the built-in table; 0 where nothing is known of either."""
    vectors = table.embed([question, *texts])
    alike: Floats = vectors[1:] @ vectors[0]
    return alike


def _relative_scores(one: PassageReading) -> Floats:
    """The score of the first look over that of the best passage."""
    at = dict(zip(one.candidates.ids, one.candidates.scores, strict=True))
    scores = np.array([at[passage.id] for passage in one.passages], np.float32)
    return scores / max(float(scores.max()), 1e-9)


def _feedback_scores(one: PassageReading) -> Floats:
    """What feedback says; all alike where nothing is fed back."""
    return np.array([one.candidates.feedback.get(passage.id, 0.0) for passage in one.passages], np.float32)


def _title_shares(one: PassageReading) -> Floats:
    """How much of each title the question asks for."""
    terms = [*one.candidates.question.terms, *one.candidates.question.concepts]
    size = len(one.candidates.question.terms)
    counts = np.array([_term_length(term) if at < size else 0.0 for at, term in enumerate(terms)], np.float32)
    filled: Floats = np.minimum(one.sentences.titles @ counts / np.maximum(one.sentences.title_lengths, 1), 1)
    return filled


def _term_length(term: str) -> float:
    """A Latin word is one, a character half of one; what is made of characters counts by them."""
    if term.isascii() and not is_word(term):
        return 1.0
    return 0.5 if is_character(term) else 0.0
