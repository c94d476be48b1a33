"""Every feature has a row, and what a row names is there."""

from __future__ import annotations

import re
from collections import Counter
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.docs.test_documents import commands
from typer.main import get_command

import winnow
from winnow.app.cli.program import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "features"
FEATURES = {"S0": 62, "S1": 45, "S2": 27, "S3": 22, "S4": 46}
"""How many each of the five design documents has."""
ROW = re.compile(r"^\| (S\d-\d+) \| ([^|]+) \| ([^|]+) \| (\w+) \|$", re.MULTILINE)
SUM = re.compile(
    r"^\| (?:\[(S\d)\]\(s\d\.md\))? ?\|[^|]+\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE
)


class Feature(NamedTuple):
    """One row of a page."""

    number: str
    title: str
    where: str
    works: str


def features(page: str) -> list[Feature]:
    """The rows of ``s0`` ... ``s4``."""
    return [Feature(*row) for row in ROW.findall((PAGES / f"{page.lower()}.md").read_text("utf-8"))]


@pytest.fixture(scope="module")
def known_commands() -> set[str]:
    """``winnow lexicon add`` and all others, with the groups they stand in."""
    paths = [path for path, _ in commands(get_command(app), "winnow")]
    return {" ".join(path.split()[:n]) for path in paths for n in range(2, 4)}


def is_there(name: str, known_commands: set[str]) -> bool:
    """Whether there is such a file, command, variable, or name of the library."""
    if name.startswith("winnow "):
        return name in known_commands
    if name.isupper():
        return f"`{name}`" in (ROOT / "docs" / "settings.md").read_text("utf-8")
    if name.startswith("Engine."):
        return bool(attrgetter(name)(winnow))
    base = ROOT if name.startswith(("benchmarks", "tests")) else ROOT / "src/winnow"
    return (base / name).exists()


@pytest.mark.parametrize("page", FEATURES)
def test_every_feature_has_one_row(page: str) -> None:
    numbers = [feature.number for feature in features(page)]
    assert numbers == [f"{page}-{n}" for n in range(1, FEATURES[page] + 1)]


@pytest.mark.parametrize("page", FEATURES)
def test_what_a_row_names_is_there(page: str, known_commands: set[str]) -> None:
    named = [(one.number, name) for one in features(page) for name in re.findall(r"`([^`]+)`", one.where)]
    assert len(named) > FEATURES[page] - 5
    assert [row for row in named if not is_there(row[1], known_commands)] == []


def test_a_row_that_works_says_where() -> None:
    rows = [one for page in FEATURES for one in features(page)]
    assert {one.works for one in rows} <= {"yes", "partly", "no"}
    assert [one.number for one in rows if one.works != "no" and "`" not in one.where] == []


def test_the_sums_are_those_of_the_rows() -> None:
    sums = {name: tuple(map(int, n)) for name, *n in SUM.findall((PAGES / "README.md").read_text("utf-8"))}
    works = {page: Counter(one.works for one in features(page)) for page in FEATURES}
    together = sum(works.values(), Counter())
    counted = {page: (one.total(), one["yes"], one["partly"], one["no"]) for page, one in works.items()}
    counted[""] = (together.total(), together["yes"], together["partly"], together["no"])
    assert sums == counted


@pytest.mark.parametrize("name", ["decide/gates.py", "winnow lexicon name", "WINNOW_NOTHING"])
def test_what_is_not_there_is_noticed(name: str, known_commands: set[str]) -> None:
    assert not is_there(name, known_commands)
