"""A person's messages, made ready for questions, and changed with them: only what is new is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.ports.services import Embedder
from winnow.retrieve.history.postings import DayPostings, MessagePostings
from winnow.retrieve.history.said_anew import SaidAnew
from winnow.retrieve.history.talks import (
    Dialogues,
    MessageColumns,
    Rows,
    rows_by_name,
    rows_by_side,
    split_dialogues,
)
from winnow.retrieve.history.terms import LATIN, ReadTerms
from winnow.retrieve.statements.supersession import Supersession
from winnow.retrieve.times.index import TimeIndex
from winnow.types.message import Message

Floats = npt.NDArray[np.float32]
AnyRows = npt.NDArray[np.signedinteger]
_NO_ROWS = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class TermVocabulary:
    """The English terms of a history and their vectors by the built-in table: what may stand for a term."""

    keys: npt.NDArray[np.int64]
    """In order."""
    slots: Rows
    """Of each term the slot of the first message that has it."""
    columns: Floats
    """Shape ``(dimension, terms)``: the vectors of the words that the terms were made of there."""

    @property
    def size(self) -> int:
        """Terms."""
        return len(self.keys)

    def change(
        self, gone: Sequence[int], forms: Mapping[int, tuple[int, str]], table: Embedder
    ) -> TermVocabulary:
        """Without the terms ``gone``, and with ``forms``: key -> slot, and the word there."""
        left = np.delete(np.arange(self.size), np.searchsorted(self.keys, sorted(gone)))
        keys, slots, columns = (
            (self.keys[left], self.slots[left], self.columns[:, left])
            if gone
            else (self.keys, self.slots, self.columns)
        )
        if not forms:
            return TermVocabulary(keys, slots, columns)
        named = sorted(forms)
        vectors = table.embed([forms[key][1] for key in named]).T
        at = np.searchsorted(keys, named)
        known = np.array([n < len(keys) and keys[n] == key for n, key in zip(at, named, strict=True)], bool)
        where = np.array([forms[key][0] for key in named], np.int32)
        if known.any():
            slots, columns = slots.copy(), columns.copy()
            slots[at[known]], columns[:, at[known]] = where[known], vectors[:, known]
        if not known.all():
            new = ~known
            slots, columns = (
                np.insert(slots, at[new], where[new]),
                np.insert(columns, at[new], vectors[:, new], axis=1),
            )
            keys = np.insert(keys, at[new], np.array(named, np.int64)[new])
        return TermVocabulary(keys, slots, np.ascontiguousarray(columns))


@dataclass(frozen=True, slots=True)
class HistoryIndex:
    """Messages by row, oldest first, and what is known of each. Made by ``build_history``; never changed."""

    messages: tuple[Message, ...]
    words: MessagePostings = field(repr=False)
    columns: MessageColumns = field(repr=False)
    talks: Dialogues = field(repr=False)
    times: TimeIndex = field(repr=False)
    """The days each message tells of, and the day it was said."""
    moments: DayPostings = field(repr=False)
    """What the day of each message is called."""
    said_anew: SaidAnew = field(repr=False)
    speakers: Mapping[str, Rows] = field(repr=False)
    sides: Mapping[str, Rows] = field(repr=False)
    """What the user said and what the assistant said."""
    vocabulary: TermVocabulary = field(repr=False)
    table: Embedder = field(repr=False)

    @property
    def size(self) -> int:
        """Messages."""
        return len(self.messages)

    @property
    def supersession(self) -> Supersession | None:
        """What was said anew later; None where that is not read of all messages, or not yet."""
        return self.said_anew.get()

    def term_keys(self, row: int) -> tuple[int, ...]:
        """The keys of the terms of a message, each once."""
        return self.words.keys(self.messages[row].content)

    def extend(self, more: Sequence[Message]) -> HistoryIndex:
        """The index with newer messages behind these."""
        return self.change(_NO_ROWS, np.full(len(more), self.size, np.int32), more)

    def change(self, gone: AnyRows, places: AnyRows, more: Sequence[Message]) -> HistoryIndex:
        """Without the rows ``gone`` (in order), and with ``more`` before the ``places`` of those left.

        The same as an index of all these messages: what was read once is not read again.
        """
        words, read = self.words.change(gone, places, [message.content for message in more])
        messages = _changed(self.messages, gone, places, more)
        roles, conversations = words.vocabulary.roles, words.vocabulary.conversations
        columns = self.columns.change(gone, places, MessageColumns.of(more, roles, conversations))
        old_rows = np.insert(np.delete(np.arange(self.size, dtype=np.int32), gone), places, -1)
        names, lost = roles.names(), [self.messages[row] for row in gone.tolist()]
        return HistoryIndex(
            messages,
            words,
            columns,
            split_dialogues(columns),
            self.times.change(messages, old_rows),
            DayPostings.of(columns.days, self.moments),
            self.said_anew.change(messages, old_rows, [*lost, *more]),
            rows_by_name(names, columns.role),
            rows_by_side(names, columns.role),
            self._vocabulary(words, lost, read, messages),
            self.table,
        )

    def _vocabulary(
        self,
        words: MessagePostings,
        gone: Sequence[Message],
        read: ReadTerms,
        messages: Sequence[Message],
    ) -> TermVocabulary:
        """The English terms of what is there now; each by the first word that stands for it."""
        first_slot = len(words.rows) - len(read.telling)
        forms: dict[int, tuple[int, str]] = {}
        known = self.vocabulary
        places = np.searchsorted(known.keys, list(read.forms)).tolist()
        for (key, (text, word)), at in zip(read.forms.items(), places, strict=True):
            slot = first_slot + text
            if at < known.size and known.keys[at] == key:
                before = int(words.rows[known.slots[at]])
                if 0 <= before < words.rows[slot]:
                    continue
            forms[key] = slot, word
        lost: list[int] = []
        for key in {key for message in gone for key in words.keys(message.content) if key >= LATIN}:
            at = int(np.searchsorted(known.keys, key))
            if key in forms or words.rows[known.slots[at]] >= 0:
                continue
            rows, _ = words.counts(key)
            if not len(rows):
                lost.append(key)
                continue
            learned: dict[str, str] = {}
            content_terms(messages[rows[0]].content, learned)
            forms[key] = int(words.slots[rows[0]]), learned[words.vocabulary.names[key - LATIN]]
        return known.change(lost, forms, self.table) if lost or forms else known


def build_history(messages: Sequence[Message], table: Embedder) -> HistoryIndex:
    """Index messages, oldest first. ``table`` makes the vectors of their words: the built-in one is meant."""
    none, nobody = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    columns = MessageColumns(none, _NO_ROWS, _NO_ROWS, nobody)
    vocabulary = TermVocabulary(none, _NO_ROWS, np.zeros((table.dimension, 0), np.float32))
    empty = HistoryIndex(
        (),
        MessagePostings.empty(),
        columns,
        split_dialogues(columns),
        TimeIndex.build(()),
        DayPostings.of(none),
        SaidAnew(()),
        {},
        {},
        vocabulary,
        table,
    )
    return empty.extend(messages)


def _changed(
    messages: tuple[Message, ...], gone: AnyRows, places: AnyRows, more: Sequence[Message]
) -> tuple[Message, ...]:
    """The messages as ``HistoryIndex.change`` says."""
    if not len(gone) and (not len(places) or int(places[0]) == len(messages)):
        return (*messages, *more)
    left = set(gone.tolist())
    kept = [message for row, message in enumerate(messages) if row not in left] if left else list(messages)
    for place, message in reversed(list(zip(places.tolist(), more, strict=True))):  # in order of their places
        kept.insert(place, message)
    return tuple(kept)
