"""The numbers of a statement, by which it is told from another: however they are written."""

from __future__ import annotations

import pytest

from winnow.language.normalize import normalise
from winnow.retrieve.facts.extract import numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("three cats", [3]),
        ("a cat", []),
        ("one of the cats", []),
        ("2k steps", [2000]),
        ("1.5k", [1500]),
        ("1,200 euros", [1200]),
        ("5mg a day", [5]),
        ("2.5 km", [2.5]),
        ("two and a half", [2.5]),
        ("twenty five percent", [25]),
        ("at 14:30", [2.5]),
        ("at 2:30", [2.5]),
        ("ten to eight", [7.833]),
        ("quarter past seven", [7.25]),
        ("half past nine", [9.5]),
        ("at 8 am", [8]),
        ("at 8 pm", [8]),
        ("on march 3rd", [3, 3]),
        ("on december 3rd", [3, 12]),
        ("in may", []),
        ("3/4/2023", [3, 4, 2023]),
        ("十二个", [12]),
        ("三点半", [3.5]),
        ("十五点", [3]),
    ],
)
def test_numbers_are_found_however_they_are_written(text: str, found: list[float]) -> None:
    assert sorted(numbers(normalise(text))) == sorted(found)
