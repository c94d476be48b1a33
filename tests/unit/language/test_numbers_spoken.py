"""Numbers as people and recognisers say them."""

from __future__ import annotations

import pytest

from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.numbers.numerals import VAGUE


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("turn it to three fifty", 350, ""),
        ("meet me at three fifty", 3 + 50 / 60, "clock"),
        ("make it one zero percent", 10, "%"),
        ("make it double five percent", 55, "%"),
        ("heat it to sixty ate", 68, ""),
        ("make it twenty too degrees", 22, "degree"),
        ("dim it to for tea percent", 40, "%"),
        ("freeze it to ten below zero", -10, "degree"),
        ("six out of ten", 60, "%"),
        ("half a dozen", 6, ""),
        ("three fourths", 75, "%"),
        ("dim it to point five", 0.5, ""),
        ("fifty-fifty", 50, "%"),
        ("the third gear", 3, "level"),
        ("cool it to ４ ０ %", 40, "%"),
        ("廿五度", 25, "degree"),
        ("卅度", 30, "degree"),
        ("三十趴", 30, "%"),
        ("调到幺八", 18, ""),
        ("七分亮", 70, "%"),
        ("一半的一半", 25, "%"),
        ("八百转", 800, "rpm"),
        ("一分半钟", 1.5, "minute"),
    ],
)
def test_a_spoken_number_has_its_value(text: str, value: float, unit: str) -> None:
    (number,) = find_numbers(normalise(text))
    assert number.value == pytest.approx(value)
    assert number.unit == unit


@pytest.mark.parametrize(
    "text",
    ["twenty-odd degrees", "20ish", "a few notches", "二十来度", "两三格", "三四十度", "一大半", "十几度"],
)
def test_a_vague_number_is_none_to_act_on(text: str) -> None:
    assert [n.unit for n in find_numbers(text)] == [VAGUE]


@pytest.mark.parametrize(
    "text", ["they ate for two hours too", "the lamp next to the tree", "大半夜", "来几把椅子"]
)
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert all(n.unit == "hour" for n in find_numbers(text))
