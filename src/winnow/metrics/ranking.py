"""What a candidate is judged by when feedback is learned from, and its relevance with what was learned."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from winnow.metrics.account import known
from winnow.types.shortlist import Candidate, Evidence, Shortlist

LANE = "tuned"
EDGE = 0.01
"""Relevances are taken as at least this far from 0 and 1."""
OLD = 8.0
"""An age counts by its logarithm; that of eight years (e to the 8 days) is 1."""


def features(source: str, evidence: Mapping[str, float]) -> dict[str, float]:
    """Feature -> its figure, of what an account keeps of a candidate."""
    told = {name: value for name, value in evidence.items() if name not in ("age", LANE)}
    age = {"age": math.log1p(evidence["age"]) / OLD} if "age" in evidence else {}
    return {**told, **age, f"source:{source}": 1.0}


def log_odds(relevance: float) -> float:
    """Of a relevance, 0..1."""
    sure = min(1 - EDGE, max(EDGE, relevance))
    return math.log(sure / (1 - sure))


def tuned(
    found: Sequence[Shortlist], ranking: Mapping[str, float], now: datetime | None
) -> tuple[Shortlist, ...]:
    """The shortlists, each candidate's relevance moved by what was learned, each list best first."""
    if not ranking:
        return tuple(found)
    lists = []
    for shortlist in found:
        moved = [_moved(shortlist.source, candidate, ranking, now) for candidate in shortlist.candidates]
        lists.append(replace(shortlist, candidates=tuple(sorted(moved, key=lambda c: -c.score))))
    return tuple(lists)


def _moved(source: str, found: Candidate, ranking: Mapping[str, float], now: datetime | None) -> Candidate:
    """The candidate with its new relevance, and by how much it moved as evidence."""
    figures = features(source, known(found, now))
    more = sum(ranking.get(name, 0.0) * figure for name, figure in figures.items())
    score = 1 / (1 + math.exp(-log_odds(found.score) - more))
    told = Evidence(LANE, round(score, 4), f"{more:+.2f}")
    return replace(found, score=score, evidence=(*found.evidence, told)) if more else found
