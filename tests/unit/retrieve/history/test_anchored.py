"""What happened two days before the wedding: the messages know when that was."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from tests.unit.retrieve.history.talks import TABLE

from winnow.retrieve.history.features import event_day, event_times
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import search_history
from winnow.types.candidate import Search
from winnow.types.message import Message

ASKED_AT = datetime.fromisoformat("2024-06-20T12:00")
TOLD = {
    "2024-01-05": "my birthday is on June 3",
    "2024-03-02": "we moved to the harbour today",
    "2024-03-06": "baked bread in the new oven",
    "2024-04-14": "the wedding of Ann and Tom was yesterday",
    "2024-04-20": "baked a cake with plums",
    "2024-06-01": "baked scones",
    "2024-06-05": "烤了饼干",
    "2024-06-12": "baked rolls",
    "2024-06-14": "我的生日是6月3号",
    "2024-06-15": "烤了面包",
}


@pytest.fixture(scope="module")
def index() -> HistoryIndex:
    return build_history(
        [Message(day, "user", text, datetime.fromisoformat(day)) for day, text in TOLD.items()], TABLE
    )


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("my birthday", date(2024, 6, 3)),
        ("the wedding", date(2024, 4, 13)),
        ("we moved to the harbour", date(2024, 3, 2)),
        ("生日", date(2024, 6, 3)),
        ("the funeral", None),
        ("小明婚礼", None),
        ("it", None),
    ],
)
def test_the_day_of_an_event_is_what_a_message_says_or_the_day_it_was_told(
    index: HistoryIndex, words: str, day: date | None
) -> None:
    assert event_day(words, ASKED_AT, index) == day


def test_a_birthday_is_the_last_before_the_question(index: HistoryIndex) -> None:
    assert event_day("my birthday", datetime.fromisoformat("2025-02-01"), index) == date(2024, 6, 3)
    assert event_day("my birthday", datetime.fromisoformat("2024-02-01"), index) == date(2023, 6, 3)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what did I bake two days before my birthday?", "2024-06-01"),
        ("what did I bake the week after the wedding?", "2024-04-20"),
        ("what did I bake four days after we moved?", "2024-03-06"),
        ("我生日后的那个周三烤了什么？", "2024-06-05"),
    ],
)
def test_what_was_done_then_is_found(index: HistoryIndex, text: str, found: str) -> None:
    baked = [c.ref.id for c in search_history(Search(text, ASKED_AT), index).candidates]
    others = [day for day, told in TOLD.items() if told[:2] == TOLD[found][:2] and day != found]
    assert min(map(baked.index, others)) > baked.index(found)


def test_an_event_that_nobody_told_names_no_time(index: HistoryIndex) -> None:
    assert event_times("what did I bake two days before the funeral?", ASKED_AT, index) == ()


def test_a_history_without_times_knows_no_days() -> None:
    undated = build_history([Message("1", "user", "we moved to the harbour")], TABLE)
    assert event_day("we moved to the harbour", ASKED_AT, undated) is None
