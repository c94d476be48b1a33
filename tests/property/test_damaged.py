"""No damaged export ends in a traceback. ``make fuzz`` tries ten thousand; here are a few of each home."""

from __future__ import annotations

from random import Random

import pytest
from tests.damage import damaged, files_of, outcome

from winnow.adapters.platforms import bundle as examples


@pytest.mark.slow
@pytest.mark.parametrize("name", ["apartment-zh", "townhouse-en", "cottage", "smartthings-raw", "home40"])
def test_a_damaged_export_ends_in_a_home_or_in_an_error_that_says_why(name: str) -> None:
    files, rng = files_of(examples.EXAMPLES_FOLDER / name), Random(name)
    ends = {outcome(damaged(files, rng)) for _ in range(40)}
    assert ends == {"home", "error"}
