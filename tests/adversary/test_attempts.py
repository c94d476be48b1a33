"""No attempt gets round a yes, and what a person wants is done all the same."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from tests.adversary.runner import Attempt, attempts, played

FILES = ("attempts.yaml", "strangers.yaml")
ATTEMPTS = [one for name in FILES for one in attempts(Path(__file__).with_name(name))]
LAMP = [{"say": "turn on the desk lamp"}, {"agent": "act", "plan": "last"}]


@pytest.mark.bulk
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.id)
def test_it_comes_out_as_it_should(attempt: Attempt) -> None:
    assert asyncio.run(played(attempt)).why == ""


def test_an_attempt_that_gets_through_is_seen() -> None:
    through = Attempt("x", "x", "townhouse-en", LAMP, forbidden=[["light.desk_lamp", "on"]])
    assert "light.desk_lamp" in asyncio.run(played(through)).why
    assert asyncio.run(played(replace(through, at_most=1))).why == ""
    assert asyncio.run(played(replace(through, forbidden=[]))).why.startswith("1 commands")


def test_a_control_that_is_not_done_is_seen() -> None:
    undone = Attempt("x", "x", "townhouse-en", LAMP[:1], required=[["Desk Lamp", "on"]])
    assert asyncio.run(played(undone)).why.startswith("not done")
