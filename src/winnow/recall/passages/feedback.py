"""What the first passages say besides is asked for too, where none of them stands out.

A question that one passage answers has a first passage far ahead of the fifth; there, what that says besides
leads astray. A question about a subject has many passages that answer, and they share words it lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import log

from winnow.language.content import is_character
from winnow.recall.passages.first import First, best_rows
from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.terms import passage_terms
from winnow.types.document import Passage

READ = 5
"""Passages whose words are fed back."""
SHARED = 2
"""Of them, how many must say a word."""
WORDS = 15
RARE = log(5)
"""Least rarity of a word: at most a fifth of all passages says it."""


def flat(found: First) -> float:
    """How little the first passage stands out: the fifth's score over its own, 0..1."""
    return found.scores[READ - 1] / found.scores[0] if len(found.scores) >= READ else 0.0


def fed_back(found: First, index: PassageIndex, passages: Mapping[str, Passage], most: int) -> First:
    """What was found, with the scores of a second look; the same where the first passages stand out."""
    if flat(found) < index.tuned.flat:
        return found
    texts = [passages[id_].text for id_ in found.ids[:READ] if id_ in passages]
    scores = index.scores(_with(found, _words(texts, index), index.tuned.feedback))
    rows = best_rows(scores, most).tolist()
    fed = {index.id(row): float(scores[row] / scores[rows[0]]) for row in rows}
    return _joined(found, fed)


def _joined(found: First, fed: Mapping[str, float]) -> First:
    """What the first look did not find is at best as good as the last that it did."""
    new = [id_ for id_ in fed if id_ not in found.ids]
    scores = (*found.scores, *found.scores[-1:] * len(new))
    return replace(found, ids=(*found.ids, *new), scores=scores, fed=fed)


def _with(found: First, words: Mapping[str, float], share: float) -> dict[str, float]:
    """The terms of the question and what is fed back, for its share."""
    weights = {**found.question.terms, **found.question.about}
    for term, weight in words.items():
        weights[term] = weights.get(term, 0.0) + share * weight
    return weights


def _words(texts: list[str], index: PassageIndex) -> dict[str, float]:
    """What several of the texts say: the most telling words, the best of them with its whole rarity."""
    often = Counter(term for text in texts for term in set(passage_terms(text)) if not is_character(term))
    rare = index.rarity([term for term, times in often.items() if times >= SHARED])
    value = {term: often[term] * told for term, told in rare.items() if told >= RARE}
    best = sorted(value, key=lambda term: (-value[term], term))[:WORDS]
    return {term: rare[term] * value[term] / value[best[0]] for term in best}
