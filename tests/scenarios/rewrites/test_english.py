"""English follow-ups of everyday conversations: each stands alone as a person would put it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from winnow.types.dialogue import Turn
from winnow.understand.rewrite import rewrite

CASES = yaml.safe_load((Path(__file__).parent / "en.yaml").read_text(encoding="utf-8"))
READ = [case for case in CASES if "pending" not in case]
PENDING = [case for case in CASES if "pending" in case]


def history(case: dict) -> list[Turn]:
    return [Turn("assistant" if i % 2 else "user", said) for i, said in enumerate(case["said"])]


def wanted(case: dict) -> set[str]:
    alone = case["alone"] if isinstance(case["alone"], list) else [case["alone"]]
    return {case["query"] if text == "=" else text for text in alone}


def name(case: dict) -> str:
    return f"{case['said'][-1]} {case['query']}"


@pytest.mark.parametrize("case", READ, ids=name)
def test_the_follow_up_stands_alone(case: dict) -> None:
    assert rewrite(case["query"], history(case)).query in wanted(case)


@pytest.mark.parametrize("case", PENDING, ids=name)
def test_what_is_pending_is_still_wrong(case: dict) -> None:
    assert rewrite(case["query"], history(case)).query not in wanted(case)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_what_was_rewritten_is_left_as_it_is(case: dict) -> None:
    once = rewrite(case["query"], history(case)).query
    assert rewrite(once, history(case)).query == once


def test_there_are_enough_conversations() -> None:
    assert len(READ) >= 3 * len(PENDING)
    assert len(CASES) >= 60
