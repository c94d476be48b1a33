"""The days that messages tell of, kept ready, and how well they fit the time a question names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.retrieve.bm25 import Floats
from winnow.retrieve.times.parse import time_pattern
from winnow.retrieve.times.spans import DaySpan, day_spans
from winnow.types.message import Message

# How strongly a time narrows a search.


@dataclass(frozen=True, slots=True)
class TimeWeights:
    """Measured on development questions that name a time; see docs/decisions/0039."""

    said: float = 0.8
    """What the day counts that a message was said on; a day that it tells of counts 1."""
    other_year: float = 0.8
    """What a day of no year counts in the years before and after the nearest."""
    long: float = 0.5
    """Power of the share of a told stretch that lies in the time asked for: 0 minds no long stretches."""
    near: float = 0.4
    """What a message counts that lies right beside the time asked for."""
    before: float = 14.0
    """Days after which that has fallen by e, for what was before the time asked for."""
    after: float = 10.0
    """The same for what was after: things are told when they are over."""


@dataclass(frozen=True, slots=True)
class TimeStretches:
    """Stretches of days, in order of the messages that tell of them; the day it was said is one of its own.

    Arrays of shape (stretches,). A message of unknown time has none.
    """

    row: npt.NDArray[np.intp]
    """The message of each stretch."""
    start: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    trust: Floats
    """How far a stretch is believed to be the message's, 0..1."""
    holds: npt.NDArray[np.bool_]
    """Which messages name a time, shape (messages,)."""


class TimeIndex:
    """The times that messages tell of, each counted from the day it was said.

    They are read when a question first needs them: that takes as long as all else about a history together,
    and most questions name no time. ``known``: those of the first messages, which are not read again.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        weights: TimeWeights | None = None,
        known: TimeStretches | None = None,
    ) -> None:
        self._messages, self._weights = messages, weights or TimeWeights()
        self._known = known or _stretches_of((), self._weights)
        self.newest = max((message.at for message in messages if message.at), default=None)

    @property
    def messages(self) -> int:
        """How many there are."""
        return len(self._messages)

    @cached_property
    def stretches(self) -> TimeStretches:
        """What they tell of."""
        old, before = self._known, len(self._known.holds)
        new = _stretches_of(self._messages[before:], self._weights)
        return TimeStretches(
            np.concatenate([old.row, new.row + before]),
            np.concatenate([old.start, new.start]),
            np.concatenate([old.end, new.end]),
            np.concatenate([old.trust, new.trust]),
            np.concatenate([old.holds, new.holds]),
        )

    def names_time(self, wanted: bool) -> Floats:
        """Which messages name a time, 0 or 1, of shape (messages,); none where it is not wanted."""
        return self.stretches.holds.astype(np.float32) if wanted else np.zeros(self.messages, np.float32)

    @classmethod
    def build(cls, messages: Sequence[Message], weights: TimeWeights | None = None) -> TimeIndex:
        """Of these messages, oldest first."""
        return cls(messages, weights)

    def extend(self, more: Sequence[Message], weights: TimeWeights | None = None) -> TimeIndex:
        """With newer messages behind these: what was read once is not read again."""
        known = self.__dict__.get("stretches", self._known)
        return TimeIndex((*self._messages, *more), weights or self._weights, known)


def _stretches_of(messages: Sequence[Message], weights: TimeWeights) -> TimeStretches:
    found: list[list[_Stretch]] = []
    for message in messages:
        if message.at is None:
            found.append([])
            continue
        day = message.at.toordinal()
        told: list[_Stretch] = [(day, day, weights.said)]
        for span in day_spans(message.content, message.at):
            told += _stretches(span, weights)
        found.append(told)
    rows = [(n, *stretch) for n, stretches in enumerate(found) for stretch in stretches]
    row, start, end, trust = zip(*rows, strict=True) if rows else ((),) * 4
    return TimeStretches(
        np.array(row, np.intp),
        np.array(start, np.int32),
        np.array(end, np.int32),
        np.array(trust, np.float32),
        np.array([len(stretches) > 1 for stretches in found], bool),
    )


MAX_VAGUE_EXACTNESS = 0.5
"""Exactness up to which a time is no more than a hint: ``recently``."""
_Stretch = tuple[int, int, float]


def _stretches(span: DaySpan, weights: TimeWeights) -> Iterator[_Stretch]:
    """The days of a span, and where it names no year those of the years beside as well."""
    yield span.start.toordinal(), span.end.toordinal(), span.exactness
    for years in (-1, 1) if span.yearly else ():
        start, end = (_in_year(day, day.year + years).toordinal() for day in (span.start, span.end))
        yield start, end, span.exactness * weights.other_year


def _in_year(day: date, year: int) -> date:
    """The same day of another year; the 28th for a 29th of February."""
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=year, day=28 if leap else day.day)


def question_times(text: str, at: datetime | None, index: TimeIndex) -> tuple[DaySpan, ...]:
    """The times that a question names, counted from when it was asked; see ``when_scores``.

    What is vague counts only beside nothing exact, and only where it is known when it was asked.
    """
    moment = at or index.newest
    found = day_spans(text, moment, "past") if moment else ()
    exact = tuple(span for span in found if span.exactness > MAX_VAGUE_EXACTNESS)
    return exact or (found if at else ())


def time_scores(asked: Sequence[DaySpan], index: TimeIndex, weights: TimeWeights | None = None) -> Floats:
    """How well each message fits one of these times, 0..1, of shape (messages,)."""
    scores = np.zeros(index.messages, np.float32)
    if asked and len(index.stretches.row):
        weights = weights or TimeWeights()
        fits = np.maximum.reduce([span.exactness * _fits(span, index.stretches, weights) for span in asked])
        np.maximum.at(scores, index.stretches.row, fits * index.stretches.trust)
    return scores


def when_scores(
    text: str, at: datetime | None, index: TimeIndex, weights: TimeWeights | None = None
) -> Floats | None:
    """How well each message fits the time that ``text`` names, 0..1, of shape (messages,).

    ``at`` is when it was asked; None: when the newest message was said. None when it names no time.
    """
    asked = question_times(text, at, index)
    return time_scores(asked, index, weights) if asked else None


def _fits(span: DaySpan, told: TimeStretches, weights: TimeWeights) -> Floats:
    """The share of each stretch that lies within the span; what lies outside falls off with the distance."""
    start, end = span.start.toordinal(), span.end.toordinal()
    shared = np.minimum(told.end, end) - np.maximum(told.start, start) + 1
    within = np.clip(shared / (told.end - told.start + 1), 0, 1) ** weights.long
    late = np.clip(told.start - end, 0, None) / weights.after
    early = np.clip(start - told.end, 0, None) / weights.before
    near = weights.near * np.exp(-(late + early))
    return cast("Floats", np.where(shared > 0, np.maximum(within, near), near).astype(np.float32))


def asks_for_time(text: str) -> bool:
    """Whether a question asks when something is: what names a time may answer it."""
    return bool(time_pattern("asks").search(text.lower()))
