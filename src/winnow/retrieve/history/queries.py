"""A question -> its clauses, each with its terms: what is looked for one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np

from winnow.language.content_words import content_terms
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.talks import moment_words, named_in, pattern, sides_in, without, words
from winnow.retrieve.times.index import asked_times, asks_for_time
from winnow.retrieve.times.spans import Span, anchors, spans
from winnow.types.candidate import Search
from winnow.types.message import Message

# Times told by what happened then: the day of it is looked up among the messages.


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


_HELD = re.compile("\x01(\\d+)\x01")
_EDGES = " ，,。"
SHORTEST = 4
"""Characters of a clause that asks something."""


@dataclass(frozen=True, slots=True)
class Clause:
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
    times: tuple[Span, ...]
    """When what is asked for happened, as far as it says."""
    asks_time: bool
    """Whether a time would answer it."""
    moments: tuple[str, ...]
    """All its words, as the names of days, months and years are compared."""
    several: bool
    """Whether more than one message will answer it: which, how many, has ever."""


def clauses(search: Search, index: HistoryIndex) -> tuple[Clause, ...]:
    """What a search asks, at least one thing."""
    return tuple(_clause(part, search.at, index) for part in _parts(search.text))


def _clause(text: str, at: datetime | None, index: HistoryIndex) -> Clause:
    names = named_in(text, index.speakers)
    bare = without(text, names) or text
    forms: dict[str, str] = {}
    terms = tuple(sorted(set(content_terms(bare, forms))))
    spoken = tuple(forms.get(term, term) for term in terms)
    times = asked_times(bare, at, index.times) + anchored_times(bare, at, index)
    return Clause(
        bare,
        terms,
        spoken,
        names,
        sides_in(text),
        times,
        asks_for_time(bare),
        tuple(sorted(set(moment_words(bare)))),
        any(pattern("several", language).search(text) for language in words()["several"]),
    )


def _parts(text: str) -> list[str]:
    """The clauses that ask; where one ends in a question mark, only such; the whole text if none asks."""
    parts = [part for part in _cut(text) if len(part) >= SHORTEST]
    marked = [_led_up_to(part) for part in parts if part[-1] in words()["question_marks"]]
    return marked or [part for part in parts if pattern("clauses", "asks").search(part)] or [text]


def _led_up_to(part: str) -> str:
    """The question itself: what is left of ``我想问的是：``."""
    return pattern("clauses", "leads").sub("", part) or part


def _cut(text: str) -> list[str]:
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\x01{len(held) - 1}\x01"

    pieces = pattern("clauses", "ends").split(pattern("clauses", "quotes").sub(hold, text))
    return [_HELD.sub(lambda found: held[int(found[1])], piece).strip(_EDGES) for piece in pieces if piece]
