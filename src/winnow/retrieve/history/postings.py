"""BM25 over the messages of a history and over its talks, each gain computed when a question asks for it.

What a gain hangs on (how many messages there are, how long they are) changes with every message. So nothing
of it is kept: the postings are counts, and a new or deleted message costs what that message holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from threading import Lock

import numpy as np
import numpy.typing as npt

from winnow.language.term_weights import K1, UNIGRAM_WEIGHT, B, inverse_frequency, saturation, term_weight
from winnow.retrieve.history.talks import day_words
from winnow.retrieve.history.terms import (
    CHARACTER_BITS,
    Keys,
    ReadTerms,
    Segment,
    Vocabulary,
    merge,
    read_terms,
    slot_counts,
)

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
AnyRows = npt.NDArray[np.signedinteger]
CHARACTER_LENGTH = float(np.float32(UNIGRAM_WEIGHT))
TALK_B = 0.6
"""How much a long talk is discounted; they differ more in length than messages do."""
MERGE_FACTOR = 4
"""A part is merged with the one before it unless that is so many times as large."""
MAX_GONE_SHARE = 0.25
"""Share of the messages that may be gone before all parts are merged without them."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where some terms were said: each term in each message once."""

    rows: Rows
    which: npt.NDArray[np.intp]
    """The place of the term among those asked for."""
    times: npt.NDArray[np.uint16]
    idfs: Floats
    """By place: how much the term tells."""


@dataclass(frozen=True, slots=True)
class MessagePostings:
    """Where each term was said. Messages are found by slot, which stays theirs; their rows may change."""

    vocabulary: Vocabulary
    segments: tuple[Segment, ...]
    """The oldest first; each at least ``MERGE_FACTOR`` times as large as the next."""
    slots: Rows
    """The slot of each row."""
    rows: Rows
    """The row of each slot; -1 where the message is gone."""
    telling: Rows
    characters: Rows
    """By row: how many terms tell by themselves, and how many are single Chinese characters."""
    norms: Floats
    """By row: what BM25 adds to how often a term is said, more in long messages (``saturation``)."""
    in_order: bool
    """Whether every slot is its row: nothing was deleted, and all came at the end."""

    @classmethod
    def empty(cls) -> MessagePostings:
        """Of no messages."""
        none = np.zeros(0, np.int32)
        return cls(Vocabulary(), (), none, none, none, none, np.zeros(0, np.float32), True)

    @property
    def size(self) -> int:
        """Messages."""
        return len(self.slots)

    @property
    def lengths(self) -> npt.NDArray[np.float64]:
        """How long each message is; a single character is as long as it tells."""
        return self.telling + CHARACTER_LENGTH * self.characters

    def change(
        self, gone: AnyRows, places: AnyRows, texts: Sequence[str]
    ) -> tuple[MessagePostings, ReadTerms]:
        """Without the rows ``gone``, and with new messages before the ``places`` of those left."""
        first = self.vocabulary.take_slots(len(texts))
        read = read_terms(texts, self.vocabulary, first)
        new = np.arange(first, first + len(texts), dtype=np.int32)
        slots, telling, characters = (
            np.insert(np.delete(old, gone), places, more)
            for old, more in (
                (self.slots, new),
                (self.telling, read.telling),
                (self.characters, read.characters),
            )
        )
        rows = np.full(first + len(texts), -1, np.int32)
        rows[slots] = np.arange(len(slots), dtype=np.int32)
        segments = _merged([*self.segments, read.segment] if texts else self.segments, rows)
        norms = _norms(telling, characters)
        in_order = np.array_equal(slots, np.arange(len(rows)))
        made = MessagePostings(self.vocabulary, segments, slots, rows, telling, characters, norms, in_order)
        return made, read

    def counts(self, key: int) -> tuple[Rows, npt.NDArray[np.uint16]]:
        """The messages that hold the term of a key, in order, and how often each does."""
        slots, times = slot_counts(self.segments, key)
        if self.in_order or not len(slots):
            return slots, times
        rows = self.rows[slots]
        if rows.min() < 0:
            kept = rows >= 0
            rows, times = rows[kept], times[kept]
        if len(rows) > 1 and (rows[1:] < rows[:-1]).any():
            order = np.argsort(rows)
            rows, times = rows[order], times[order]
        return rows, times

    def weight(self, term: str) -> float:
        """How much a term tells; most, where no message holds it."""
        holding = len(self.counts(self.vocabulary.key(term))[0])
        return term_weight(term) * inverse_frequency(self.size, holding)

    def occurrences(self, keys: Keys) -> Occurrences:
        """Where terms were said, by their keys."""
        none = self.slots[:0], np.zeros(0, np.intp), np.zeros(0, np.uint16)
        parts = [one.occurrences(keys) for one in self.segments] or [none]
        rows, which, times = map(np.concatenate, zip(*parts, strict=True)) if len(parts) > 1 else parts[0]
        if not self.in_order:
            rows = self.rows.take(rows)
            rows, which, times = rows[kept := rows >= 0], which[kept], times[kept]
        frequencies = np.bincount(which, minlength=len(keys))
        return Occurrences(rows, which, times, key_idfs(keys, self.size, frequencies))

    def gains(self, said: Occurrences) -> Floats:
        """What each term gains in each message by BM25."""
        share = said.times * np.float32(K1 + 1) / (said.times + self.norms.take(said.rows))
        return said.idfs.take(said.which) * share


