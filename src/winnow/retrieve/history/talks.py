"""Dialogues of a history: speakers, neighbours, questions and replies, and what the days are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import normalise
from winnow.language.tables import table
from winnow.retrieve.history.terms import NameNumbers
from winnow.types.message import Message

# The words of both languages by which a history is read beside its content.


def history_words() -> dict[str, Any]:
    """The tables of ``words.yaml``."""
    return cast("dict[str, Any]", table("winnow.retrieve.history", "words.yaml"))


@cache
def history_pattern(*keys: str) -> re.Pattern[str]:
    """A pattern of ``words.yaml``."""
    found: Any = history_words()
    for key in keys:
        found = found[key]
    return re.compile(found)


# What the day of a message is called, so that a question with a month, a weekday or a year finds it.


def moment_words(text: str) -> list[str]:
    """The words of a question as those of days are written."""
    latin, han = runs(normalise(text))
    return [stem(word) for word in latin] + [sign for run in han for sign in run]


def day_words(at: date | None) -> tuple[str, ...]:
    """Weekday, month, year and day, in both languages; nothing of an unknown time."""
    return _words(at.year, at.month, at.day, at.weekday()) if at is not None else ()


@lru_cache(maxsize=4096)
def _words(year: int, month: int, day: int, weekday: int) -> tuple[str, ...]:
    tables = history_words()
    named = (tables["weekdays"][weekday], tables["months"][month - 1])
    numbers = (str(year), f"{day:02d}", str(month))
    return (*map(stem, named), *numbers, tables["month_sign"])


# Who speaks in a history, and whom a question names.


Rows = npt.NDArray[np.int32]


def rows_by_name(names: Sequence[str], number: Rows) -> Mapping[str, Rows]:
    """Part of a name -> the messages of whoever is called so. Roles such as ``user`` are no names.

    ``number``: by row, which of the names its role is.
    """
    return _rows(number, [name_parts(role) for role in names])


def rows_by_side(names: Sequence[str], number: Rows) -> Mapping[str, Rows]:
    """``user`` and ``assistant`` -> their messages; none where only one of them speaks."""
    tables: dict[str, list[str]] = history_words()["roles"]
    found = _rows(number, [[s for s, known in tables.items() if role.lower() in known] for role in names])
    return found if len(found) > 1 else {}


def sides_in(text: str) -> tuple[str, ...]:
    """Whose words a question is about, where it says so: ``what did you suggest``."""
    return tuple(side for side in history_words()["said_by"] if history_pattern("said_by", side).search(text))


_NO_WORD = re.compile(r"[\W_]+")


def without_saying(question: str) -> str:
    """The question without what names nothing to be found: ``did I say``, ``anything``, 的事."""
    for side in history_words()["said_by"]:
        question = history_pattern("said_by", side).sub(
            lambda found: history_pattern("last_said", "asks").sub(" ", found[0]), question
        )
    return history_pattern("last_said", "light").sub(" ", question)


def asks_what_was_said(text: str, times: Collection[str]) -> bool:
    """Whether a question asks what was said, and names nothing beside a time: ``what did I say last``."""
    text = text.lower()
    for time in times:
        text = text.replace(time.lower(), " ")
    asks, empty = (history_pattern("last_said", name) for name in ("asks", "empty"))
    return bool(asks.search(text)) and not _NO_WORD.sub("", empty.sub(" ", text))


def _rows(number: Rows, parts: Sequence[Sequence[str]]) -> Mapping[str, Rows]:
    """Part -> the rows of the roles that have it."""
    roles: dict[str, list[int]] = {}
    for role in dict.fromkeys(number.tolist()):
        for part in parts[role]:
            roles.setdefault(part, []).append(role)
    return {part: np.flatnonzero(np.isin(number, held)).astype(np.int32) for part, held in roles.items()}


def name_parts(role: str) -> tuple[str, ...]:
    """The words of a name; none of what is no name."""
    latin, han = runs(normalise(role))
    parts = tuple(word for word in (*latin, *han) if len(word) > 1)
    return () if _no_names().issuperset(parts) else parts


def names_in(text: str, names: Mapping[str, Rows]) -> tuple[str, ...]:
    """Which of the names occur in a text."""
    latin, han = runs(normalise(text))
    return tuple(
        name for name in names if name in latin or (not name.isascii() and any(name in run for run in han))
    )


def without_names(text: str, names: Sequence[str]) -> str:
    """The text without these names and the endings of their possessives."""
    for name in names:
        bounds = r"\b" if name.isascii() else ""
        text = re.sub(rf"(?i){bounds}{re.escape(name)}(?:['’]s)?{bounds}", " ", text)
    return " ".join(text.split())


@cache
def _no_names() -> frozenset[str]:
    return frozenset(word for role in history_words()["roles"].values() for word in role)


Flags = npt.NDArray[np.bool_]
MAX_SILENCE = timedelta(hours=1)
"""Longer silence ends a talk."""
QUESTION_TAIL_CHARS = 40
"""A message asks if a question mark stands among so many characters at its end."""
NEIGHBOUR_DISTANCES = (1, 2, -1, -2)
"""How far before (positive) or after a message its neighbours stand; the first is the one it may answer."""
NO_TIME = np.iinfo(np.int64).min
"""Stands for the time of a message that nobody knows."""
MAX_SILENCE_US = MAX_SILENCE // timedelta(microseconds=1)
_DAY_US = timedelta(days=1) // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class MessageColumns:
    """What of messages is compared with their neighbours, by row."""

    at: npt.NDArray[np.int64]
    """Microseconds since 1970; ``NO_TIME`` where nobody knows."""
    conversation: Rows
    role: Rows
    """Numbers of the conversation and of who said it."""
    asks: Flags

    @classmethod
    def of(
        cls, messages: Sequence[Message], roles: NameNumbers, conversations: NameNumbers
    ) -> MessageColumns:
        """Of these messages."""
        asks = re.compile(f"[{re.escape(history_words()['question_marks'])}]").search
        return cls(
            microseconds(messages),
            conversations.of([m.conversation for m in messages]),
            roles.of([m.role for m in messages]),
            np.array([bool(asks(m.content[-QUESTION_TAIL_CHARS:])) for m in messages], np.bool_),
        )

    def change(
        self, gone: npt.NDArray[np.signedinteger], places: npt.NDArray[np.signedinteger], more: MessageColumns
    ) -> MessageColumns:
        """Without the rows ``gone``, and with ``more`` before the ``places`` of those left."""
        names = ("at", "conversation", "role", "asks")
        return MessageColumns(
            *(np.insert(np.delete(getattr(self, n), gone), places, getattr(more, n)) for n in names)
        )

    @property
    def days(self) -> npt.NDArray[np.int64]:
        """Days since 1970; a number before all days where nobody knows."""
        return np.floor_divide(self.at, _DAY_US)


def microseconds(messages: Sequence[Message]) -> npt.NDArray[np.int64]:
    """When each was said, as in ``MessageColumns.at``."""
    at = [m.at.replace(tzinfo=None) if m.at and m.at.tzinfo else m.at for m in messages]
    return np.array(at, "datetime64[us]").astype(np.int64)


@dataclass(frozen=True, slots=True)
class Dialogues:
    """For each message its talk and its neighbours there. Where only one speaks nobody answers anybody."""

    number: Rows
    """The talk of each message, counted from 0 in order of their first messages."""
    order: Rows
    """The rows by talk."""
    begins: Rows
    """Where each talk begins there."""
    dialogue: Flags
    """Whether more than one speaks in the message's talk."""
    asks: Flags
    """Whether the message ends in a question."""
    replies: Rows
    """The messages that follow a question."""
    replied: Rows
    """The question before each of them."""
    any_dialogue: bool
    beside: Rows
    """Shape ``(size, distances)``: the rows that stand so far before each in its talk; -1 where none does."""


