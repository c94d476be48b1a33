"""What Winnow needs stands wherever it is installed from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]
BROUGHT_BY_HOME_ASSISTANT = {"numpy", "pyyaml", "sqlalchemy", "httpx"}
NOT_NEEDED_THERE = {"semantic-text-splitter"}
"""What cuts documents; the integration has none."""


def named(requirements: list[str]) -> set[str]:
    """The packages that lines of requirements name."""
    found = (re.match(r"[\w.-]+", line) for line in requirements)
    return {name[0].lower() for name in found if name}


def test_the_integrations_home_assistant_has_all_that_winnow_needs() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    listed = (PROJECT / "tests/homeassistant/requirements.txt").read_text().splitlines()
    needed = named(project["dependencies"]) - BROUGHT_BY_HOME_ASSISTANT - NOT_NEEDED_THERE
    assert needed <= named(listed)
    assert not named(listed) & NOT_NEEDED_THERE  # its tests show that it does without
