"""Times in what people say, counted from the day they say it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.language.tables import parse_yaml
from winnow.retrieve.times.index import asks_for_time
from winnow.retrieve.times.spans import day_spans, time_anchors

SAID_AT = datetime.fromisoformat("2023-08-16T10:30")
CASES: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("test_times.yaml").read_text("utf-8"))

PIECES = (
    *(
        "last ",
        "next ",
        "the ",
        "May ",
        "31",
        "2023",
        "999 ",
        "0",
        " weeks",
        " ago",
        " before ",
        "Friday ",
        "first ",
    ),
    *(
        "of ",
        "spring ",
        "to ",
        "since ",
        "early ",
        "-",
        "/",
        "Christmas ",
        "去年",
        "五月",
        "三十",
        "号",
        "上上",
        "周",
    ),
    *("日", "国庆", "前", "后", "两天", "到", "第一个", "周末", "底", "99年", "我生日", "从", "几", "个月"),
)
"""Words of times, to be put together in ways that nobody says."""


def days(meant: date | list[date]) -> tuple[date, date]:
    return (meant, meant) if isinstance(meant, date) else (meant[0], meant[1])


@pytest.mark.parametrize(("text", "meant"), CASES["english"] + CASES["chinese"])
def test_a_time_is_the_days_it_means(text: str, meant: date | list[date]) -> None:
    assert [(span.start, span.end) for span in day_spans(text, SAID_AT)] == [days(meant)]


@pytest.mark.parametrize("text", CASES["none"])
def test_words_that_are_no_times_name_none(text: str) -> None:
    assert day_spans(text, SAID_AT) == ()


@pytest.mark.parametrize(("text", "words", "day", "meant"), CASES["anchors"])
def test_a_time_told_by_an_event_waits_for_the_day_of_it(
    text: str, words: str, day: date, meant: date | list[date]
) -> None:
    (anchor,) = time_anchors(text)
    found = anchor.resolve({words: day}.get)
    assert found is not None
    assert (found.start, found.end) == days(meant)
    assert anchor.resolve(lambda _: None) is None
    assert day_spans(text, SAID_AT) == ()


LEANING = [
    (row, yearly)
    for part, yearly in (("every_year", True), ("from_time_to_time", False))
    for row in CASES[part]
]


@pytest.mark.parametrize(("row", "yearly"), LEANING, ids=[row[0] for row, _ in LEANING])
def test_of_times_that_come_again_the_one_that_is_asked_for_is_meant(row: list[Any], yearly: bool) -> None:
    text, *meant = row
    found = [span for lean in ("past", "near", "next") for span in day_spans(text, SAID_AT, lean)]
    assert [(span.start, span.end, span.yearly) for span in found] == [(*days(one), yearly) for one in meant]


def test_several_times_of_one_sentence_stand_in_order() -> None:
    found = day_spans("Yesterday I booked it, and in 2021 we had been there, last week too", SAID_AT)
    assert [span.text for span in found] == ["yesterday", "2021", "last week"]


def test_a_day_of_no_year_is_the_nearest_and_says_so() -> None:
    (told,) = day_spans("my birthday is January 9", SAID_AT)
    assert (told.start, told.yearly) == (date(2024, 1, 9), True)
    (asked,) = day_spans("what did I get on January 9?", SAID_AT, "past")
    assert asked.start == date(2023, 1, 9)
    (dated,) = day_spans("January 9, 2023", SAID_AT)
    assert not dated.yearly


def test_open_ranges_reach_as_far_as_days_go() -> None:
    (until,) = day_spans("everything until 3 May 2020", SAID_AT)
    (after,) = day_spans("2020年5月3日以后", SAID_AT)
    assert (until.start.year, until.end) == (1900, date(2020, 5, 3))
    assert (after.start, after.end.year) == (date(2020, 5, 4), 2199)


def test_days_that_no_calendar_has_are_none() -> None:
    assert day_spans("June 31 2023 and 2月30日", SAID_AT) == ()


def test_vague_words_are_believed_less() -> None:
    exact, vague = day_spans("yesterday, recently", SAID_AT)
    assert vague.exactness < exact.exactness == 1


@pytest.mark.parametrize(
    "text",
    ["When did we buy the boat?", "What year was that?", "我什么时候搬的家", "他生日是几月", "哪天开会"],
)
def test_questions_for_a_time_are_known(text: str) -> None:
    assert asks_for_time(text)


@pytest.mark.parametrize("text", ["What did we buy last week?", "上周买了什么", "whenever you like"])
def test_questions_with_a_time_ask_for_something_else(text: str) -> None:
    assert not asks_for_time(text)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join) | st.text(max_size=80))
@settings(max_examples=300)
def test_whatever_is_said_spans_are_in_order_and_within_the_years_there_are(text: str) -> None:
    for span in day_spans(text, SAID_AT):
        assert date(1900, 1, 1) <= span.start <= span.end <= date(2199, 12, 31)
        assert 0 < span.exactness <= 1
        assert span.text
    assert all(anchor.words for anchor in time_anchors(text))
