"""What is known to go wrong is evaluated, not tested; it may not become more in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.known import FAULTS
from tests.scenarios import test_contacts, test_intent, test_rewrites, test_scenarios
from tests.scenarios.careful import test_careful
from tests.scenarios.rewrites import test_english

STORED = json.loads(
    (Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "known_faults.json").read_text("utf-8")
)
TABLES = (test_contacts, test_intent, test_rewrites, test_scenarios, test_careful, test_english)


@pytest.mark.parametrize("table", sorted(STORED))
def test_no_more_goes_wrong_than_the_stored_evaluation_says(table: str) -> None:
    assert all(module.__name__ for module in TABLES)  # importing them is what counts their faults
    assert FAULTS[table] <= STORED[table]["wrong"] + STORED[table]["right by now"]
