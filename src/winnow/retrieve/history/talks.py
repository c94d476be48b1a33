"""Dialogues of a history: speakers, neighbours, questions and replies, and what the days are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import normalise
from winnow.language.tables import table
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


def day_words(at: datetime | None) -> tuple[str, ...]:
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


def rows_by_name(roles: Sequence[str]) -> Mapping[str, Rows]:
    """Part of a name -> the messages of whoever is called so. Roles such as ``user`` are no names."""
    return _rows(roles, {role: name_parts(role) for role in set(roles)})


def rows_by_side(roles: Sequence[str]) -> Mapping[str, Rows]:
    """``user`` and ``assistant`` -> their messages; none where only one of them speaks."""
    tables: dict[str, list[str]] = history_words()["roles"]
    found = _rows(roles, {r: [s for s, names in tables.items() if r.lower() in names] for r in set(roles)})
    return found if len(found) > 1 else {}


def sides_in(text: str) -> tuple[str, ...]:
    """Whose words a question is about, where it says so: ``what did you suggest``."""
    return tuple(side for side in history_words()["said_by"] if history_pattern("said_by", side).search(text))


_NO_WORD = re.compile(r"[\W_]+")


def asks_what_was_said(text: str, times: Collection[str]) -> bool:
    """Whether a question asks what was said, and names nothing beside a time: ``what did I say last``."""
    text = text.lower()
    for time in times:
        text = text.replace(time.lower(), " ")
    left = history_pattern("last_said", "empty").sub(" ", text)
    return bool(history_pattern("last_said", "asks").search(text)) and not _NO_WORD.sub("", left)


def _rows(roles: Sequence[str], parts: Mapping[str, Sequence[str]]) -> Mapping[str, Rows]:
    """Part -> the rows of the roles that have it."""
    found: dict[str, list[int]] = {}
    for row, role in enumerate(roles):
        for part in parts[role]:
            found.setdefault(part, []).append(row)
    return {part: np.array(rows, np.int32) for part, rows in found.items()}


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
"""How far before (positive) or after a message its neighbours stand."""


@dataclass(frozen=True, slots=True)
class Dialogues:
    """For each message its talk and its neighbours there. Where only one speaks nobody answers anybody."""

    number: Rows
    """The talk of each message, counted from 0 in order of their first messages."""
    dialogue: Flags
    """Whether more than one speaks in the message's talk."""
    asks: Flags
    """Whether the message ends in a question."""
    replies: Rows
    """The messages that follow a question."""
    any_dialogue: bool
    beside: Mapping[int, Rows]
    """For each distance the row of the message that stands so far before each; -1 where none of its talk."""

    @property
    def count(self) -> int:
        """How many talks."""
        return int(self.number.max()) + 1 if len(self.number) else 0


def split_dialogues(messages: Sequence[Message]) -> Dialogues:
    """The talks of messages, oldest first. Talks may be mixed, if their conversations tell them apart."""
    number = _numbers(messages)
    roles = [message.role for message in messages]
    speakers: dict[int, set[str]] = {}
    for talk, role in zip(number.tolist(), roles, strict=True):
        speakers.setdefault(talk, set()).add(role)
    dialogue = np.array([len(speakers[talk]) > 1 for talk in number.tolist()], np.bool_)
    marks = tuple(history_words()["question_marks"])
    asks = np.array(
        [any(mark in m.content[-QUESTION_TAIL_CHARS:] for mark in marks) for m in messages], np.bool_
    )
    order = np.argsort(number, kind="stable")
    beside = {distance: _neighbours(number, dialogue, order, distance) for distance in NEIGHBOUR_DISTANCES}
    before = beside[1]
    replies = np.flatnonzero((before >= 0) & asks[before]).astype(np.int32) if len(before) else before
    return Dialogues(number, dialogue, asks, replies, bool(dialogue.any()), beside)


def _numbers(messages: Sequence[Message]) -> Rows:
    """A new talk begins with a new conversation and, within one, after a long silence."""
    last: dict[str, tuple[int, Message]] = {}
    numbers: list[int] = []
    count = 0
    for message in messages:
        number, before = last.get(message.conversation, (-1, message))
        if number < 0 or (
            before.at is not None and message.at is not None and abs(message.at - before.at) > MAX_SILENCE
        ):
            number, count = count, count + 1
        last[message.conversation] = number, message
        numbers.append(number)
    return np.array(numbers, np.int32)


def _neighbours(number: Rows, dialogue: Flags, order: npt.NDArray[np.intp], distance: int) -> Rows:
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
