"""The concepts of a question: which of them are said, and what bears on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from winnow.language.content import content_terms, is_character
from winnow.metrics.data import Piece, Sentence
from winnow.types.shortlist import Shortlist


@dataclass(frozen=True, slots=True)
class Concepts:
    """The terms of a question, with how much each tells; ``words``: a term as the question has it."""

    weights: Mapping[str, float]
    words: Mapping[str, str]

    def share(self, said: Iterable[str]) -> float | None:
        """Share of the concepts among those terms, weighed; None: the question has no concepts."""
        return weighed_share(self.weights, said)

    def without(self, said: Iterable[str]) -> tuple[str, ...]:
        """The concepts that are not among those terms, what tells most first; no part of a longer one."""
        known = frozenset(said)
        left = (term for term in self.weights if term not in known and self._is_word(term))
        return tuple(self.words.get(t, t) for t in sorted(left, key=lambda t: -self.weights[t]))

    def _is_word(self, term: str) -> bool:
        """Whether a person would say it: no part of a longer term, no pair with what says nothing."""
        if is_character(term):
            return not any(term in longer for longer in self.telling)
        return term.isascii() or all(sign in self.weights for sign in term)

    def bearing(self, piece: Piece) -> Iterator[Sentence]:
        """The sentences of the piece that say a concept, and those beside them."""
        says = [bool(sentence.terms & self.telling) for sentence in piece.sentences]
        beside = [a or b for a, b in pairwise((False, *says))]
        after = [a or b for a, b in pairwise((*says, False))]
        rows = zip(piece.sentences, beside, after, strict=True)
        return (sentence for sentence, one, other in rows if one or other)

    @property
    def telling(self) -> frozenset[str]:
        """The terms without single characters, unless there are no others."""
        longer = frozenset(term for term in self.weights if not is_character(term))
        return longer or frozenset(self.weights)


def concepts(question: str, found: Sequence[Shortlist]) -> Concepts:
    """The concepts of a question, weighed as the sources that were searched weigh them.

    What no source knows tells as much as what tells most.
    """
    words: dict[str, str] = {}
    terms = content_terms(question, words)
    weights = known_weights(found)
    return Concepts({term: weights.get(term, unknown(weights)) for term in terms}, words)


def known_weights(found: Sequence[Shortlist]) -> dict[str, float]:
    """How much each term tells, where several sources differ the most of it."""
    weights: dict[str, float] = {}
    for shortlist in found:
        for term, weight in shortlist.weights.items():
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def unknown(weights: Mapping[str, float]) -> float:
    """How much a term tells that no source has."""
    return max(weights.values(), default=1.0) or 1.0


def weighed_share(weights: Mapping[str, float], said: Iterable[str]) -> float | None:
    """Share of the weights whose terms are said; None where there are no weights."""
    whole = sum(weights.values())
    known = frozenset(said)
    return sum(w for term, w in weights.items() if term in known) / whole if whole else None
