"""The figures of one turn."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from winnow.context.support import Piece, Sentence, concepts, judged, known_weights, pieces
from winnow.language.tokens import count_tokens
from winnow.types.candidate import Candidate, Evidence, Shortlist, wall_clock
from winnow.types.context import ChatMessage, Context
from winnow.types.feedback import Account, Metrics, Offered
from winnow.types.retrieval import Retrieval


def of_turn(retrieval: Retrieval, answer: str = "") -> Metrics:
    """The figures of a turn; with the answer of a model, those of the answer as well."""
    said = retrieval.utterance.text
    messages = [m for m in retrieval.context.messages if m.get("content") != said]
    context = replace(retrieval.context, messages=tuple(messages))
    made = measured(retrieval.query, retrieval.found, context, answer)
    counted = [(call.prompt_tokens or 0) + (call.completion_tokens or 0) for call in retrieval.model_calls]
    return replace(made, stages=retrieval.stages, model_tokens=sum(counted))


def measured(question: str, found: Sequence[Shortlist], context: Context, answer: str = "") -> Metrics:
    """What of the messages bears on the question; with the answer of a model, what of it they support.

    ``question``: the standalone query. A message that says the question and nothing else is no data.
    """
    data = pieces(found, sent(context.messages, {question}))
    asked = concepts(question, found)
    said = frozenset[str]().union(*(piece.terms for piece in data))
    bearing = sum(piece.relevance * _tokens(asked.bearing(piece)) for piece in data)
    figures = Metrics(
        tokens=context.token_count,
        total=context.total,
        data=_tokens(_all(data)),
        relevance=_ratio(bearing, _tokens(_all(data))),
        coverage=asked.share(said),
        uncovered=asked.without(said),
        shares=context.usage or {},
    )
    return _answered(figures, answer, question, data, found) if answer.strip() else figures


def sent(messages: Sequence[ChatMessage], without: Collection[str] = ()) -> str:
    """All that the messages say, one below the other, but for those that say one of these."""
    said = (str(message.get("content") or "") for message in messages)
    return "\n".join(content for content in said if content not in without)


def _answered(
    figures: Metrics, answer: str, question: str, data: Sequence[Piece], found: Sequence[Shortlist]
) -> Metrics:
    """The figures with those of the answer."""
    judgements = judged(answer, question, data, known_weights(found))
    used = {id(sentence): sentence for one in judgements for sentence in one.sentences}
    asked = concepts(question, found)
    bearing = [sentence for piece in data for sentence in asked.bearing(piece)]
    both = [sentence for sentence in bearing if id(sentence) in used]
    statements = tuple(one.statement for one in judgements)
    return replace(
        figures,
        utilisation=_ratio(_tokens(used.values()), figures.data),
        completeness=_ratio(_tokens(both), _tokens(bearing)),
        support=_ratio(sum(s.supported for s in statements), len(statements)),
        statements=statements,
    )


def _all(data: Sequence[Piece]) -> Iterable[Sentence]:
    return chain.from_iterable(piece.sentences for piece in data)


def _tokens(sentences: Iterable[Sentence]) -> int:
    return sum(sentence.tokens for sentence in sentences)


def _ratio(part: float, whole: float) -> float | None:
    """Rounded to four digits; None of nothing."""
    return round(part / whole, 4) if whole else None


# What is kept of a turn so that it can be judged and learned from: what was found, and none of its text.


TOLD = ("importance", "credibility")
"""Figures that a source tells of what it finds."""


def account(retrieval: Retrieval, at: float) -> Account:
    """The account of a turn that was answered ``at`` that time, in seconds since the epoch."""
    context, now = retrieval.context, wall_clock(at)
    data = pieces(retrieval.found, sent(context.messages, {retrieval.utterance.text}))
    kept = {piece.ref: sum(sentence.tokens for sentence in piece.sentences) for piece in data}
    offered = []
    for source, one in ((s.source, candidate) for s in retrieval.found for candidate in s.candidates):
        tokens = count_tokens(str(_told(one).get("text", "")))
        offered.append(Offered(source, one.ref, one.score, known(one, now), tokens, kept.get(one.ref, 0)))
    shares = {str(part): use.total for part, use in (context.usage or {}).items()}
    return Account(retrieval.id, retrieval.query, at, tuple(offered), shares, context.total)


def figures(metrics: Metrics) -> dict[str, float]:
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


def known(found: Candidate, now: datetime | None) -> dict[str, float]:
    """The figures of a candidate: its evidence by lane, what its source tells of it, its age in days."""
    data = _told(found)
    told = {name: float(value) for name in TOLD if isinstance(value := data.get(name), int | float)}
    return {**{one.lane: one.score for one in found.evidence}, **told, **_age(data, now)}


def _told(found: Candidate) -> Mapping[str, object]:
    return found.data if isinstance(found.data, Mapping) else {"text": found.data or ""}


def _age(data: Mapping[str, object], now: datetime | None) -> dict[str, float]:
    """How many days old it is, where that is known."""
    told = data.get("at") or data.get("time")
    if isinstance(told, datetime):
        at: datetime | None = told
    else:
        try:
            at = datetime.fromisoformat(told) if isinstance(told, str) else None
        except ValueError:
            at = None
    if at is None or now is None:
        return {}
    return {"age": max(0.0, (now - at.replace(tzinfo=None)).total_seconds() / 86400)}


# What a candidate is judged by when feedback is learned from, and its relevance with what was learned.


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
