"""What Winnow needs stands wherever it is installed from."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]
BROUGHT_BY_HOME_ASSISTANT = {"httpx", "numpy", "pyyaml", "sqlalchemy"}
NOT_NEEDED_THERE = {"rich", "rs-bpe", "typer"}
"""The command line is left out of the integration's zip; rs-bpe has no wheel for Python 3.14."""


def named(requirements: list[str]) -> set[str]:
    """The packages that lines of requirements name."""
    found = (re.match(r"[\w.-]+", line) for line in requirements)
    return {name[0].lower() for name in found if name}


def needed_there() -> set[str]:
    """The lines of what Winnow needs inside Home Assistant."""
    lines = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
    return {line for line in lines if not named([line]) & NOT_NEEDED_THERE}


def test_the_integration_names_what_the_library_in_its_zip_needs() -> None:
    manifest = json.loads((PROJECT / "custom_components/winnow/manifest.json").read_text())
    assert manifest["requirements"] == sorted(needed_there())
    assert all(";" not in line for line in manifest["requirements"])  # Home Assistant reads no markers


def test_the_home_assistant_of_the_tests_has_that_and_no_more() -> None:
    listed = (PROJECT / "tests/homeassistant/requirements.txt").read_text().splitlines()
    assert named(listed) == named(sorted(needed_there())) - BROUGHT_BY_HOME_ASSISTANT


def test_what_needs_a_compiler_on_alpine_linux_is_an_extra() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert "semantic-text-splitter" in named(project["optional-dependencies"]["documents"])
    assert "semantic-text-splitter" not in named(project["dependencies"])
