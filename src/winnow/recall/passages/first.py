"""The first look: which passages hold the words of a question. No text is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.ports import Embedder
from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.question import Question, asked
from winnow.types.search import Search

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
