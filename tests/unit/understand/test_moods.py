"""What is told, asked, reported, wished or for another home orders nothing, and the reading says so."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.home.small import reading


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("我刚把台灯关了", "told"),
        ("她总是开着台灯睡觉", "told"),
        ("谢谢你关了台灯", "told"),
        ("I have turned the desk lamp on", "told"),
        ("my plan is to turn off the desk lamp", "told"),
        ("you forgot to turn off the desk lamp", "told"),
        ("老师让大家关台灯", "reported"),
        ("the sign says turn off the desk lamp", "reported"),
        ("“关掉台灯”", "reported"),
        ("should I turn off the desk lamp", "asked"),
        ("when did I turn off the desk lamp", "asked"),
        ("你会开台灯吗", "asked"),
        ("希望台灯关着", "wish"),
        ("把我二叔家的台灯关了", "elsewhere"),
        ("台灯打开，我改主意了", "withdrawn"),
        ("turn off the desk lamp, I changed my mind", "withdrawn"),
    ],
)
def test_what_is_no_order_says_what_it_is(text: str, reason: str) -> None:
    made = reading(text)
    assert (made.intent, made.reason) == ("none", reason)
    assert not made.queries


@pytest.mark.parametrize(
    "text",
    [
        "我要把台灯关了",
        "I want you to turn off the desk lamp",
        "太亮了，把台灯关了",
        "it's too bright, turn off the desk lamp",
        "停一下，把台灯关了",
    ],
)
def test_a_wish_for_an_act_or_a_reason_beside_it_leaves_it_an_order(text: str) -> None:
    made = reading(text)
    assert made.intent == "command"
    assert [q.action in {"off", "off_close"} for q in made.queries if q.target.tokens] == [True]


@pytest.mark.parametrize(
    "text", ["别关台灯并打开窗帘", "停，别开台灯", "don't turn off the lamp and open the curtain"]
)
def test_a_prohibition_holds_for_what_and_adds_and_lends_nothing(text: str) -> None:
    assert all(q.negated for q in reading(text).queries)
