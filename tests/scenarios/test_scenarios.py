"""Every sentence of the scenario files gets the answer written beside it."""

from __future__ import annotations

import pytest
from tests.scenarios.runner import Scenario, collected, explained, faults

SCENARIOS = collected()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.id)
def test_scenario(scenario: Scenario) -> None:
    wrong = faults(scenario)
    assert not wrong, "\n  ".join(["", *wrong, explained(scenario)])


def test_no_sentence_is_judged_twice_at_the_same_moment() -> None:
    seen = [(s.utterance, s.home) for s in SCENARIOS]
    assert len(seen) == len(set(seen))
