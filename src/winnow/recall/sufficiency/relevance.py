"""How relevant each thing is that was found: a probability, so that 0.7 means seven of ten.

``weights.yaml`` holds what each figure counts for, fitted by ``training/knowledge/fit_sufficiency.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp
from typing import NamedTuple, cast

from winnow.recall.sufficiency.features import Bearing, bearings, page_features
from winnow.recall.sufficiency.pages import Asked, Page, asked
from winnow.text.tables import table
from winnow.types.dialogue import Language
from winnow.types.shortlist import Candidate, Evidence, Shortlist

LANE = "relevance"
_STEEP = 30.0


def weights(judgement: str, language: Language) -> Mapping[str, float]:
    """What each figure counts for in ``confidence``, ``beside`` (with the public tier) or ``relevance``."""
    return cast(
        "Mapping[str, float]", table("winnow.recall.sufficiency", "weights.yaml")[judgement][language]
    )


def probability(figures: Mapping[str, float], by: Mapping[str, float]) -> float:
    """0..1, of figures by their weights."""
    told = by["always"] + sum(by[name] * value for name, value in figures.items())
    return 1 / (1 + exp(-min(_STEEP, max(-_STEEP, told))))


def relevance(question: Asked, pages: Sequence[Page]) -> tuple[float, ...]:
    """The probability of each page to bear on the answer, beside the others."""
    return _relevances(bearings(question, pages), weights("relevance", question.language))


def _relevances(found: Sequence[Bearing], by: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(probability(figures, by) for figures in page_features(found))


class Ranked(NamedTuple):
    """A page, what it holds and how relevant that makes it."""

    relevance: float
    page: Page
    bearing: Bearing


def best_first(question: Asked, pages: Sequence[Page]) -> list[Ranked]:
    """The pages, the most relevant first."""
    found = bearings(question, pages)
    scores = _relevances(found, weights("relevance", question.language))
    ranked = (Ranked(*one) for one in zip(scores, pages, found, strict=True))
    return sorted(ranked, key=lambda one: -one.relevance)


def graded(text: str, found: Shortlist) -> Shortlist:
    """The same in the same order, with calibrated scores."""
    pages = tuple(page(candidate) for candidate in found.candidates)
    by = relevance(asked(text, found.weights, pages), pages)
    scored = (_scored(one, score) for one, score in zip(found.candidates, by, strict=True))
    return replace(found, candidates=tuple(scored))


def page(candidate: Candidate) -> Page:
    """What is read of a candidate of any source."""
    data = candidate.data
    if not isinstance(data, Mapping):
        return Page(str(data or ""))
    headings = data.get("headings") or ()
    title = [str(data.get("title") or ""), *(str(heading) for heading in cast("Sequence[object]", headings))]
    return Page(str(data.get("text") or ""), "\n".join(part for part in title if part))


def _scored(candidate: Candidate, score: float) -> Candidate:
    evidence = (*candidate.evidence, Evidence(LANE, round(score, 3)))
    return replace(candidate, score=score, evidence=evidence)


def together(found: Sequence[Shortlist]) -> Iterator[Candidate]:
    """The candidates of all shortlists."""
    return (candidate for shortlist in found for candidate in shortlist.candidates)
