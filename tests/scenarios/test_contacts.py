"""What somebody wrote without sight of the engine: right by now, or known to be wrong and why."""

from __future__ import annotations

import pytest
from tests.known import parameters
from tests.scenarios.contacts import acted_wrongly, judged
from tests.scenarios.runner import HERE, Scenario, explained, read

WRITTEN = [said for file in sorted((HERE / "contact").glob("*.yaml")) for said in read(file)]


@pytest.mark.parametrize("said", parameters(WRITTEN, lambda s: s.id, lambda s: s.why))
def test_it_comes_out_right(said: Scenario) -> None:
    wrong = judged(said).faults
    assert not wrong, "\n  ".join([*wrong, explained(said)])


@pytest.mark.parametrize("said", [said for said in WRITTEN if said.why], ids=lambda s: s.id)
def test_what_is_known_to_go_wrong_does_no_harm_or_is_known_to(said: Scenario) -> None:
    assert acted_wrongly(said) == said.why.startswith("wrong act:")
