"""Pieces of text."""

from __future__ import annotations

import pytest

from winnow.language.gazetteer import runs, stem


def test_latin_words_and_chinese_runs_are_told_apart() -> None:
    assert runs("打开 tv2 的客厅灯, lamp-1") == (["tv2", "lamp", "1"], ["打开", "的客厅灯"])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("lights", "light"),
        ("dimming", "dim"),
        ("batteries", "battery"),
        ("closing", "close"),
        ("closed", "close"),
        ("switches", "switch"),
        ("boxes", "box"),
        ("opened", "open"),
        ("rooms", "room"),
    ],
)
def test_forms_of_a_word_share_a_stem(a: str, b: str) -> None:
    assert stem(a) == stem(b)


@pytest.mark.parametrize("word", ["gas", "bus", "glass", "red", "king", "tv2", "bed"])
def test_short_words_and_codes_are_left_alone(word: str) -> None:
    assert stem(word) == word
