"""How likely it is that what was found bears on the question: of a hundred with 0.7, seventy do.

A source ranks; what it puts first may still be about something else. A logistic function tells from what
question and text have in common, whatever was searched; ``training/fit_bearing.py`` fits it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np

from winnow.language.content_words import content_terms, is_character
from winnow.language.linear import log_odds, probability
from winnow.language.registry import language_of, rows_for
from winnow.language.tables import table
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import parse_statement
from winnow.retrieve.facts.topic import SAME_WORD, cosine, word_similarities
from winnow.retrieve.history.features import asking_parts
from winnow.retrieve.history.talks import without_saying
from winnow.retrieve.sufficiency import candidate_page, page_figures, weigh_question
from winnow.types.candidate import BEARING_LANE, Evidence, QuestionCoverage, Shortlist

FoundText = tuple[str, float]
"""What is read of one thing that was found, and the score of its source."""
BearingModel = str
"""Whose weights: ``messages``, ``facts``, ``documents``, or ``anything`` for all of them together."""
MAX_QUESTION_WORDS = 16
"""Words of a question of which somebody can tell: shares of a longer one are small whatever answers it, and
none was fitted on."""
SILENT_WEIGHT = 0.3
"""What a word tells beside the most telling one, if none of its terms is a term of a search."""


def bearing_features(
    question: str, found: Sequence[FoundText], weights: Mapping[str, float], words: Embedder
) -> tuple[list[dict[str, float]], dict[str, float]]:
    """What question and each text have in common, and how near any text comes to each word that is asked for.

    Nothing where the question says nothing, or too much. ``weights``: how much each term of it tells
    in what was searched, one without as the most telling. ``words``: the built-in table.
    """
    parts = _asked_things(question)
    scores = [score for _, score in found]
    most = max(scores, default=0) or 1.0
    rows: list[dict[str, float]] = []
    nearest: dict[str, float] = {}
    for at, (text, score) in enumerate(found if parts else ()):
        both = [_common(part, text, weights, words, nearest) for part in parts]
        best = max(both, key=lambda figures: figures["like"] + figures["meaning"])
        lead = score - max((*scores[:at], *scores[at + 1 :]), default=0)
        rows.append({**best, "score": score, "lead": lead / most})
    return rows, nearest


def _asked_things(question: str) -> list[str]:
    """The things that are asked; none where the question says nothing, or more than anybody can tell of."""
    parts = [part for part in asking_parts(without_saying(question)) if parse_statement(part).words]
    return parts if len(parse_statement(question).words) <= MAX_QUESTION_WORDS else []


def _common(
    asked: str, text: str, weights: Mapping[str, float], words: Embedder, nearest: dict[str, float]
) -> dict[str, float]:
    """What one thing that is asked and a text have in common, each 0..1; ``nearest`` grows with each text."""
    told = parse_statement(text)
    wanted, said = parse_statement(asked).words, told.words
    near = np.maximum(word_similarities(words, wanted, said), 0) if said else np.zeros(len(wanted))
    for word, cosine_ in zip(wanted, near.tolist(), strict=True):
        nearest[word] = max(cosine_, nearest.get(word, 0.0))
    tells = np.array(list(_tells(wanted, weights)))
    like = float(tells @ near / tells.sum())
    meaning = max(0.0, cosine(words, asked, told.text))
    return {
        # Share of what is asked that is said, and that is said or nearly so
        "said": float(tells @ (near >= SAME_WORD) / tells.sum()),
        "like": like,
        "any": float((near >= SAME_WORD).any()),
        # The most telling word that nothing of the text comes near
        "lacking": float((tells * (1 - near)).max() / tells.max()),
        "meaning": meaning,
        "both": min(like, meaning),
    }


def _tells(wanted: Sequence[str], weights: Mapping[str, float]) -> Iterator[float]:
    """How much each word tells; that of a Chinese word is the mean of its pairs of characters."""
    most = max(weights.values(), default=1.0) or 1.0
    for word in wanted:
        terms = content_terms(word)
        telling = [term for term in terms if not is_character(term)] or terms
        known = [weights.get(term, most) for term in telling]
        yield sum(known) / len(known) if known else SILENT_WEIGHT * most


def with_bearing(
    question: str,
    found: Shortlist,
    texts: Sequence[str],
    model: BearingModel,
    weights: Mapping[str, float],
    words: Embedder,
) -> Shortlist:
    """The same, each candidate with its probability as evidence ``bearing``; as it was where nobody can tell.

    It is the score too, but of a document, whose score is its relevance. ``texts``: what is compared of each.
    """
    read = [(text, one.score) for text, one in zip(texts, found.candidates, strict=True)]
    rows, nearest = bearing_features(question, read, weights, words)
    if not rows:
        return found
    by = rows_for(bearing_weights(model), language_of(question))
    told = [Evidence(BEARING_LANE, round(probability(figures, by), 4)) for figures in rows]
    candidates = [
        replace(one, evidence=(*one.evidence, more), score=one.score if model == "documents" else more.score)
        for one, more in zip(found.candidates, told, strict=True)
    ]
    covered = max(figures["like"] for figures in rows)
    return replace(found, candidates=tuple(candidates), coverage=QuestionCoverage(nearest, covered))


def passage_bearings(question: str, found: Shortlist, words: Embedder) -> Shortlist:
    """Passages, each with how likely it bears on the question by its title and its best two sentences."""
    pages = tuple(map(candidate_page, found.candidates))
    figures = page_figures(weigh_question(question, found.weights, pages), pages)
    texts = [f"{page.title}\n{one.best}" for page, one in zip(pages, figures, strict=True)]
    return with_bearing(question, found, texts, "documents", found.weights, words)


@cache
def bearing_weights(model: BearingModel) -> Mapping[str, Mapping[str, float]]:
    """Language -> weights of the figures."""
    return cast("Mapping[str, Mapping[str, float]]", table("winnow.retrieve", "bearing.yaml")[model])


def anything_bears(found: Sequence[Shortlist]) -> float | None:
    """How likely anything of all sources bears on the question; None where nobody can tell of one of them."""
    some = [one for one in found if one.candidates]
    told = [(one.coverage, best) for one in some if one.coverage and (best := best_bearing(one)) is not None]
    if not some or len(told) < len(some):
        return None
    figures = anything_features(max(best for _, best in told), [covered for covered, _ in told])
    return probability(figures, bearing_weights("anything")["all"])


def anything_features(best: float, told: Sequence[QuestionCoverage]) -> dict[str, float]:
    """What speaks for anything of several sources bearing on the question, of which the best has ``best``."""
    words = dict.fromkeys(word for one in told for word in one.nearest)
    nearest = [max(one.nearest.get(word, 0.0) for one in told) for word in words]
    return {
        "odds": log_odds(best),
        "missing": 1 - sum(nearest) / len(nearest),
        "covered": max(one.best for one in told),
        "words": float(len(nearest)),
    }


def best_bearing(found: Shortlist) -> float | None:
    """The greatest of its candidates; None where any of them is not known, or there is none."""
    told = [candidate.bearing for candidate in found.candidates]
    return None if not told or None in told else max(one for one in told if one is not None)
