"""Plain statements of known attributes: their grammar alone decides."""

from __future__ import annotations

import pytest

from winnow.retrieve.facts.extract import parse_statement
from winnow.retrieve.facts.judge import judge_by_rules


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
    found = judge_by_rules(parse_statement(old), parse_statement(new))
    assert found is not None
    assert found.relation == relation


@pytest.mark.parametrize(
    ("old", "new"), [("我喜欢爬山", "我姑姑今年52岁"), ("The kettle whistles.", "The kettle sings.")]
)
def test_without_a_known_attribute_grammar_does_not_tell(old: str, new: str) -> None:
    assert judge_by_rules(parse_statement(old), parse_statement(new)) is None


def test_the_same_number_written_otherwise_is_no_news() -> None:
    found = judge_by_rules(parse_statement("我姑姑今年52岁"), parse_statement("我姑姑今年五十二岁"))
    assert found is None or found.relation != "update"
