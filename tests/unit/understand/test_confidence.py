"""How sure a reading is tells what was said from what was guessed."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.types.query import QueryIR

HOMES = {"zh": "home40", "en": "cottage"}


def read(text: str, language: str = "zh") -> QueryIR:
    return engine(HOMES[language]).sync.retrieve(text).reading.queries[0]


@pytest.mark.parametrize(
    ("language", "text"), [("zh", "打开书房的台灯"), ("en", "turn off the kitchen lights")]
)
def test_a_plain_order_is_sure_in_every_slot(language: str, text: str) -> None:
    confidence = read(text, language).confidence
    assert confidence.overall == 1.0
    assert set(confidence.slots) == {"action", "target", "scope"}


def test_an_unknown_word_lowers_the_target_and_asks_for_help() -> None:
    query = read("打开书房的啵啵球")
    assert query.confidence.slots["target"] < 0.7
    assert query.confidence.overall < read("打开书房的台灯").confidence.overall


def test_an_act_told_by_its_value_is_less_sure_than_one_that_is_named() -> None:
    assert read("空调26度").confidence.slots["action"] < read("空调调到26度").confidence.slots["action"]


def test_a_misheard_name_is_less_sure() -> None:
    assert read("打开书房的抬灯").confidence.slots["target"] < 1.0


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("别开台灯", "negation"),
        ("除了台灯，把书房的灯都关了", "exception"),
        ("如果室温高于28度就打开空调", "condition"),
    ],
)
def test_what_must_not_be_lost_is_flagged(text: str, flag: str) -> None:
    assert flag in read(text).risk_flags
