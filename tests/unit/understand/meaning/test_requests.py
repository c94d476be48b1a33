"""Requests told from talk, word by word, where the grammar reads neither order nor question."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.understand.reading import is_asked_of_home, is_request, strange_words, tokens_of

WANTED = (
    ("cottage", "could you zimbit the reading lamp"),
    ("cottage", "my feet hurt so fnargle the hall light"),
    ("cottage", "he lost his torch turn on the porch lantern"),
    ("home40", "帮我把客厅的主灯嘎啵"),
    ("home40", "孩子写完作业了把主灯嘎啵"),
)
TALK = (
    ("cottage", "I turned off the reading lamp"),
    ("cottage", "we usually turn on the porch lantern"),
    ("cottage", "I'll turn on the porch lantern"),
    ("cottage", "she said turn off the reading lamp"),
    ("cottage", "fnargle the hall light, never mind"),
    ("cottage", "I would like a holiday"),
    ("home40", "我把主灯关了"),
    ("home40", "昨天把主灯关了"),
    ("home40", "妈妈说把主灯关了"),
    ("home40", "今天真好玩"),
)


@pytest.mark.parametrize(
    ("home", "said", "wanted"), [(*row, True) for row in WANTED] + [(*row, False) for row in TALK]
)
def test_a_request_is_told_from_talk(home: str, said: str, wanted: bool) -> None:
    language = "zh" if home == "home40" else "en"
    tokens = tokens_of(said.lower(), engine(home).sync.load_home().vocabulary, reading=False)
    assert is_request(tokens, language) == wanted


@pytest.mark.parametrize(
    ("said", "stated", "asked"),
    [
        ("is the reading lamp on", False, True),
        ("how zimbit is the hall", True, True),
        ("how zimbit is the hall", False, False),
        ("how do i clean the kettle", True, False),
        ("how warm is it in spain", True, False),
    ],
)
def test_a_question_is_of_the_home_where_it_names_something_of_it(
    said: str, stated: bool, asked: bool
) -> None:
    tokens = tokens_of(said, engine("cottage").sync.load_home().vocabulary, reading=False)
    assert is_asked_of_home(tokens, "en", stated=stated) == asked


def test_strange_words_are_those_nobody_knows_and_chinese_ones_side_by_side_are_one() -> None:
    english = tokens_of(
        "could we zimbit the hall and zimbit", engine("cottage").sync.load_home().vocabulary, reading=False
    )
    chinese = tokens_of("把主灯嘎啵哐嘁", engine("home40").sync.load_home().vocabulary, reading=False)
    assert strange_words(english, "en") == ("zimbit",)
    assert strange_words(chinese, "zh") == ("嘎啵哐嘁",)