def split_dialogues(columns: MessageColumns) -> Dialogues:
    """The talks of messages, oldest first. Talks may be mixed, if their conversations tell them apart."""
    number = _talk_numbers(columns)
    order = np.argsort(number, kind="stable").astype(np.int32)
    dialogue = np.zeros(len(number), np.bool_)
    begins = np.flatnonzero(np.diff(number[order], prepend=-1)).astype(np.int32)
    if len(number):
        roles = columns.role[order]
        several = np.minimum.reduceat(roles, begins) != np.maximum.reduceat(roles, begins)
        dialogue = several[number]
    beside = np.stack([_neighbours(number, dialogue, order, n) for n in NEIGHBOUR_DISTANCES], axis=1)
    before = beside[:, 0]
    replies = np.flatnonzero((before >= 0) & columns.asks[before]).astype(np.int32) if len(before) else before
    return Dialogues(
        number, order, begins, dialogue, columns.asks, replies, before[replies], bool(dialogue.any()), beside
    )


def _talk_numbers(columns: MessageColumns) -> Rows:
    """A new talk begins with a new conversation and, within one, after a long silence."""
    order = np.argsort(columns.conversation, kind="stable")
    at, talk = columns.at[order], columns.conversation[order]
    # In which of these places, by conversation and time, a talk begins: silence of an unknown time is none
    begins = np.ones(len(order), np.bool_)
    silent = np.abs(at[1:] - at[:-1]) > MAX_SILENCE_US
    silent &= (at[1:] != NO_TIME) & (at[:-1] != NO_TIME)
    begins[1:] = (talk[1:] != talk[:-1]) | silent
    by_place = np.cumsum(begins) - 1
    first_rows = order[begins]
    rank = np.empty(len(first_rows), np.int32)
    rank[np.argsort(first_rows)] = np.arange(len(first_rows), dtype=np.int32)
    number = np.empty(len(order), np.int32)
    number[order] = rank[by_place]
    return number


def _neighbours(number: Rows, dialogue: Flags, order: Rows, distance: int) -> Rows:
    """The row that stands ``distance`` before each row in the same dialogue, -1 where none does."""
    found = np.full(len(number), -1, np.int32)
    if abs(distance) >= len(number):
        return found
    here, there = (
        (order[distance:], order[:-distance]) if distance > 0 else (order[:distance], order[-distance:])
    )
    same = (number[here] == number[there]) & dialogue[here]
    found[here[same]] = there[same]
    return found
