"""Plain statements of known attributes: their grammar alone decides."""

from __future__ import annotations

import pytest

from winnow.retrieve.facts.extract import said
from winnow.retrieve.facts.judge import plainly


@pytest.mark.parametrize(
    ("relation", "old", "new"),
    [
        ("update", "我姑姑今年52岁", "我姑姑今年53岁"),
        ("update", "表哥的电话是13700001111", "表哥的电话是13700002222"),
        ("duplicate", "我姑姑今年52岁", "我的姑姑52岁了"),
        ("compatible", "我姑姑今年52岁", "我舅舅今年48岁"),
    ],
)
def test_another_value_the_same_value_and_another_person(relation: str, old: str, new: str) -> None:
    found = plainly(said(old), said(new))
    assert found is not None
    assert found.relation == relation


@pytest.mark.parametrize(
    ("old", "new"), [("我喜欢爬山", "我姑姑今年52岁"), ("The kettle whistles.", "The kettle sings.")]
)
def test_without_a_known_attribute_grammar_does_not_tell(old: str, new: str) -> None:
    assert plainly(said(old), said(new)) is None


def test_the_same_number_written_otherwise_is_no_news() -> None:
    found = plainly(said("我姑姑今年52岁"), said("我姑姑今年五十二岁"))
    assert found is None or found.relation != "update"
