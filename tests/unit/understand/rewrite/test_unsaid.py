"""A rewrite adds no word that the history never said."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import unsaid

ZH = (Turn("user", "番茄炖牛腩怎么做"), Turn("assistant", "先把牛腩焯水，再和番茄一起炖一个半小时。"))
EN = (
    Turn("user", "Who painted the ceiling of the old chapel?"),
    Turn("assistant", "It was painted by two brothers in 1712."),
)


@pytest.mark.parametrize("text", ["番茄炖牛腩要放多少糖", "番茄炖牛腩的牛腩要不要焯水", "这个要放多少糖呢"])
def test_words_of_the_talk_and_grammar_are_nobodys_invention(text: str) -> None:
    assert unsaid(text, "这个要放多少糖", ZH) == ()


@pytest.mark.parametrize(
    ("text", "strange"), [("低脂的番茄炖牛腩要放多少糖", "脂"), ("红烧牛腩要放多少糖", "烧")]
)
def test_a_chinese_word_that_nobody_said_is_found(text: str, strange: str) -> None:
    assert strange in "".join(unsaid(text, "这个要放多少糖", ZH))


@pytest.mark.parametrize(
    "text", ["When did two brothers paint the ceiling of the old chapel?", "Is the old chapel open?"]
)
def test_other_forms_of_an_english_word_count_as_said(text: str) -> None:
    assert unsaid(text, "when did they do it? is it open?", EN) == ()


@pytest.mark.parametrize(
    ("text", "strange"), [("Who painted the famous ceiling?", "famous"), ("Was it painted in 1713?", "1713")]
)
def test_an_english_word_or_number_that_nobody_said_is_found(text: str, strange: str) -> None:
    assert unsaid(text, "who painted it?", EN) == (strange,)
