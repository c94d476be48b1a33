"""What is asked about a thing of the last reply is no business of the home; an order is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.homes import engine

from winnow.language.normalize import is_han
from winnow.language.tables import parse_yaml
from winnow.types.query import IntentSource
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Act, Confirm, Nothing, Query

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def talk(*said: str) -> tuple[Turn, ...]:
    return tuple(Turn("assistant" if n % 2 else "user", text) for n, text in enumerate(said))


TALKS = {
    "soups": talk("What soup shall I make?", "1. Chowder\n2. Borscht\n3. Pho"),
    "museums": talk("Which museums?", "Three: **Glass House**, **Old Mint** and **Sea View**."),
    "bread": talk("How do I make bread?", "Mix, rest, bake."),
    "lights": talk("Which lights are on?", "The kitchen light and the bedroom lamp are on."),
    "菜": talk("晚饭吃什么", "推荐：1、番茄炒蛋；2、麻婆豆腐；3、清炒时蔬"),
    "景点": talk("周末去哪玩", "可以去西湖、灵隐寺或者宋城。"),
    "红烧肉": talk("红烧肉怎么做", "切块、炒糖色、炖。"),
    "灯": talk("有哪些灯是开着的", "客厅灯和卧室灯开着。"),
    "": (),
}


def source(text: str, said: str) -> IntentSource:
    home = "home40" if any(map(is_han, text)) else "cottage"
    found = engine(home).sync.retrieve(Utterance(text, history=TALKS[said]))
    assert found.intent is not None
    if said and found.intent.source == "knowledge":
        assert found.verdict == Nothing("knowledge")
    return found.intent.source


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("soups", "tell me more about the first one"),
        ("soups", "more about the last one please"),
        ("soups", "what about the last one?"),
        ("soups", "I'd like to know more about the second one"),
        ("soups", "give me details on the second"),
        ("soups", "how hot should the second one be?"),
        ("museums", "when does the second one open?"),
        ("museums", "is the last one open now?"),
        ("museums", "does the first one have lights on at night?"),
        ("bread", "how hot?"),
        ("bread", "and the temperature?"),
        ("bread", "what temperature?"),
        ("bread", "tell me more"),
        ("bread", "more details please"),
        ("菜", "最后一个呢"),
        ("菜", "后者呢"),
        ("菜", "第一个要开大火吗"),
        ("菜", "第一个多少度"),
        ("菜", "最后一个热量高吗"),
        ("菜", "多说点第一个"),
        ("景点", "第二个几点关门"),
        ("景点", "第一个现在开着吗"),
        ("红烧肉", "温度呢"),
        ("红烧肉", "多少度"),
        ("红烧肉", "能不能少放点油"),
        ("红烧肉", "什么时候关火"),
        ("", "tell me more about the trip to the lake"),
    ],
)
def test_what_is_asked_about_the_reply_is_looked_up(said: str, text: str) -> None:
    assert source(text, said) == "knowledge"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("bread", "open that whatsit"),
        ("bread", "can you turn on that thingy?"),
        ("soups", "turn the first one on"),
        ("soups", "can you make it brighter?"),
        ("lights", "turn off the second one"),
        ("lights", "is the first one on?"),
        ("bread", "how warm is it in the bedroom?"),
        ("红烧肉", "打开那个啥玩意儿"),
        ("", "打开那个啥玩意儿"),
        ("红烧肉", "把那个啥打开"),
        ("红烧肉", "能不能开一下那玩意儿"),
        ("红烧肉", "能不能调高点"),
        ("红烧肉", "能不能关灯"),
        ("菜", "打开第一个"),
        ("灯", "把第一个关了"),
        ("灯", "后者关掉"),
    ],
)
def test_an_order_and_a_question_to_the_home_stay_with_it(said: str, text: str) -> None:
    assert source(text, said) == "devices"


@pytest.mark.parametrize("said", ["soups", "museums", "bread", "菜", "景点", "红烧肉"])
def test_no_order_is_swallowed_whatever_was_told_before(said: str) -> None:
    language = "en" if said.isascii() else "zh"
    rows = parse_yaml((SCENARIOS / f"{language}_plain.yaml").read_text("utf-8"))
    orders = [row for row in rows if {"say", "home"} <= row.keys() and not {"history", "before"} & row.keys()]
    assert len(orders) > 25
    for row in orders:
        ask = engine(row["home"]).sync.retrieve
        alone = ask(Utterance(row["say"], room=row.get("room", "")))
        if isinstance(alone.verdict, Act | Confirm | Query):
            after = ask(Utterance(row["say"], room=row.get("room", ""), history=TALKS[said]))
            assert type(after.verdict) is type(alone.verdict), (row["say"], after.verdict)
