"""The tables of threats and faults name tests that are there, the same in both languages, and each of these
tests has a guard that ``make guards`` can take out.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from tests.guards import table
from tests.guards.table import Change, guards

ROOT = Path(__file__).parents[2]
LEAST = {"threat-model": 21, "faults": 29}
PLACES = ("src/winnow", "tests")
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


@pytest.mark.parametrize("page", LEAST)
def test_each_test_of_each_row_has_a_guard_and_no_other_has(page: str) -> None:
    guarded: dict[str, list[str]] = {}
    for guard in guards():
        if guard.page == page and guard.test not in guarded.setdefault(guard.row, []):
            guarded[guard.row].append(guard.test)
    assert list(guarded.items()) == list(table.rows(page))


def test_the_lines_of_each_guard_stand_in_their_file_once_and_without_them_it_is_still_a_program() -> None:
    assert [why for guard in guards() for change in guard.changes if (why := change.problem())] == []
    for guard in guards():
        assert guard.changes
        for file, text in guard.without(ROOT).items():
            assert text != (ROOT / file).read_text("utf-8")
            if file.endswith(".py"):
                ast.parse(text, file)


def test_lines_that_are_not_there_or_stand_there_twice_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\ntwo\n")
    told = [Change("a.py", lines, "").problem(tmp_path) for lines in ("one", "two", "three")]
    assert [bool(why) for why in told] == [False, True, True]
    assert Change("b.py", "one", "").problem(tmp_path)


def test_what_is_said_to_keep_out_a_threat_is_there_and_holds_its_guards() -> None:
    lines = (ROOT / "docs" / "threat-model.md").read_text("utf-8").splitlines()
    cells = [line.split("|") for line in lines if line.startswith("| **")]
    kept = {cell[1].replace("*", "").strip(): re.findall(r"`([\w/.]+)`", cell[3]) for cell in cells}
    paths = [path for several in kept.values() for path in several]
    assert [path for path in paths if not any((ROOT / top / path).exists() for top in PLACES)] == []
    loose = [
        (guard.row, change.file)
        for guard in guards()
        if guard.page == "threat-model"
        for change in guard.changes
        if not any(
            Path(top, path) in (Path(change.file), *Path(change.file).parents)
            for path in kept[guard.row]
            for top in PLACES
        )
    ]
    assert loose == []


@pytest.mark.parametrize("page", LEAST)
def test_both_languages_say_how_many_guards_there_are(page: str) -> None:
    own = [guard for guard in guards() if guard.page == page]
    sizes = len({guard.row for guard in own}), len({guard.test for guard in own}), len(own)
    english, chinese = ((ROOT / "docs" / f"{page}{end}.md").read_text("utf-8") for end in ("", ".zh"))
    assert "{} rows, {} tests, {} guards".format(*sizes) in english
    assert "{} 行、{} 个测试、{} 处保证".format(*sizes) in chinese