def _norms(telling: Rows, characters: Rows) -> Floats:
    """What BM25 adds to how often a term is said, by the length of each message."""
    mean = (int(telling.sum()) + CHARACTER_LENGTH * int(characters.sum())) / (len(telling) or 1)
    norms = K1 * (1 - B + B * (telling + CHARACTER_LENGTH * characters) / (mean or 1.0))
    return norms.astype(np.float32)


def _merged(segments: Sequence[Segment], rows: Rows) -> tuple[Segment, ...]:
    """The parts, so few that looking through them costs little."""
    gone = np.count_nonzero(rows < 0)
    if gone > MAX_GONE_SHARE * len(rows):
        return (merge(segments, rows >= 0),)
    found = list(segments)
    while len(found) > 1 and len(found[-2].slots) < MERGE_FACTOR * len(found[-1].slots):
        found[-2:] = [merge(found[-2:])]
    return tuple(found)


def is_telling(keys: Keys) -> npt.NDArray[np.bool_]:
    """Which terms tell by themselves; single Chinese characters do not."""
    return keys >= 1 << CHARACTER_BITS


def key_idfs(keys: Keys, size: int, frequencies: npt.NDArray[np.signedinteger]) -> Floats:
    """How much terms tell that so many of ``size`` texts hold; single characters little."""
    plain = np.where((keys < 0) | is_telling(keys), np.float32(1), np.float32(UNIGRAM_WEIGHT))
    return plain * inverse_frequency(size, frequencies).astype(np.float32)


def talk_scores(
    lengths: npt.NDArray[np.float64], keys: Keys, said: Occurrences, number: Rows, weights: Floats
) -> Floats:
    """BM25 of every talk, all its messages together: shape ``(talks,)``. ``number``: the talk of each row."""
    count, own = len(lengths), np.flatnonzero(said.which < len(keys))
    at = said.which.take(own) * count + number.take(said.rows.take(own))
    often = np.bincount(at, said.times.take(own), len(keys) * count)
    term, talk = np.divmod(held := np.flatnonzero(often > 0), count)
    tells = weights * key_idfs(keys, count, np.bincount(term, minlength=len(keys)))
    gains = tells[term] * saturation(often[held], lengths[talk], float(lengths.mean()), K1, TALK_B)
    return np.bincount(talk, gains, count).astype(np.float32)


@dataclass(frozen=True, slots=True)
class DayPostings:
    """What the day of each message is called: few days, however many messages."""

    days: npt.NDArray[np.int64]
    """The days that messages were said on, since 1970, in order."""
    words: Rows
    """Shape ``(days, DAY_WORDS)``: the words of each, by number; -1 for none of a day that nobody knows."""
    day: Rows
    """By row: its place among the days."""

    @classmethod
    def of(cls, days: npt.NDArray[np.int64], known: DayPostings | None = None) -> DayPostings:
        """Of the day of each message; the words of those that are ``known`` are not looked up again."""
        found, place = np.unique(days, return_inverse=True)
        words = np.full((len(found), DAY_WORDS), -1, np.int32)
        is_new = np.ones(len(found), np.bool_)
        if known is not None and len(known.days):
            at = np.minimum(np.searchsorted(known.days, found), len(known.days) - 1)
            is_new = known.days[at] != found
            words[~is_new] = known.words[at[~is_new]]
        for row in np.flatnonzero(is_new & (found >= _FIRST_DAY)).tolist():
            told = day_words(_EPOCH + timedelta(days=int(found[row])))
            words[row] = [_word_number(word) for word in told]
        return cls(found, words, place.astype(np.int32).reshape(-1))

    def scores(self, terms: Sequence[str]) -> Floats:
        """BM25 of every message by the words of its day."""
        terms = [term for term in terms if term in _NUMBERS]
        if not terms:
            return np.zeros(len(self.day), np.float32)
        size, per_day = len(self.day), np.bincount(self.day, minlength=len(self.days))
        weights = np.array([*map(term_weight, _WORDS), 0.0], np.float32)  # at -1 that of no word
        lengths = weights[self.words].sum(axis=1, dtype=np.float64)
        mean = float((per_day * lengths).sum()) / (size or 1)
        gains = np.zeros(len(self.days), np.float32)
        for term in terms:
            times = (self.words == _NUMBERS[term]).sum(axis=1)
            frequency = int(per_day[times > 0].sum())
            if frequency:
                idf = np.float32(term_weight(term) * inverse_frequency(size, frequency))
                gains += idf * saturation(times, lengths, mean).astype(np.float32)
        return gains[self.day]


_EPOCH = date(1970, 1, 1)
_FIRST_DAY = date.min.toordinal() - _EPOCH.toordinal()
DAY_WORDS = len(day_words(_EPOCH))
_WORDS: list[str] = []
_NUMBERS: dict[str, int] = {}
_LOCK = Lock()


def _word_number(word: str) -> int:
    """The number of a word that days are called by; there are few."""
    if word not in _NUMBERS:
        with _LOCK:
            if word not in _NUMBERS:
                _WORDS.append(word)
                _NUMBERS[word] = len(_WORDS) - 1
    return _NUMBERS[word]
