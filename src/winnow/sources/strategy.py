"""How one question is answered: by which vectors, and why by these."""

from __future__ import annotations

from typing import cast

from winnow.errors import Phrase
from winnow.types.history import HistorySettings, Strategy
from winnow.types.shortlist import Step


def strategy(settings: HistorySettings, count: int) -> Step:
    """The strategy for a history of so many messages: ``chosen`` is a ``Strategy`` (seed 003)."""
    if settings.type == "none":
        return Step("strategy", "none", "type is none: words only")
    if settings.type == "pgvector":
        why = Phrase("type is pgvector: the column {column} has the vectors", column=settings.embedding_field)
        return Step("strategy", "pgvector", why)
    if settings.strategy != "auto":
        return Step("strategy", settings.strategy, "as configured")
    return _by_count(settings, count)


def chosen(step: Step) -> Strategy:
    """What was chosen, in its type."""
    return cast("Strategy", step.chosen)


def _by_count(settings: HistorySettings, count: int) -> Step:
    low, high = settings.lazy_below, settings.batch_above
    if count < low:
        few = Phrase("{count} messages, fewer than {low}: all are embedded when asked", count=count, low=low)
        return Step("strategy", "lazy", few)
    if count > high:
        many = "{count} messages, more than {high}: all are embedded beforehand"
        return Step("strategy", "batch", Phrase(many, count=count, high=high))
    some = "{count} messages, {low} to {high}: those are embedded that words put first"
    return Step("strategy", "hybrid", Phrase(some, count=count, low=low, high=high))
