"""Metrics of a turn, the account kept of it, and the ranking that feedback tunes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain

from winnow.context.support import (
    SentPiece,
    SentSentence,
    judge_answer,
    question_concepts,
    sent_pieces,
    term_weights_of,
)
from winnow.language.linear import weighted_sum
from winnow.language.tokens import count_tokens
from winnow.types.candidate import BEARING_LANE, Candidate, Evidence, Shortlist, wall_clock
from winnow.types.context import ChatMessage, Context
from winnow.types.feedback import Account, Metrics, OfferedResult
from winnow.types.retrieval import Retrieval


def turn_metrics(retrieval: Retrieval, answer: str = "") -> Metrics:
    """The figures of a turn; with the answer of a model, those of the answer as well."""
    said = retrieval.utterance.text
    messages = [m for m in retrieval.context.messages if m.get("content") != said]
    context = replace(retrieval.context, messages=tuple(messages))
    made = measure_context(retrieval.query, retrieval.results, context, answer)
    counted = [(call.prompt_tokens or 0) + (call.completion_tokens or 0) for call in retrieval.model_calls]
    return replace(made, stages=retrieval.stages, model_tokens=sum(counted))


def measure_context(question: str, found: Sequence[Shortlist], context: Context, answer: str = "") -> Metrics:
    """What of the messages bears on the question; with the answer of a model, what of it they support.

    ``question``: the standalone query. A message that says the question and nothing else is no data.
    """
    data = sent_pieces(found, sent_text(context.messages, {question}))
    asked = question_concepts(question, found)
    said = frozenset[str]().union(*(piece.terms for piece in data))
    bearing = sum(piece.relevance * _sentence_tokens(asked.bearing(piece)) for piece in data)
    tokens = _sentence_tokens(chain.from_iterable(piece.sentences for piece in data))
    figures = Metrics(
        tokens=context.token_count,
        total=context.total,
        data=tokens,
        relevance=_rounded_ratio(bearing, tokens),
        coverage=asked.share(said),
        uncovered=asked.without(said),
        shares=context.usage or {},
    )
    return _with_answer(figures, answer, question, data, found) if answer.strip() else figures


def sent_text(messages: Sequence[ChatMessage], without: Collection[str] = ()) -> str:
    """All that the messages say, one below the other, but for those that say one of these."""
    said = (str(message.get("content") or "") for message in messages)
    return "\n".join(content for content in said if content not in without)


def _with_answer(
    figures: Metrics, answer: str, question: str, data: Sequence[SentPiece], found: Sequence[Shortlist]
) -> Metrics:
    """The figures with those of the answer."""
    judgements = judge_answer(answer, question, data, term_weights_of(found))
    used = {id(sentence): sentence for one in judgements for sentence in one.sentences}
    asked = question_concepts(question, found)
    bearing = [sentence for piece in data for sentence in asked.bearing(piece)]
    both = [sentence for sentence in bearing if id(sentence) in used]
    statements = tuple(one.statement for one in judgements)
    return replace(
        figures,
        utilisation=_rounded_ratio(_sentence_tokens(used.values()), figures.data),
        completeness=_rounded_ratio(_sentence_tokens(both), _sentence_tokens(bearing)),
        support=_rounded_ratio(sum(s.supported for s in statements), len(statements)),
        statements=statements,
    )


def _sentence_tokens(sentences: Iterable[SentSentence]) -> int:
    return sum(sentence.tokens for sentence in sentences)


def _rounded_ratio(part: float, whole: float) -> float | None:
    """Rounded to four digits; None of nothing."""
    return round(part / whole, 4) if whole else None


# What is kept of a turn so that it can be judged and learned from: what was found, and none of its text.

SOURCE_FEATURES = ("importance", "credibility")
"""Figures that a source tells of what it finds."""


def turn_account(retrieval: Retrieval, at: float) -> Account:
    """The account of a turn that was answered ``at`` that time, in seconds since the epoch."""
    context, now = retrieval.context, wall_clock(at)
    data = sent_pieces(retrieval.results, sent_text(context.messages, {retrieval.utterance.text}))
    kept = {piece.ref: sum(sentence.tokens for sentence in piece.sentences) for piece in data}
    offered = []
    for source, one in ((s.source, candidate) for s in retrieval.results for candidate in s.candidates):
        tokens = count_tokens(str(_source_features(one).get("text", "")))
        offered.append(
            OfferedResult(
                source, one.ref, one.score, candidate_features(one, now), tokens, kept.get(one.ref, 0)
            )
        )
    shares = {str(part): use.total for part, use in (context.usage or {}).items()}
    return Account(retrieval.id, retrieval.query, at, tuple(offered), shares, context.total)


def turn_figures(metrics: Metrics) -> dict[str, float]:
    """What is counted of one turn: that it was one, milliseconds, tokens, and the shares it has."""
    shares = {
        "relevance": metrics.relevance,
        "coverage": metrics.coverage,
        "utilisation": metrics.utilisation,
        "support": metrics.support,
    }
    whole = {"turns": 1, "ms": metrics.ms, "tokens": metrics.tokens, "model_tokens": metrics.model_tokens}
    stages = {f"ms {stage.name}": stage.ms for stage in metrics.stages}
    used = {f"tokens {part}": use.used for part, use in metrics.shares.items()}
    return {**whole, **stages, **used, **{name: share for name, share in shares.items() if share is not None}}


def candidate_features(found: Candidate, now: datetime | None) -> dict[str, float]:
    """The figures of a candidate: its evidence by lane, what its source tells of it, its age in days."""
    data = _source_features(found)
    told = {
        name: float(value) for name in SOURCE_FEATURES if isinstance(value := data.get(name), int | float)
    }
    figures = {one.lane: one.score for one in found.evidence} | told
    # How many days old it is, where that is known
    moment = data.get("at") or data.get("time")
    at = moment if isinstance(moment, datetime) else None
    with suppress(ValueError):
        at = datetime.fromisoformat(moment) if isinstance(moment, str) else at
    if at is None or now is None:
        return figures
    return figures | {"age": max(0.0, (now - at.replace(tzinfo=None)).total_seconds() / 86400)}


def _source_features(found: Candidate) -> Mapping[str, object]:
    return found.data if isinstance(found.data, Mapping) else {"text": found.data or ""}


# What a candidate is judged by when feedback is learned from, and its relevance with what was learned.

TUNED_LANE = "tuned"
MIN_ODDS_DISTANCE = 0.01
"""Relevances are taken as at least this far from 0 and 1."""
AGE_SCALE = 8.0
"""An age counts by its logarithm; that of eight years (e to the 8 days) is 1."""


def ranking_features(source: str, evidence: Mapping[str, float]) -> dict[str, float]:
    """Feature -> its figure, of what an account keeps of a candidate."""
    told = {name: value for name, value in evidence.items() if name not in ("age", TUNED_LANE)}
    age = {"age": math.log1p(evidence["age"]) / AGE_SCALE} if "age" in evidence else {}
    return {**told, **age, f"source:{source}": 1.0}


def log_odds(relevance: float) -> float:
    """Of a relevance, 0..1."""
    sure = min(1 - MIN_ODDS_DISTANCE, max(MIN_ODDS_DISTANCE, relevance))
    return math.log(sure / (1 - sure))


def tune_ranking(
    found: Sequence[Shortlist], ranking: Mapping[str, float], now: datetime | None
) -> tuple[Shortlist, ...]:
    """The shortlists, each candidate's relevance moved by what was learned, each list best first.

    Where it is known how likely a candidate bears on the question, that is moved: by it sentences are chosen.
    """
    if not ranking:
        return tuple(found)
    lists = []
    for shortlist in found:
        moved: list[Candidate] = []
        for candidate in shortlist.candidates:
            figures = ranking_features(shortlist.source, candidate_features(candidate, now))
            more = weighted_sum(figures, ranking)
            likely = candidate.score if candidate.bearing is None else candidate.bearing
            score = 1 / (1 + math.exp(-log_odds(likely) - more))
            # The candidate with its new relevance, and by how much it moved as evidence
            told = [replace(e, score=score) if e.lane == BEARING_LANE else e for e in candidate.evidence]
            told.append(Evidence(TUNED_LANE, round(score, 4), f"{more:+.2f}"))
            moved.append(replace(candidate, score=score, evidence=tuple(told)) if more else candidate)
        lists.append(replace(shortlist, candidates=tuple(sorted(moved, key=lambda c: -c.score))))
    return tuple(lists)
