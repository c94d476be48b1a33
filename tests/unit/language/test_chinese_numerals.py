"""What Chinese numerals are worth."""

from __future__ import annotations

import pytest

from winnow.language.numbers.numerals import chinese_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10),
        ("二十", 20),
        ("二十六", 26),
        ("百", 100),
        ("一百", 100),
        ("一百零五", 105),
        ("一百一十", 110),
        ("两百五", 250),  # a digit at the end counts tenths of the unit before it
        ("三百二", 320),
        ("两千七", 2700),
        ("千五", 1500),
        ("一千零二十", 1020),
        ("九千九百九十九", 9999),
        ("三万", 30000),
        ("三万五", 35000),
        ("十二万", 120000),
        ("十万零五百", 100500),
        ("五万零三百", 50300),
        ("一亿二千万", 120_000_000),
        ("三亿零五十", 300_000_050),
        ("一万亿", 1_000_000_000_000),
        ("零五", 5),
        ("二零二五", 2025),
        ("三点五", 3.5),
        ("十二点零五", 12.05),
        ("三点", None),
        ("点五", None),
        ("三十四十", None),
        ("灯", None),
        ("", None),
    ],
)
def test_a_numeral_is_worth(text: str, value: float | None) -> None:
    assert chinese_value(text) == value
