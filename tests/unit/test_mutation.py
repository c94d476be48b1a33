"""Mutants are small faults of what a function does, never of what it says about itself."""

from __future__ import annotations

import ast

import pytest
from tests.mutation.__main__ import Reach
from tests.mutation.changes import SOURCE, Mutant, changes, compiled, modules, mutants, spots
from tests.mutation.moved import Moved


def faults(body: str) -> list[str]:
    tree = ast.parse("def f(a, b):\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    return [what for spot in spots(tree) for what, _ in changes(spot)]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("return a < b", "a < b  ->  a <= b"),
        ("return a is None", "a is None  ->  a is not None"),
        ("return a and b", "a and b  ->  a or b"),
        ("return not a", "not a  ->  a"),
        ("return a + 1", "1  ->  0"),
        ("return a == 'x'", "'x'  ->  ''"),
        ("return a if b else 2", "a if b else 2  ->  2 if b else a"),
        ("return any(a)", "any(a)  ->  all(a)"),
        ("return a in {1, 2}", "{1, 2}  ->  {2}"),
        ("return a in (1, 2)", "a in (1, 2)  ->  a in (1,)"),
        ("return a, b", "return (a, b)  ->  return (b, a)"),
        ("return a(b)", "return a(b)  ->  return None"),
        ("if a:\n    return b\nreturn 0", "if a  ->  if not a"),
        ("if a:\n    return b\nreturn 0", "left out: return b"),
        ("a.add(b)\nreturn a", "left out: a.add(b)"),
    ],
)
def test_a_fault_is_a_small_change_of_what_is_done(body: str, fault: str) -> None:
    assert fault in faults(body)


@pytest.mark.parametrize(
    "body",
    [
        '"""What it does, in 3 words."""',
        "log.debug('the answer %s is void', 1)",
        "a: Literal['x', 'y']",
        "assert a, 'never empty'",
        "if TYPE_CHECKING:\n    a = 1",
        "a.b = TableError('not found', 404)",
        "a = cast('list[int]', b)",
    ],
)
def test_what_is_only_told_has_no_faults(body: str) -> None:
    assert faults(f"{body}\na.b = b") == []


def test_tests_of_the_same_folder_are_tried_before_others_that_are_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mutant = Mutant("understand/meaning/slots.py", 1, 1, 0, 0, "")
    monkeypatch.setattr("tests.mutation.__main__.places", lambda: {(mutant.path, mutant.statement): 0})
    near = "tests/unit/understand/meaning/test_slots.py::test_b"
    beside = "tests/unit/understand/grammar/test_rules.py::test_d"
    elsewhere = "tests/unit/a.py::test_a"
    known = Reach({elsewhere: (0.1, 1), beside: (2.0, 1), near: (3.0, 1), "tests/b.py::test_c": (0.1, 2)}, {})
    assert [name for name, _ in known.task(mutant).tests] == [near, beside, elsewhere]


def test_a_test_that_goes_another_way_through_the_function_is_tried_before_a_second_one_of_the_same_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mutant = Mutant("act/undo.py", 1, 1, 0, 0, "")
    at = {(mutant.path, 1): 0, (mutant.path, 2): 1, ("act/checks.py", 1): 2}
    monkeypatch.setattr("tests.mutation.__main__.places", lambda: at)
    monkeypatch.setattr("tests.mutation.__main__.function_bits", lambda place: 0b011)
    tests = {
        "tests/a.py::one": (0.1, 0b001),
        "tests/a.py::two": (0.2, 0b101),
        "tests/a.py::three": (3.0, 0b011),
    }
    names = [name.partition("::")[2] for name, _ in Reach(tests, {}).task(mutant).tests]
    assert names == ["one", "three", "two"]


BEFORE = [("a.py", "f", "f1", 2), ("a.py", "g", "g1", 1), ("b.py", "h", "h1", 2)]


@pytest.mark.parametrize(
    ("after", "reached", "now"),
    [
        (BEFORE, 0b10110, 0b10110),
        (BEFORE[1:], 0b10110, 0b101),  # a function is gone: those behind it move up
        ([("a.py", "f", "f2", 3), *BEFORE[1:]], 0b00001, 0b000111),  # changed: whoever reached any of it
        ([("a.py", "f", "f2", 3), *BEFORE[1:]], 0b11100, 0b111000),
        ([*BEFORE, ("b.py", "new", "n1", 1)], 0b01000, 0b101000),  # new: whoever reached its module
        ([*BEFORE, ("b.py", "new", "n1", 1)], 0b00100, 0b000100),
        ([*BEFORE, ("c.py", "new", "n1", 1)], 0b11111, 0b011111),  # of a new module nothing is known
    ],
)
def test_what_was_noted_of_a_program_is_told_of_the_next(
    after: list[tuple[str, str, str, int]], reached: int, now: int
) -> None:
    assert int(Moved(BEFORE, after)(f"{reached:x}"), 16) == now


@pytest.mark.parametrize(
    ("loading", "reached", "only_loads"), [(1, 0, True), (1, 1, False), (0, 0, False), (2, 0, False)]
)
def test_what_runs_only_while_modules_are_loaded_is_not_tried(
    monkeypatch: pytest.MonkeyPatch, loading: int, reached: int, only_loads: bool
) -> None:
    mutant = Mutant("language/tables.py", 1, 1, 0, 0, "")
    monkeypatch.setattr("tests.mutation.__main__.places", lambda: {(mutant.path, mutant.statement): 0})
    known = Reach({"tests/unit/a.py::test_a": (0.1, reached)}, {}, loading)
    assert known.task(mutant).only_loads is only_loads


def test_a_module_is_compiled_with_exactly_one_change() -> None:
    module = modules()[-1]
    some = mutants(module)
    whole = compiled(ast.parse((SOURCE / module).read_text("utf-8")), module)
    assert some
    assert all(one.code() != whole for one in some[:20])
