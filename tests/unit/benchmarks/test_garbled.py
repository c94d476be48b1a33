from __future__ import annotations

from random import Random

import pytest
from benchmarks.garbled import KINDS, garbled
from benchmarks.soak import faults

SAID = "turn on the reading lamp in the study", "把书房的台灯调到三十"
WELL = {
    "minutes": 30.0,
    "errors": 0,
    "other_answers": [],
    "memory_mb": {"first": 200.0, "warm": 300.0, "last": 301.0},
    "mb_per_hour": 4.0,
    "hours_judged": 0.3,
    "exit_status": -15,
    "tracebacks": 0,
}


@pytest.mark.parametrize("text", SAID)
@pytest.mark.parametrize("kind", KINDS)
def test_a_rate_says_how_much_is_garbled_and_a_seed_how(text: str, kind: str) -> None:
    assert garbled(text, 0.0, Random(1), [kind]) == text
    once, again = (garbled(text, 1.0, Random(2), [kind]) for _ in range(2))
    assert once == again
    assert (once == text) == (
        kind == "typed" and text == SAID[1]
    )  # what is one character long is not mistyped
    assert "三十" in once or text != SAID[1]


@pytest.mark.parametrize(
    "worse",
    [
        {"errors": 1},
        {"other_answers": ["x"]},
        {"mb_per_hour": 90.0},
        {"exit_status": 1},
        {"tracebacks": 2},
    ],
)
def test_what_is_wrong_with_a_soak_is_told(worse: dict[str, object]) -> None:
    assert faults(WELL) == []
    assert len(faults({**WELL, **worse})) == 1
    assert faults({**WELL, "mb_per_hour": None, "hours_judged": 0.0}) == []  # too short to tell
