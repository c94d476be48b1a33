"""What was said anew later is found by rules of language, and what still holds is left alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.tables import parse_yaml
from winnow.retrieve.statements.supersession import (
    Supersession,
    newest_first,
    text_claims,
)
from winnow.types.message import Message

CASES = parse_yaml(Path(__file__).with_name("supersession.yaml").read_text("utf-8"))
START = datetime(2026, 1, 1, 8)  # noqa: DTZ001 - the clock on the wall


def said(*texts: str, role: str = "user") -> list[Message]:
    """Messages a day apart, the first the oldest."""
    return [Message(f"m{n}", role, text, START + timedelta(days=n)) for n, text in enumerate(texts)]


def cases(kind: str) -> list[tuple[str, str]]:
    return [(old, new) for language in CASES for old, new in CASES[language][kind]]


@pytest.mark.parametrize(("old", "new"), cases("replaced"))
def test_what_is_said_anew_of_one_thing_replaces_the_older(old: str, new: str) -> None:
    assert Supersession.from_messages(said(old, new)).replaced == {0: 1}


@pytest.mark.parametrize(("old", "new"), cases("holds"))
def test_two_that_hold_side_by_side_are_left_alone(old: str, new: str) -> None:
    assert Supersession.from_messages(said(old, new)).newer == {}


@pytest.mark.parametrize(("old", "new"), cases("replaced"))
def test_the_same_said_twice_replaces_nothing(old: str, new: str) -> None:
    assert Supersession.from_messages(said(new, new)).newer == {}


def test_the_last_of_three_values_replaces_both_before() -> None:
    told = Supersession.from_messages(
        said("My locker code is 4417.", "My locker code is 9021.", "My locker code is 3358.")
    )
    assert told.replaced == {0: 2, 1: 2}


def test_a_value_that_is_said_again_later_holds() -> None:
    told = Supersession.from_messages(said("我的工位在12楼", "我的工位在15楼", "我的工位在12楼"))
    assert told.replaced == {1: 2}


def test_other_speakers_speak_of_themselves() -> None:
    ann, ben = said("I live in Portland.", role="Ann"), said("I live in Denver.", role="Ben")
    assert Supersession.from_messages([*ann, *ben]).newer == {}


def test_what_an_assistant_says_is_nobody_s_statement() -> None:
    echo = said("My locker code is 9021.", role="assistant")
    assert Supersession.from_messages([*said("My locker code is 4417."), *echo]).newer == {}


def test_my_colleague_with_two_names_is_two_people() -> None:
    one = ["我同事叫李明", "我同事的电话是13800001111"]
    assert Supersession.from_messages(said(*one, "我同事的电话是13900002222")).newer == {1: 2}
    assert Supersession.from_messages(said(*one, "我同事叫王芳", "我同事的电话是13900002222")).newer == {}


def test_a_message_that_states_more_is_newer_elsewhere_but_not_outdated() -> None:
    told = Supersession.from_messages(
        said("I live in Portland. My locker code is 4417.", "My locker code is 9021.")
    )
    assert (told.newer, told.replaced) == ({0: 1}, {})


def test_the_newest_stands_before_what_it_replaced_and_the_rest_keeps_its_order() -> None:
    told = Supersession.from_messages(
        said("I have a cat.", "I live in Portland.", "I like tea.", "I moved to Denver.")
    )
    found = newest_first([0, 1, 2, 3], told)
    assert found.rows == (0, 3, 1, 2)
    assert found.replaced == {1: 3}


def test_a_newer_statement_that_was_not_found_is_put_in() -> None:
    told = Supersession.from_messages(said("I live in Portland.", "I moved to Denver."))
    assert newest_first([0], told).rows == (1, 0)


def test_a_question_states_nothing() -> None:
    assert text_claims("我的电话是多少？") == text_claims("Is my locker code 4417?") == ()


@given(st.lists(st.sampled_from([text for pair in cases("replaced") for text in pair]), max_size=8))
def test_rows_are_kept_and_replacements_point_to_later_rows(texts: list[str]) -> None:
    told = Supersession.from_messages(said(*texts))
    rows = tuple(reversed(range(len(texts))))
    assert sorted(newest_first(rows, told).rows) == sorted(rows)
    assert all(old < new for old, new in told.newer.items())
    assert told.replaced.items() <= told.newer.items()


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(text_claims(text), tuple)
