"""A question -> its clauses, each with its terms and the times it names, those of events among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np

from winnow.language.content_words import content_terms
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.talks import (
    history_pattern,
    history_words,
    moment_words,
    names_in,
    sides_in,
    without_names,
)
from winnow.retrieve.times.index import asks_for_time, question_times
from winnow.retrieve.times.spans import DaySpan, day_spans, time_anchors
from winnow.types.candidate import Search
from winnow.types.message import Message

# Times told by what happened then: the day of it is looked up among the messages.


MIN_EVENT_COVERAGE = 0.6
"""Share of the weight of an event's words that a message must have to tell of it."""
MAX_EVENT_MESSAGES = 3
"""Messages that may tell the day of an event, the best of them."""


def event_times(text: str, at: datetime | None, index: HistoryIndex) -> tuple[DaySpan, ...]:
    """The times of ``text`` that an event tells (``two days before my birthday``) and messages know."""
    found = (anchor.resolve(lambda words: event_day(words, at, index)) for anchor in time_anchors(text))
    return tuple(span for span in found if span is not None)


def event_day(words: str, at: datetime | None, index: HistoryIndex) -> date | None:
    """The day of an event: one that a message about it names, else the day it was spoken of; None: never."""
    about = [index.messages[row] for row in _event_messages(words, index)]
    told = (_named_day(message, at) for message in about)
    spoken = (message.at.date() for message in about if message.at)
    return next((day for day in told if day), None) or next(spoken, None)


def _event_messages(words: str, index: HistoryIndex) -> Iterator[int]:
    """The rows of the best messages that have most of the words."""
    terms = tuple(dict.fromkeys(content_terms(words)))
    weights = {term: index.words.weight(term) for term in terms}
    least = MIN_EVENT_COVERAGE * sum(weights.values())
    scores = index.words.scores(terms)
    for row in np.argsort(-scores, kind="stable")[:MAX_EVENT_MESSAGES].tolist():
        had = sum(weight for term, weight in weights.items() if row in index.words.of(term)[0])
        if scores[row] > 0 and had >= least:
            yield row


def _named_day(message: Message, at: datetime | None) -> date | None:
    """The day a message names; of one that comes every year the last before the question was asked."""
    if message.at is None:
        return None
    named = (span for span in day_spans(message.content, message.at) if span.start == span.end)
    day = next(named, None)
    if day is not None and day.yearly and at is not None:
        day = next(iter(day_spans(day.text, at, "past")), day)
    return day.start if day else None


_HELD = re.compile("\x01(\\d+)\x01")
_EDGES = " ，,。"
MIN_CLAUSE_CHARS = 4
"""Characters of a clause that asks something."""


@dataclass(frozen=True, slots=True)
class QuestionClause:
    """One thing that is asked."""

    text: str
    """Without the names of those who speak: every one of their messages would answer to them."""
    terms: tuple[str, ...]
    """Each once."""
    forms: tuple[str, ...]
    """The word each term was made of."""
    names: tuple[str, ...]
    sides: tuple[str, ...]
    """``user`` or ``assistant``, where it asks for what one of them said."""
    times: tuple[DaySpan, ...]
    """When what is asked for happened, as far as it says."""
    asks_time: bool
    """Whether a time would answer it."""
    moments: tuple[str, ...]
    """All its words, as the names of days, months and years are compared."""
    several: bool
    """Whether more than one message will answer it: which, how many, has ever."""


def question_clauses(search: Search, index: HistoryIndex) -> tuple[QuestionClause, ...]:
    """What a search asks, at least one thing."""
    return tuple(_clause(part, search.at, index) for part in _parts(search.text))


def _clause(text: str, at: datetime | None, index: HistoryIndex) -> QuestionClause:
    names = names_in(text, index.speakers)
    bare = without_names(text, names) or text
    forms: dict[str, str] = {}
    terms = tuple(sorted(set(content_terms(bare, forms))))
    spoken = tuple(forms.get(term, term) for term in terms)
    times = question_times(bare, at, index.times) + event_times(bare, at, index)
    return QuestionClause(
        bare,
        terms,
        spoken,
        names,
        sides_in(text),
        times,
        asks_for_time(bare),
        tuple(sorted(set(moment_words(bare)))),
        any(history_pattern("several", language).search(text) for language in history_words()["several"]),
    )


def _parts(text: str) -> list[str]:
    """The clauses that ask; where one ends in a question mark, only such; the whole text if none asks."""
    parts = [part for part in _split_clauses(text) if len(part) >= MIN_CLAUSE_CHARS]
    marked = [_without_lead(part) for part in parts if part[-1] in history_words()["question_marks"]]
    return marked or [part for part in parts if history_pattern("clauses", "asks").search(part)] or [text]


def _without_lead(part: str) -> str:
    """The question itself: what is left of ``我想问的是：``."""
    return history_pattern("clauses", "leads").sub("", part) or part


def _split_clauses(text: str) -> list[str]:
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\x01{len(held) - 1}\x01"

    pieces = history_pattern("clauses", "ends").split(history_pattern("clauses", "quotes").sub(hold, text))
    return [_HELD.sub(lambda found: held[int(found[1])], piece).strip(_EDGES) for piece in pieces if piece]
