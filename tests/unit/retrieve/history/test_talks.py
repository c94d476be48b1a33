"""The words a message is found by that tell of its day."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from winnow.retrieve.history.talks import (
    MessageColumns,
    day_words,
    moment_words,
    split_dialogues,
)
from winnow.retrieve.history.terms import NameNumbers
from winnow.types.message import Message

SPRING, AUTUMN = ("january february march april may june", "july august september october november december")
MONTHS = [*SPRING.split(), *AUTUMN.split()]
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@pytest.mark.parametrize("number", range(12))
def test_a_message_is_found_by_the_names_of_its_day_and_by_no_others(number: int) -> None:
    at = date(2023, number + 1, 7) + timedelta(days=number)
    words = set(day_words(at))
    assert [name for name in MONTHS if set(moment_words(name)) <= words] == [MONTHS[number]]
    assert [name for name in WEEKDAYS if set(moment_words(name)) <= words] == [WEEKDAYS[at.weekday()]]
    assert {"2023", f"{at.day:02d}", str(at.month)} <= words


def test_an_unknown_day_has_no_words() -> None:
    assert day_words(None) == ()


SAID_AT = datetime.fromisoformat("2024-05-01T09:00")


def told(rows: str) -> list[Message]:
    """``a1u?`` is a question of the user in conversation ``a``, a minute after 9; ``*`` when nobody knows."""
    made = []
    for number, row in enumerate(rows.split()):
        talk, minutes, who = row[0], row[1:].rstrip("ub?"), row.rstrip("?")[-1]
        at = None if minutes == "*" else SAID_AT + timedelta(minutes=int(minutes))
        text = "so?" if row.endswith("?") else "so."
        made.append(Message(f"m{number}", "user" if who == "u" else "assistant", text, at, talk))
    return made


@pytest.mark.parametrize(
    ("rows", "numbers", "dialogue", "replies"),
    [
        ("a0u a1b", [0, 0], [True, True], []),
        ("a0u? a1b", [0, 0], [True, True], [(1, 0)]),
        ("a0u? a1u", [0, 0], [False, False], []),  # one speaks alone
        ("a0u? b1b", [0, 1], [False, False], []),
        ("a0u? b1u a2b b3b", [0, 1, 0, 1], [True] * 4, [(2, 0)]),
        ("a0u a30b a99999u a99999b", [0, 0, 1, 1], [True] * 4, []),  # after a long silence
        ("a0u? a*b a99999u", [0, 0, 0], [True] * 3, [(1, 0)]),
        ("a0u? a1b? a2u", [0, 0, 0], [True] * 3, [(1, 0), (2, 1)]),
        ("b5u a0b", [0, 1], [False, False], []),
        ("a0u", [0], [False], []),
        ("", [], [], []),
    ],
)
def test_messages_are_split_into_talks_and_replies_follow_questions(
    rows: str, numbers: list[int], dialogue: list[bool], replies: list[tuple[int, int]]
) -> None:
    found = split_dialogues(MessageColumns.of(told(rows), NameNumbers(), NameNumbers()))
    assert (found.number.tolist(), found.dialogue.tolist()) == (numbers, dialogue)
    assert list(zip(found.replies.tolist(), found.replied.tolist(), strict=True)) == replies
    assert found.any_dialogue == any(dialogue)
    by_talk = sorted(range(len(numbers)), key=lambda row: (numbers[row], row))
    assert found.order.tolist() == by_talk
    assert found.begins.tolist() == [by_talk.index(numbers.index(n)) for n in sorted(set(numbers))]


def test_neighbours_stand_one_or_two_before_or_behind_in_the_same_talk() -> None:
    found = split_dialogues(MessageColumns.of(told("a0u b0u a1b b1b a2u"), NameNumbers(), NameNumbers()))
    assert found.beside.tolist() == [
        [-1, -1, 2, 4],
        [-1, -1, 3, -1],
        [0, -1, 4, -1],
        [1, -1, -1, -1],
        [2, 0, -1, -1],
    ]
