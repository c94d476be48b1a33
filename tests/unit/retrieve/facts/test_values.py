"""Values of statements, in one spelling."""

from __future__ import annotations

import pytest

from winnow.retrieve.facts.values import new_values, parse_values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 mg", "five milligrams"),
        ("5mg", "5毫克"),
        ("7:45 pm", "19:45"),
        ("晚上8点", "8 in the evening"),
        ("3 May", "5月3日"),
        ("31 March 2028", "2028-03-31"),
        ("€915", "915 euros"),
        ("1,080 euros", "1080欧元"),
        ("二十公里", "20 km"),
        ("三个月", "3 months"),
        ("星期一", "周一"),
        ("555 0134 22", "555-0134-22"),
        ("half past seven", "7:30"),
        ("每天40毫克", "一天40mg"),
        ("3万元", "30000块"),
    ],
)
def test_two_spellings_are_one_value(one: str, other: str) -> None:
    assert not new_values(parse_values(one), parse_values(other))
    assert not new_values(parse_values(other), parse_values(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 mg", "5 g"),
        ("2.5 mg", "25 mg"),
        ("7:45 am", "7:45 pm"),
        ("早上八点", "晚上八点"),
        ("3 May", "5 March"),
        ("915 euros", "915 dollars"),
        ("3500元", "3500美元"),
        ("from 9 to 5", "from 5 to 9"),
        ("two dogs", "one dog"),
        ("seat 12A", "seat 12B"),
        ("周一", "周四"),
        ("62 kg", "62 lb"),
        ("13800551234", "13800552134"),
        ("31 March 2028", "31 March 2029"),
    ],
)
def test_two_values_are_two(one: str, other: str) -> None:
    assert new_values(parse_values(one), parse_values(other))
    assert new_values(parse_values(other), parse_values(one))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("I take 5 mg of ramipril", "i take of ramipril"),
        ("我早上八点打胰岛素", "我打胰岛素"),
        ("My lease ends on 31 March 2028", "my lease ends on"),
    ],
)
def test_what_is_left_has_neither_value_nor_unit(text: str, rest: str) -> None:
    left = parse_values(text).rest
    assert " ".join(left.split()) == rest or "".join(left.split()) == rest
