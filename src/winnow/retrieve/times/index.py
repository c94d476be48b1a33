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
    and most questions name no time. ``known``: those that were read before, and ``unread`` the rows that were
    not: None, all.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        weights: TimeWeights | None = None,
        known: TimeStretches | None = None,
        unread: Sequence[int] | None = None,
    ) -> None:
        self._messages, self._weights = messages, weights or TimeWeights()
        self._known, self._unread = known, unread

    @property
    def messages(self) -> int:
        """How many there are."""
        return len(self._messages)

    @cached_property
    def newest(self) -> datetime | None:
        """When the newest message was said, as far as anybody knows."""
        return max((message.at for message in self._messages if message.at), default=None)

    @cached_property
    def stretches(self) -> TimeStretches:
        """What they tell of."""
        old, unread = self._known, self._unread
        if old is None or unread is None:
            return _stretches_of(self._messages, self._weights)
        if not unread:
            return old
        new, at = _stretches_of([self._messages[row] for row in unread], self._weights), np.array(unread)
        holds = old.holds.copy()
        holds[at] = new.holds
        rows = np.concatenate([old.row, at[new.row]])
        order = np.argsort(rows, kind="stable")
        return TimeStretches(
            rows[order],
            np.concatenate([old.start, new.start])[order],
            np.concatenate([old.end, new.end])[order],
            np.concatenate([old.trust, new.trust])[order],
            holds,
        )

    def names_time(self, wanted: bool) -> Floats:
        """Which messages name a time, 0 or 1, of shape (messages,); none where it is not wanted."""
        return self.stretches.holds.astype(np.float32) if wanted else np.zeros(self.messages, np.float32)

    @classmethod
    def build(cls, messages: Sequence[Message], weights: TimeWeights | None = None) -> TimeIndex:
        """Of these messages, oldest first."""
        return cls(messages, weights)

    def change(self, messages: Sequence[Message], old_rows: npt.NDArray[np.int32]) -> TimeIndex:
        """Of changed messages: what was read once is not read again.

        ``old_rows`` has for each of them the row where it stood before; -1: it is new.
        """
        if "stretches" not in self.__dict__ and self._known is None:
            return TimeIndex(messages, self._weights)
        read = self.stretches
        moved = np.full(self.messages, -1, np.intp)
        kept = old_rows >= 0
        moved[old_rows[kept]] = np.flatnonzero(kept)
        holds = np.zeros(len(messages), bool)
        holds[kept] = read.holds[old_rows[kept]]
        there = moved[read.row] >= 0
        known = TimeStretches(
            moved[read.row][there], read.start[there], read.end[there], read.trust[there], holds
        )
        return TimeIndex(messages, self._weights, known, np.flatnonzero(~kept).tolist())


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
    """The times that a question names, counted from when it was asked.

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
