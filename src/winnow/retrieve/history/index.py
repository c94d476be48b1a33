"""A person's messages, made ready for questions, and changed with them: only what is new is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.ports.services import Embedder
from winnow.retrieve.history.postings import DayPostings, MessagePostings
from winnow.retrieve.history.talks import (
    Dialogues,
    MessageColumns,
    Rows,
    rows_by_name,
    rows_by_side,
    split_dialogues,
)
from winnow.retrieve.history.terms import LATIN, ReadTerms
from winnow.retrieve.statements.supersession import SaidAnew, Supersession
from winnow.retrieve.times.index import TimeIndex
from winnow.types.candidate import Search
from winnow.types.lru import LruCache
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

    def new_forms(self, words: MessagePostings, read: ReadTerms) -> dict[int, tuple[int, str]]:
        """Of the terms just read those first said there: key -> slot, and the word there."""
        first_slot, found = len(words.rows) - len(read.telling), dict[int, tuple[int, str]]()
        places = np.searchsorted(self.keys, list(read.forms)).tolist()
        for (key, (text, word)), at in zip(read.forms.items(), places, strict=True):
            slot = first_slot + text
            is_known = at < self.size and self.keys[at] == key
            if not (is_known and 0 <= words.rows[self.slots[at]] < words.rows[slot]):
                found[key] = slot, word
        return found

    def orphans(self, words: MessagePostings, gone: Sequence[Message]) -> set[int]:
        """The terms of messages that are gone whose first message was one of them."""
        said = sorted(
            {key for message in gone for key in words.vocabulary.read(message.content) if key >= LATIN}
        )
        slots = self.slots[np.searchsorted(self.keys, said)] if said else _NO_ROWS
        return {key for key, row in zip(said, words.rows[slots].tolist(), strict=True) if row < 0}

    def without(self, gone: Sequence[int]) -> TermVocabulary:
        """All but these terms."""
        left = np.delete(np.arange(self.size), np.searchsorted(self.keys, sorted(gone)))
        columns = np.ascontiguousarray(self.columns[:, left])
        return TermVocabulary(self.keys[left], self.slots[left], columns) if gone else self

    def updated(self, forms: Mapping[int, tuple[int, str]], table: Embedder) -> TermVocabulary:
        """With ``forms``, of terms that are new or known: key -> slot, and the word there."""
        if not forms:
            return self
        named = np.array(sorted(forms), np.int64)
        vectors = table.embed([forms[key][1] for key in named.tolist()]).T
        where = np.array([forms[key][0] for key in named.tolist()], np.int32)
        new = ~np.isin(named, self.keys)
        at, slots, columns = np.searchsorted(self.keys, named), self.slots.copy(), self.columns.copy()
        slots[at[~new]], columns[:, at[~new]] = where[~new], vectors[:, ~new]
        return TermVocabulary(
            np.insert(self.keys, at[new], named[new]),
            np.insert(slots, at[new], where[new]),
            np.ascontiguousarray(np.insert(columns, at[new], vectors[:, new], axis=1)),
        )


@dataclass(frozen=True, slots=True)
class HistoryIndex:
    """Messages by row, oldest first, and what is known of each. Made by ``build_history``; never changed."""

    messages: tuple[Message, ...]
    words: MessagePostings = field(repr=False)
    columns: MessageColumns = field(repr=False)
    talks: Dialogues = field(repr=False)
    talk_lengths: npt.NDArray[Any] = field(repr=False)
    """As those of messages, of every talk."""
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
    asked: LruCache[Search, Any] = field(default_factory=lambda: LruCache(1), repr=False, compare=False)
    """The question asked last, as it was read."""

    @property
    def size(self) -> int:
        """Messages."""
        return len(self.messages)

    @property
    def supersession(self) -> Supersession | None:
        """What was said anew later; None where that is not read of all messages, or not yet."""
        return self.said_anew.get()

    def term_keys(self, row: int) -> frozenset[int]:
        """The keys of the terms of a message."""
        return self.words.vocabulary.read(self.messages[row].content)

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
        lost = [self.messages[row] for row in gone.tolist()]
        names, talks = roles.names(), split_dialogues(columns)
        return HistoryIndex(
            messages,
            words,
            columns,
            talks,
            np.bincount(talks.number, words.lengths),
            self.times.change(messages, old_rows),
            DayPostings.of(columns.days, self.moments),
            self.said_anew.change(messages, old_rows, [*lost, *more]),
            rows_by_name(names, columns.role),
            rows_by_side(names, columns.role),
            self._terms_now(messages, words, read, lost),
            self.table,
        )

    def _terms_now(
        self,
        messages: Sequence[Message],
        words: MessagePostings,
        read: ReadTerms,
        lost: Sequence[Message],
    ) -> TermVocabulary:
        """The English terms of what is there now; each by the first word that stands for it."""
        forms = self.vocabulary.new_forms(words, read)
        orphans = self.vocabulary.orphans(words, lost) - set(forms)
        vanished = [key for key in orphans if not len(words.counts(key)[0])]
        forms |= {key: _first_form(key, words, messages) for key in orphans.difference(vanished)}
        return self.vocabulary.without(vanished).updated(forms, self.table)


def _first_form(key: int, words: MessagePostings, messages: Sequence[Message]) -> tuple[int, str]:
    """The slot of the first message that has a term, and the word there."""
    row = int(words.counts(key)[0][0])
    learned: dict[str, str] = {}
    content_terms(messages[row].content, learned)
    return int(words.slots[row]), learned[words.vocabulary.names[key - LATIN]]


def build_history(messages: Sequence[Message], table: Embedder) -> HistoryIndex:
    """Index messages, oldest first. ``table`` makes the vectors of their words: the built-in one is meant."""
    none, nobody = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    columns = MessageColumns(none, _NO_ROWS, _NO_ROWS, nobody)
    vocabulary = TermVocabulary(none, _NO_ROWS, np.zeros((table.dimension, 0), np.float32))
    words, times, moments = MessagePostings.empty(), TimeIndex.build(()), DayPostings.of(none)
    talks, lengths, new = split_dialogues(columns), np.zeros(0), SaidAnew(())
    empty = HistoryIndex((), words, columns, talks, lengths, times, moments, new, {}, {}, vocabulary, table)
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
