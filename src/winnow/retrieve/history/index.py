"""A person's messages, made ready for questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.language.normalize import is_han
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import ImpactPostings, PostingCounts, build_postings, count_terms
from winnow.retrieve.history.talks import (
    Dialogues,
    Rows,
    day_words,
    rows_by_name,
    rows_by_side,
    split_dialogues,
)
from winnow.retrieve.statements.supersession import Supersession
from winnow.retrieve.times.index import TimeIndex
from winnow.types.message import Message

Floats = npt.NDArray[np.float32]
MAX_SUPERSESSION_MESSAGES = 20_000
"""Messages of which it is read beforehand what was said anew; of more, only among those that are found."""
DIALOGUE_B = 0.6
"""How much a long talk is discounted; they differ more in length than messages do."""


@dataclass(frozen=True, slots=True)
class TermVocabulary:
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
    counts: PostingCounts = field(repr=False)
    words: ImpactPostings = field(repr=False)
    talks: Dialogues = field(repr=False)
    talk_words: ImpactPostings = field(repr=False)
    """The words of each talk, all its messages together."""
    times: TimeIndex = field(repr=False)
    """The days each message tells of, and the day it was said."""
    moments: ImpactPostings = field(repr=False)
    """What the day of each message is called."""
    supersession: Supersession | None = field(repr=False)
    """What was said anew later; None in a history of more than ``MAX_SUPERSESSION_MESSAGES`` messages."""
    speakers: Mapping[str, Rows] = field(repr=False)
    sides: Mapping[str, Rows] = field(repr=False)
    """What the user said and what the assistant said."""
    vocabulary: TermVocabulary = field(repr=False)
    table: Embedder = field(repr=False)
    forms: Mapping[str, str] = field(repr=False)

    @property
    def size(self) -> int:
        """Messages."""
        return len(self.messages)

    def extend(self, more: Sequence[Message]) -> HistoryIndex:
        """The index with newer messages behind these: what was read once is not read again."""
        forms = dict(self.forms)
        counts = self.counts.extend([content_terms(message.content, forms) for message in more])
        times = self.times.extend(more)
        return _assemble_index((*self.messages, *more), counts, times, forms, self.table, self.vocabulary)


def build_history(messages: Sequence[Message], table: Embedder) -> HistoryIndex:
    """Index messages, oldest first. ``table`` makes the vectors of their words: the built-in one is meant."""
    forms: dict[str, str] = {}
    counts = count_terms([content_terms(message.content, forms) for message in messages])
    nothing = TermVocabulary(np.zeros(0, np.int32), np.zeros((table.dimension, 0), np.float32))
    return _assemble_index(tuple(messages), counts, TimeIndex.build(messages), forms, table, nothing)


def _assemble_index(
    messages: tuple[Message, ...],
    counts: PostingCounts,
    times: TimeIndex,
    forms: Mapping[str, str],
    table: Embedder,
    known: TermVocabulary,
) -> HistoryIndex:
    talks = split_dialogues(messages)
    return HistoryIndex(
        messages,
        counts,
        build_postings(counts),
        talks,
        build_postings(counts.group(talks.number, talks.count), b=DIALOGUE_B),
        times,
        build_postings(count_terms([day_words(message.at) for message in messages])),
        Supersession.from_messages(messages) if len(messages) <= MAX_SUPERSESSION_MESSAGES else None,
        rows_by_name([message.role for message in messages]),
        rows_by_side([message.role for message in messages]),
        _nearby(counts, forms, table, known),
        table,
        forms,
    )


def _nearby(
    counts: PostingCounts, forms: Mapping[str, str], table: Embedder, known: TermVocabulary
) -> TermVocabulary:
    """The vectors of all English terms; those that are known already are kept."""
    first = int(known.numbers[-1]) + 1 if known.size else 0
    new = [(n, term) for term, n in counts.terms.items() if n >= first and not is_han(term[0])]
    numbers = np.array([n for n, _ in new], np.int32)
    vectors = table.embed([forms.get(term, term) for _, term in new])
    columns = np.concatenate([known.columns, vectors.T], axis=1)
    return TermVocabulary(np.concatenate([known.numbers, numbers]), np.ascontiguousarray(columns))
