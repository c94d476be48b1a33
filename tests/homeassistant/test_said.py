"""Sentences said to the demo home, each from end to end."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.homeassistant.conftest import ABSENT, ALONE, figures
from tests.homeassistant.said import FILE, run, totals
from tests.homeassistant.server import HASS


def test_what_is_said_comes_about_in_the_home(tmp_path: Path) -> None:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    came = run(FILE, tmp_path)
    figures["sentences said"] = ", ".join(f"{group} {count}" for group, count in totals(came).items())
    assert {one.say: one.wrong for one in came if one.wrong} == {}
