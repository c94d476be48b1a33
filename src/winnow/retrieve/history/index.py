"""A person's messages, made ready for questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.language.normalize import is_han
from winnow.ports.services import Embedder
from winnow.retrieve.history.talks import Rows, Talks, day_words, sides_of, speakers_of, talks_of
from winnow.retrieve.lexical import Counts, counted, posted
from winnow.retrieve.lexical import ImpactPostings as Postings
from winnow.retrieve.statements.supersession import Told
from winnow.retrieve.times.index import TimeIndex
from winnow.types.message import Message

Floats = npt.NDArray[np.float32]
READ_WHOLE = 20_000
"""Messages of which it is read beforehand what was said anew; of more, only among those that are found."""
TALK_B = 0.6
"""How much a long talk is discounted; they differ more in length than messages do."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """The English terms of a history and their vectors by the built-in table: what may stand for a term."""

    numbers: Rows
    columns: Floats
    """Shape ``(dimension, terms)``."""

    @property
    def size(self) -> int:
        """Terms."""
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class HistoryIndex:
    """Messages by row, oldest first, and what is known of each. Made by ``build_history``; never changed."""

    messages: tuple[Message, ...]
    counts: Counts = field(repr=False)
    words: Postings = field(repr=False)
    talks: Talks = field(repr=False)
    talk_words: Postings = field(repr=False)
    """The words of each talk, all its messages together."""
    times: TimeIndex = field(repr=False)
    """The days each message tells of, and the day it was said."""
    moments: Postings = field(repr=False)
    """What the day of each message is called."""
    told: Told | None = field(repr=False)
    """What was said anew later; None in a history of more than ``READ_WHOLE`` messages."""
    speakers: Mapping[str, Rows] = field(repr=False)
    sides: Mapping[str, Rows] = field(repr=False)
    """What the user said and what the assistant said."""
    nearby: Nearby = field(repr=False)
    table: Embedder = field(repr=False)
    forms: Mapping[str, str] = field(repr=False)

    @property
    def size(self) -> int:
        """Messages."""
        return len(self.messages)

    def extended(self, more: Sequence[Message]) -> HistoryIndex:
        """The index with newer messages behind these: what was read once is not read again."""
        forms = dict(self.forms)
        counts = self.counts.more([content_terms(message.content, forms) for message in more])
        times = self.times.extended(more)
        return _indexed((*self.messages, *more), counts, times, forms, self.table, self.nearby)


def build_history(messages: Sequence[Message], table: Embedder) -> HistoryIndex:
    """Index messages, oldest first. ``table`` makes the vectors of their words: the built-in one is meant."""
    forms: dict[str, str] = {}
    counts = counted([content_terms(message.content, forms) for message in messages])
    nothing = Nearby(np.zeros(0, np.int32), np.zeros((table.dimension, 0), np.float32))
    return _indexed(tuple(messages), counts, TimeIndex.build(messages), forms, table, nothing)


def _indexed(
    messages: tuple[Message, ...],
    counts: Counts,
    times: TimeIndex,
    forms: Mapping[str, str],
    table: Embedder,
    known: Nearby,
) -> HistoryIndex:
    talks = talks_of(messages)
    return HistoryIndex(
        messages,
        counts,
        posted(counts),
        talks,
        posted(counts.grouped(talks.number, talks.count), b=TALK_B),
        times,
        posted(counted([day_words(message.at) for message in messages])),
        Told.of(messages) if len(messages) <= READ_WHOLE else None,
        speakers_of([message.role for message in messages]),
        sides_of([message.role for message in messages]),
        _nearby(counts, forms, table, known),
        table,
        forms,
    )


def _nearby(counts: Counts, forms: Mapping[str, str], table: Embedder, known: Nearby) -> Nearby:
    """The vectors of all English terms; those that are known already are kept."""
    first = int(known.numbers[-1]) + 1 if known.size else 0
    new = [(n, term) for term, n in counts.terms.items() if n >= first and not is_han(term[0])]
    numbers = np.array([n for n, _ in new], np.int32)
    vectors = table.embed([forms.get(term, term) for _, term in new])
    columns = np.concatenate([known.columns, vectors.T], axis=1)
    return Nearby(np.concatenate([known.numbers, numbers]), np.ascontiguousarray(columns))
