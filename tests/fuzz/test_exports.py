"""A small share of ``python -m tests.fuzz.exports``."""

from __future__ import annotations

import pytest
from tests.fuzz.exports import run


@pytest.mark.parametrize("home", ["smartthings-raw", "home40"])
def test_a_damaged_export_is_imported_or_refused_with_a_reason(home: str) -> None:
    assert set(run(home, 150, seed=7)) <= {"imported", "refused"}
