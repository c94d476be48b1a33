"""What counts as a promise that is seen to break: ``make guards``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from tests.guards.__main__ import Cases, cases_in, tried
from tests.guards.table import OF_ASSERTIONS, Change, Guard

TEST = "unit/test_a.py::test_it"
TOLD = """<testsuites><testsuite>
<testcase classname="tests.unit.test_a" name="test_it[1]"/>
<testcase classname="tests.unit.test_a" name="test_it[2]"><failure message="assert 1 == 2"/></testcase>
<testcase classname="tests.unit.test_a" name="test_it[3]"><skipped message="no server"/></testcase>
<testcase classname="tests.unit.test_a" name="test_more"><error message="failed on setup"/></testcase>
<testcase classname="tests.unit.test_a" name="test_skipped"><skipped message="no server"/></testcase>
</testsuite></testsuites>"""


class StandIn:
    """Runs nothing: its test ends like this once a guard is out."""

    def __init__(self, ends: Mapping[str, Cases]) -> None:
        self.ends, self.out = ends, list[Guard]()

    @contextmanager
    def without(self, guard: Guard) -> Iterator[None]:
        self.out.append(guard)
        yield
        self.out.pop()

    def cases(self, tests: object, *options: str) -> Mapping[str, Cases]:
        assert self.out
        return self.ends


def end(
    ends: Mapping[str, Cases], as_it_is: Cases = (None,), fails_with: tuple[str, ...] = OF_ASSERTIONS
) -> str:
    trees: SimpleQueue[Any] = SimpleQueue()
    trees.put(StandIn(ends))
    guard = Guard("faults", "a row", TEST, (Change("a.py", "x", "y"),), fails_with)
    return tried(guard, as_it_is, trees)[0]


def test_what_ran_is_told_by_case_and_what_was_skipped_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "told.xml").write_text(TOLD)
    assert cases_in(tmp_path / "told.xml") == {
        TEST: [None, "assert 1 == 2"],
        "unit/test_a.py::test_more": ["error: failed on setup"],
    }


@pytest.mark.parametrize(
    ("cases", "ends"),
    [
        ((None, "assert 1 == 2"), "noticed"),
        (("Failed: DID NOT RAISE <class 'StoreError'>",), "noticed"),
        ((None, None), "still passes"),
        (("NameError: name 'x' is not defined",), "fails otherwise"),
        (("error: AssertionError: failed on setup",), "fails otherwise"),
        (("winnow.errors.StoreError: no",), "fails otherwise"),
    ],
)
def test_only_an_assertion_that_fails_notices_that_a_guard_is_gone(cases: Cases, ends: str) -> None:
    assert end({TEST: cases}) == ends


def test_an_error_counts_where_the_promise_speaks_of_it() -> None:
    assert (
        end({TEST: ("winnow.errors.StoreError: no",)}, fails_with=("winnow.errors.StoreError",)) == "noticed"
    )


def test_what_cannot_be_loaded_or_takes_too_long_notices_nothing() -> None:
    assert end({}) == "fails otherwise"


def test_what_does_not_run_or_fails_anyway_is_no_witness() -> None:
    assert end({TEST: ("assert 0",)}, as_it_is=()) == "not run"
    assert end({TEST: ("assert 0",)}, as_it_is=("assert 0",)) == "fails as it is"
