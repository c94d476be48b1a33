"""What somebody wrote without sight of the engine: right by now, or known to be wrong and why."""

from __future__ import annotations

import pytest
from tests.known import parameters
from tests.scenarios.contacts import judged
from tests.scenarios.runner import HERE, Scenario, explained, read

WRITTEN = [said for file in sorted((HERE / "contact").glob("*.yaml")) for said in read(file)]


@pytest.mark.bulk
@pytest.mark.parametrize("said", parameters("contacts", WRITTEN, lambda s: s.id, lambda s: s.why))
def test_it_comes_out_right_or_wrong_as_is_known(said: Scenario) -> None:
    row = judged(said)
    if row.wrong_act != said.why.startswith(
        "wrong act:"
    ):  # no known fault may become a harmful one in silence
        pytest.fail(f"its wrong act: {row.wrong_act}\n  {explained(said)}")
    assert not row.faults, "\n  ".join([*row.faults, explained(said)])
