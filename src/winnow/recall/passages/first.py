"""The first look: which passages hold the words of a question. No text is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.terms import passage_terms
from winnow.types.search import Search

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class First:
    """Passages worth reading, best first."""

    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    """BM25 of each over the most a passage could have: 0..1."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much each term of the question tells in all that was searched."""


def first(search: Search, index: PassageIndex, most: int) -> First:
    """The best passages for a question, at most ``most``; what the talk turns on adds to their scores."""
    terms = list(dict.fromkeys(passage_terms(search.text)))
    weights = index.rarity(terms)
    about = index.rarity([term for term in search.context if term not in weights])
    scores = index.scores(weights | {term: value * search.context[term] for term, value in about.items()})
    rows = best_rows(scores, most)
    whole = (index.tuned.k1 + 1) * sum(weights.values()) or 1.0
    ids = tuple(index.id(row) for row in rows.tolist())
    return First(ids, tuple((scores[rows] / whole).tolist()), weights)


def reached(index: PassageIndex, weights: Mapping[str, float]) -> Floats:
    """How much of the most a passage could have by these weights each row has: 0..1. No text is read."""
    whole = (index.tuned.k1 + 1) * sum(weights.values())
    return index.scores(weights) / np.float32(whole or 1.0)


def best_rows(scores: Floats, most: int) -> Rows:
    """The rows of the greatest scores above 0, best first; of equal ones the earlier first."""
    most = min(most, len(scores))
    if most <= 0:
        return np.zeros(0, np.intp)
    least = np.partition(scores, len(scores) - most)[len(scores) - most]
    rows = np.flatnonzero((scores >= least) & (scores > 0))
    return rows[np.lexsort((rows, -scores[rows]))][:most]
