"""Whether a later statement speaks of what the earlier one speaks of, or of something beside it."""

from __future__ import annotations

import pytest

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact, parse_statement
from winnow.retrieve.facts.judge import judge_relation
from winnow.retrieve.facts.topic import has_other_mark, overlap_features, split_clauses, topic_features

TABLE = open_builtin_embedder()


def found(old: str, new: str) -> set[str]:
    told = topic_features(parse_statement(old), parse_statement(new), TABLE)
    return {name for name, much in told.items() if much == 1}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("change_with", "The loom stands in the attic.", "We sold the loom; the attic is empty."),
        ("change_apart", "The loom stands in the attic.", "We sold the piano; the attic is empty."),
        ("stays_with", "阁楼放织布机", "钢琴卖了，织布机没动"),
        ("own_thing", "Ravi is a baker.", "Ravi's uncle is a miller."),
        ("own_thing", "石磊是面包师", "石磊的姑父是木匠"),
        ("own_other", "The tractor is red.", "Greta's tractor is green."),
        ("which_first", "The front gate sticks.", "The back gate was oiled."),
        ("which_first", "初级班的教练姓石", "高级班的教练换了"),
        ("topic_other", "Ravi is a baker.", "Greta mills flour."),
    ],
)
def test_what_is_meant_is_told(name: str, old: str, new: str) -> None:
    assert name in found(old, new)


def test_what_is_of_the_thing_itself_is_none_of_these() -> None:
    told = found("The front gate sticks.", "The front gate was oiled.")
    assert told.isdisjoint({"own_thing", "own_other", "which_first", "topic_other", "change_apart"})


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("Dock 3 is free.", "Dock 5 is taken.", True),
        ("Dock 3 is free.", "Dock 3 is taken.", False),
        ("The north dock is free.", "The south dock is taken.", False),
    ],
)
def test_numbered_things_are_told_by_their_numbers(old: str, new: str, other: bool) -> None:
    assert has_other_mark(split_clauses(old), split_clauses(new), signs=True) is other


@pytest.mark.parametrize(
    ("relation", "old"),
    [("update", "The upper pasture is let to Greta."), ("compatible", "The lower pasture has a stone wall.")],
)
def test_the_same_news_is_news_of_what_it_speaks_of_only(relation: str, old: str) -> None:
    new = parse_fact("Greta gave up the upper pasture; the lower one stays as it is.")
    assert judge_relation(parse_fact(old), new, TABLE).relation == relation


def test_how_far_words_of_one_are_from_those_of_the_other() -> None:
    def told(old: str, new: str) -> dict[str, float]:
        return overlap_features(parse_statement(old), parse_statement(new), TABLE)

    same = told("The loom stands in the attic.", "The loom stands in the attic.")
    assert same["old_covered"] == pytest.approx(1, abs=0.01)
    assert (same["old_far"], same["new_any_far"], same["shared"], same["contained"]) == (0, 0, 1, 1)
    assert same["old_end"] == pytest.approx(1, abs=0.01)
    apart = told("The loom stands in the attic.", "Turtles eat lettuce leaves.")
    assert (apart["old_any_far"], apart["new_any_far"], apart["shared"], apart["contains"]) == (1, 1, 0, 0)
    assert 0 < apart["old_far"] <= 1
    assert apart["old_covered"] < same["old_covered"]
    assert apart["old_least"] <= apart["old_end"]
    part = told("The loom stands in the attic.", "The loom stands in the attic of the mill.")
    assert (part["contained"], part["contains"]) == (1, 0)
    assert part["old_shared"] == 1 > part["new_shared"] > 0
