"""The tables of threats and faults name tests that are there, the same in both languages."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEAST = {"threat-model": 20, "faults": 28}
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def rows(page: str) -> list[list[tuple[str, str]]]:
    """The tests that each row of the tables of a page names."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    table = [line for line in lines if line.startswith("| ")]
    return [NAMED.findall(line) for line in table[1:]]


@cache
def names_in(file: str) -> frozenset[str]:
    """Names of the tests in a file; none where it is not there."""
    path = ROOT / "tests" / file
    tree = ast.parse(path.read_text("utf-8")) if path.is_file() else ast.Module([], [])
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("page", LEAST)
def test_each_row_names_a_test_that_is_there(page: str) -> None:
    named = rows(f"{page}.md")
    assert len(named) >= LEAST[page]
    assert [number for number, tests in enumerate(named, 1) if not tests] == []
    assert [one for tests in named for one in tests if one[1] not in names_in(one[0])] == []


@pytest.mark.parametrize("page", LEAST)
def test_both_languages_name_the_same(page: str) -> None:
    assert rows(f"{page}.md") == rows(f"{page}.zh.md")


def test_a_test_that_is_not_there_is_seen() -> None:
    assert "test_a_test_that_is_not_there_is_seen" in names_in("contract/test_promises.py")
    assert names_in("contract/nowhere.py") == frozenset()
