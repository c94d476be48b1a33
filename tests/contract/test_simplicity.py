"""Functions and modules hold only so much; how much a function may branch is checked by ruff (C901).

What is over a limit stands in ``offenders.yaml``, and that list may only get shorter: a new offender fails,
and so does one that was mended and is still listed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import yaml
from tests.contract.test_structure import OURS, SOURCE, functions, length

from winnow.language.tables import parse_yaml

pytestmark = pytest.mark.slow

NODES, LINES, MODULE = 160, 60, 600
OFFENDERS = Path(__file__).with_name("offenders.yaml")
PARTS = (ast.stmt, ast.expr)


def size(nodes: Iterable[ast.AST]) -> int:
    """Statements and expressions of a function."""
    return sum(isinstance(node, PARTS) for node in nodes)


def offenders() -> dict[str, list[str]]:
    """Module -> its functions that are over a limit; none says that the module itself is too long."""
    found: dict[str, list[str]] = {}
    for module in OURS:
        names = sorted(f.name for f in functions(module) if over(f))
        if names or module.read_text("utf-8").count("\n") > MODULE:
            found[module.relative_to(SOURCE).as_posix()] = names
    return found


def over(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return size(ast.walk(function)) > NODES or length(function) > LINES


def listed() -> dict[str, list[str]]:
    return parse_yaml(OFFENDERS.read_text("utf-8")) or {}


def pairs(found: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    return ((module, name) for module, names in found.items() for name in names or ["(module)"])


def test_what_is_not_simple_is_listed_and_the_list_only_shrinks() -> None:
    now, known = list(pairs(offenders())), list(pairs(listed()))
    assert [p for p in now if p not in known] == [], "simplify these"
    assert [p for p in known if p not in now] == [], "mended: take these off the list"


def test_only_the_reader_of_sentences_has_exceptions() -> None:
    """It is to be rebuilt as a grammar; whatever else is written is simple from the start."""
    assert [module for module in listed() if not module.startswith("understand/")] == []


if __name__ == "__main__":  # writes the list anew
    OFFENDERS.write_text(yaml.safe_dump(offenders(), allow_unicode=True, width=100), "utf-8")
