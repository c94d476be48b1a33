"""Candidate passages of a question, and the features of passages and of sentences, most of them 0..1.

How much each counts is data: ``weights.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character
from winnow.ports.services import Embedder
from winnow.retrieve.documents.index import PassageIndex
from winnow.retrieve.documents.postings import is_word
from winnow.retrieve.documents.question import KnowledgeQuestion, parse_question
from winnow.retrieve.documents.sentences import SentenceMatches, sentence_matches
from winnow.types.candidate import Search
from winnow.types.document import Passage

# The first look: which passages hold the words of a question. No text is read.


Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


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
