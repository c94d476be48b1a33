"""The talks of a history: which messages answer each other, who speaks in them, what stands beside what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import numpy.typing as npt

from winnow.recall.history.language import words
from winnow.types.message import Message

Rows = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
GAP = timedelta(hours=1)
"""Longer silence ends a talk."""
ENDING = 40
"""A message asks if a question mark stands among so many characters at its end."""
BESIDE = (1, 2, -1, -2)
"""How far before (positive) or after a message its neighbours stand."""


@dataclass(frozen=True, slots=True)
class Talks:
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


def talks_of(messages: Sequence[Message]) -> Talks:
    """The talks of messages, oldest first. Talks may be mixed, if their conversations tell them apart."""
    number = _numbers(messages)
    dialogue = _dialogue(number, [message.role for message in messages])
    marks = tuple(words()["question_marks"])
    asks = np.array([any(mark in m.content[-ENDING:] for mark in marks) for m in messages], np.bool_)
    order = np.argsort(number, kind="stable")
    beside = {distance: _neighbours(number, dialogue, order, distance) for distance in BESIDE}
    before = beside[1]
    replies = np.flatnonzero((before >= 0) & asks[before]).astype(np.int32) if len(before) else before
    return Talks(number, dialogue, asks, replies, bool(dialogue.any()), beside)


def _numbers(messages: Sequence[Message]) -> Rows:
    """A new talk begins with a new conversation and, within one, after a long silence."""
    last: dict[str, tuple[int, Message]] = {}
    numbers: list[int] = []
    count = 0
    for message in messages:
        number, before = last.get(message.conversation, (-1, message))
        if number < 0 or _silence(before, message):
            number, count = count, count + 1
        last[message.conversation] = number, message
        numbers.append(number)
    return np.array(numbers, np.int32)


def _silence(before: Message, message: Message) -> bool:
    return before.at is not None and message.at is not None and abs(message.at - before.at) > GAP


def _dialogue(number: Rows, roles: Sequence[str]) -> Flags:
    speakers: dict[int, set[str]] = {}
    for talk, role in zip(number.tolist(), roles, strict=True):
        speakers.setdefault(talk, set()).add(role)
    return np.array([len(speakers[talk]) > 1 for talk in number.tolist()], np.bool_)


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
