"""English follow-ups of everyday conversations: each stands alone as a person would put it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.known import parameters

from winnow.language.tables import parse_yaml
from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import rewrite

CASES = parse_yaml((Path(__file__).parent / "en.yaml").read_text(encoding="utf-8"))


def history(case: dict) -> list[Turn]:
    return [Turn("assistant" if i % 2 else "user", said) for i, said in enumerate(case["said"])]


def wanted(case: dict) -> set[str]:
    alone = case["alone"] if isinstance(case["alone"], list) else [case["alone"]]
    return {case["query"] if text == "=" else text for text in alone}


def name(case: dict) -> str:
    return f"{case['said'][-1]} {case['query']}"


@pytest.mark.parametrize("case", parameters("rewrites en", CASES, name, lambda case: case.get("pending", "")))
def test_the_follow_up_stands_alone(case: dict) -> None:
    assert rewrite(case["query"], history(case)).query in wanted(case)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_what_was_rewritten_is_left_as_it_is(case: dict) -> None:
    once = rewrite(case["query"], history(case)).query
    assert rewrite(once, history(case)).query == once


def test_there_are_enough_conversations() -> None:
    assert len(CASES) >= 60
    assert sum("pending" in case for case in CASES) <= len(CASES) / 4
