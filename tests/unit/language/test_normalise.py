"""One spelling for text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.normalize import fold, is_han, normalise
from winnow.language.registry import language_of


@given(st.text(max_size=80))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(max_size=80), st.integers(1, 20))
def test_the_limit_holds_and_stays_idempotent(text: str, limit: int) -> None:
    once = normalise(text, limit)
    assert len(once) <= limit
    assert normalise(once, limit) == once


@given(st.text(max_size=40))
def test_normalised_text_can_be_written_as_utf8(text: str) -> None:
    assert normalise(text).encode().decode() == normalise(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("幫我把臥室裏的檯燈調到５０％", "帮我把卧室里的台灯调到50%"),
        ("臺燈 檯燈 枱燈", "台灯 台灯 台灯"),
        ("喺書房開著", "喺书房开着"),
        ("  Living\t Room \n", "living room"),
        ("“Reading” ‘lamp’", "\"reading\" 'lamp'"),
        ("客\u200b厅\u202e灯\u00ad", "客厅灯"),
        ("26℃", "26°c"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("❤️", "❤"),
        ("\ud800x", "x"),
        ("", ""),
    ],
)
def test_spellings_come_together(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("a", "b"), [("Living Room", "livingroom"), ("客厅-灯（1）", "客廳燈1"), ("Tom's lamp", "toms_lamp")]
)
def test_names_fold_to_one_key(a: str, b: str) -> None:
    assert fold(a) == fold(b)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("打开tv", "zh"),
        ("turn on 客厅灯", "zh"),
        ("turn on the light", "en"),
        ("turn the lamp in 厅 off now", "en"),
        ("", "en"),
        ("123", "en"),
    ],
)
def test_the_language_is_the_script_most_words_are_in(text: str, language: str) -> None:
    assert language_of(text) == language


def test_han_is_told_from_other_letters() -> None:
    assert [is_han(c) for c in "灯𠮷a1あ，"] == [True, True, False, False, False, False]
