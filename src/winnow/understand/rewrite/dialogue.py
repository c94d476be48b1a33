"""The terms a dialogue turns on: a follow-up means them and does not say them; for search alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log1p
from typing import cast

from winnow.language.content_words import content_terms, is_character
from winnow.language.tables import table
from winnow.types.utterance import Turn

MAX_TURNS = 10
"""Earlier messages that are read (seed 002)."""


def turns_on(query: str, history: Sequence[Turn]) -> Mapping[str, float]:
    """The weightiest terms of ``history`` that the query lacks, and what each counts for.

    0..1, where a word of the query counts for 1. Often and lately said weighs most. The more of the query was
    said in the talk, the more it is about
    the same, and the more these count; a question of other words opens another topic.
    """
    recent, asked = history[-MAX_TURNS:], set(_terms(query))
    heavy = _term_weights(recent)
    best = sorted((term for term in heavy if term not in asked), key=lambda term: -heavy[term])
    if not best:
        return {}
    # How much a query of these terms is about what was talked of, 0..1.
    share = sum(term in heavy for term in asked) / len(asked) if asked else 1.0
    about, most = min(1.0, share + weights()["anyway"]), max(heavy.values())
    return {term: round(about * heavy[term] / most, 3) for term in best[: int(weights()["terms"])]}


def weights() -> Mapping[str, float]:
    """``terms``, ``user`` and ``assistant`` (what a turn counts for against the next of the same speaker).

    ``anyway``: what terms count for where the query shares no word with the talk.
    """
    return cast("Mapping[str, float]", table(__package__, "talk.yaml"))


def _term_weights(history: Sequence[Turn]) -> Mapping[str, float]:
    """Every term of the history with its weight; a single Chinese character tells nothing."""
    heavy: dict[str, float] = defaultdict(float)
    # Turns, latest first, and what a word of each counts for
    worth = {"user": 1.0, "assistant": 1.0}
    for turn in reversed(history):
        counts = worth[turn.role]
        for term, times in Counter(_terms(turn.content)).items():
            heavy[term] += counts * log1p(times)
        worth[turn.role] *= weights()[turn.role]
    return heavy


@lru_cache(maxsize=256)
def _terms(text: str) -> tuple[str, ...]:
    return tuple(term for term in content_terms(text) if not is_character(term))
