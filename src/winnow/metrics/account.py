"""What is kept of a turn so that it can be judged and learned from: what was found, and none of its text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from winnow.metrics.data import pieces
from winnow.metrics.turn import sent
from winnow.text.tokens import count_tokens
from winnow.types.briefing import Retrieval
from winnow.types.feedback import Account, Offered
from winnow.types.metrics import Metrics
from winnow.types.search import wall_clock
from winnow.types.shortlist import Candidate

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
