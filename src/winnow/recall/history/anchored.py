"""Times told by what happened then: the day of it is looked up among the messages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import numpy as np

from winnow.language.content import content_terms
from winnow.recall.history.index import HistoryIndex
from winnow.recall.history.times import Span, anchors, spans
from winnow.types.message import Message

COVERED = 0.6
"""Share of the weight of an event's words that a message must have to tell of it."""
LOOKED_AT = 3
"""Messages that may tell the day of an event, the best of them."""


def anchored_times(text: str, at: datetime | None, index: HistoryIndex) -> tuple[Span, ...]:
    """The times of ``text`` that an event tells (``two days before my birthday``) and messages know."""
    found = (anchor.resolved(lambda words: day_of(words, at, index)) for anchor in anchors(text))
    return tuple(span for span in found if span is not None)


def day_of(words: str, at: datetime | None, index: HistoryIndex) -> date | None:
    """The day of an event: one that a message about it names, else the day it was spoken of; None: never."""
    about = [index.messages[row] for row in _about(words, index)]
    told = (_told(message, at) for message in about)
    spoken = (message.at.date() for message in about if message.at)
    return next((day for day in told if day), None) or next(spoken, None)


def _about(words: str, index: HistoryIndex) -> Iterator[int]:
    """The rows of the best messages that have most of the words."""
    terms = tuple(dict.fromkeys(content_terms(words)))
    weights = {term: index.words.weight(term) for term in terms}
    least = COVERED * sum(weights.values())
    scores = index.words.scores(terms)
    for row in np.argsort(-scores, kind="stable")[:LOOKED_AT].tolist():
        had = sum(weight for term, weight in weights.items() if row in index.words.of(term)[0])
        if scores[row] > 0 and had >= least:
            yield row


def _told(message: Message, at: datetime | None) -> date | None:
    """The day a message names; of one that comes every year the last before the question was asked."""
    if message.at is None:
        return None
    named = (span for span in spans(message.content, message.at) if span.start == span.end)
    day = next(named, None)
    if day is not None and day.yearly and at is not None:
        day = next(iter(spans(day.text, at, "past")), day)
    return day.start if day else None
