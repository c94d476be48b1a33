"""Every sentence of the scenario files gets the answer written beside it."""

from __future__ import annotations

import pytest
from tests.known import parameters
from tests.scenarios.runner import Scenario, collected, explained, faults, pending

SCENARIOS = [*collected(), *pending()]


@pytest.mark.bulk
@pytest.mark.parametrize("scenario", parameters("scenarios", SCENARIOS, lambda s: s.id, lambda s: s.why))
def test_scenario(scenario: Scenario) -> None:
    wrong = faults(scenario)
    assert not wrong, "\n  ".join(["", *wrong, explained(scenario)])


def test_what_is_known_to_be_wrong_says_why() -> None:
    assert [s.id for s in collected() if s.why] == []
    assert [s.id for s in pending() if not s.why] == []


def test_no_sentence_is_judged_twice_at_the_same_moment() -> None:
    seen = [(s.utterance, s.home) for s in SCENARIOS]
    assert len(seen) == len(set(seen))
