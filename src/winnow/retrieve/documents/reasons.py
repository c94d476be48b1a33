"""What speaks for a passage, and for a sentence of it: numbers of 0..1, most of them.

How much each counts is data: ``weights.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character
from winnow.ports.services import Embedder
from winnow.retrieve.documents.features import is_word
from winnow.retrieve.documents.index import PassageIndex
from winnow.retrieve.documents.question import Question, asked
from winnow.retrieve.documents.said import Said, said
from winnow.types.candidate import Search
from winnow.types.document import Passage

# The first look: which passages hold the words of a question. No text is read.


Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class First:
    """Passages worth reading, best first."""

    question: Question = field(default_factory=Question)
    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    """BM25 of each over the most a passage could have: 0..1."""
    fed: Mapping[str, float] = field(default_factory=dict)
    """The score of each with what the first of them say besides, 0..1; empty where nothing is fed back."""


def first(search: Search, index: PassageIndex, most: int, table: Embedder | None = None) -> First:
    """The best passages for a question, at most ``most``; what the talk turns on adds to their scores.

    With a ``table`` of both languages, passages in the other language are found too.
    """
    question = asked(search, index, table)
    scores = index.scores({**question.terms, **question.about}, _groups(question, index))
    rows = best_rows(scores, most)
    ids = tuple(index.id(row) for row in rows.tolist())
    return First(question, ids, tuple((scores[rows] / question.mass).tolist()))


def _groups(question: Question, index: PassageIndex) -> Iterator[Mapping[str, float]]:
    """What may stand for each concept, with its rarity; never rarer than a concept that the passages say."""
    for concept, others in question.alike.items():
        rare = index.rarity(list(others))
        own = question.concepts[concept]
        yield {term: share * min(rare[term], own) for term, share in others.items()}


def reached(index: PassageIndex, weights: Mapping[str, float]) -> Floats:
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


Reasons = Mapping[str, Floats]
LONG = 0.5
"""How much a long sentence is discounted."""


@dataclass(frozen=True, slots=True)
class Read:
    """Passages that were found and read: what each says of the question."""

    found: First
    passages: tuple[Passage, ...]
    said: Said
    by_terms: Floats
    """Weights of the columns of ``said``: terms of the question, 0 for its concepts; they add up to 1."""
    by_concepts: Floats
    """The same the other way round."""

    def covered(self, table: Floats) -> Floats:
        """The share of the question that each row says, by what its terms tell."""
        share: Floats = table @ self.by_terms
        return share

    def meant(self, table: Floats) -> Floats:
        """The same by its concepts."""
        share: Floats = table @ self.by_concepts
        return share


def read(found: First, passages: Mapping[str, Passage]) -> Read:
    """What the passages that are still there say; there is at least one."""
    question = found.question
    own = tuple(passages[id_] for id_ in found.ids if id_ in passages)
    columns = [*question.terms, *question.concepts]
    # In the other language only concepts have words that stand for them, and whole words are terms as well.
    table = said(own, columns, question.alike)
    terms, concepts = list(question.terms.values()), list(question.concepts.values())
    return Read(
        found,
        own,
        table,
        _shares([*terms, *[0.0] * len(concepts)]),
        _shares([*[0.0] * len(terms), *concepts]),
    )


def _shares(weights: Sequence[float]) -> Floats:
    return np.array(weights, np.float32) / np.float32(sum(weights) or 1.0)


def reasons_of_passages(one: Read) -> Reasons:
    """Reason -> how much it speaks for each passage."""
    table, titles = one.said.table, one.said.titles
    whole = np.maximum(one.said.best_of(table), titles)
    wide = one.said.best_of(np.maximum(table, one.said.beside))
    titled, filled = one.covered(titles), _filled(one)
    return {
        "words": _relative(one),
        "fed": _fed(one),
        "covered": one.covered(whole),
        "concepts": one.meant(whole),
        "sentence": one.said.best_of(_dense(one)),
        "near": one.said.best_of(one.meant(np.maximum(table, one.said.beside))),
        "together": one.covered(wide),
        "title": titled * filled,
        "titled": titled,
        "named": (filled >= WHOLE).astype(np.float32),
    }


WHOLE = 0.99
"""A title of which so much is asked for is asked for as a whole."""


def reasons_of_sentences(one: Read) -> Reasons:
    """Reason -> how much it speaks for each sentence, as far as words tell."""
    table, of = one.said.table, one.said.passage
    titles = one.said.titles[of]
    around = np.maximum(table, one.said.beside)
    return {
        "words": _relative(one)[of],
        "said": one.covered(table),
        "said with title": one.covered(np.maximum(table, titles)),
        "titled": one.covered(titles),
        "around": one.covered(around),
        "meant": one.meant(np.maximum(table, titles)),
        "meant around": one.meant(np.maximum(around, titles)),
    }


def cosines(question: str, texts: Sequence[str], table: Embedder) -> Floats:
    """Of a question with each text by the built-in table; 0 where nothing is known of either."""
    vectors = table.embed([question, *texts])
    alike: Floats = vectors[1:] @ vectors[0]
    return alike


def _relative(one: Read) -> Floats:
    """The score of the first look over that of the best passage."""
    at = dict(zip(one.found.ids, one.found.scores, strict=True))
    scores = np.array([at[passage.id] for passage in one.passages], np.float32)
    return scores / max(float(scores.max()), 1e-9)


def _fed(one: Read) -> Floats:
    """What feedback says; all alike where nothing is fed back."""
    return np.array([one.found.fed.get(passage.id, 0.0) for passage in one.passages], np.float32)


def _dense(one: Read) -> Floats:
    """What a sentence says for its length."""
    lengths = one.said.lengths
    discount = 1 - LONG + LONG * lengths / max(float(lengths.mean()), 1.0)
    dense: Floats = one.covered(one.said.table) * 2 / (1 + discount)
    return dense


def _filled(one: Read) -> Floats:
    """How much of each title the question asks for."""
    terms = [*one.found.question.terms, *one.found.question.concepts]
    size = len(one.found.question.terms)
    counts = np.array([_length(term) if at < size else 0.0 for at, term in enumerate(terms)], np.float32)
    filled: Floats = np.minimum(one.said.titles @ counts / np.maximum(one.said.titled, 1), 1)
    return filled


def _length(term: str) -> float:
    """A Latin word is one, a character half of one; what is made of characters counts by them."""
    if term.isascii() and not is_word(term):
        return 1.0
    return 0.5 if is_character(term) else 0.0
