"""Whatever scripts and training read and write within the repository, and name in their prose, is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = ("scripts", "training")
NAMED = re.compile(r"(?<![\w/.])(?:src/winnow|winnow|benchmarks|tests)/[\w./-]*\w")
"""A path as prose writes it."""


def paths_in_code(file: Path) -> Iterator[Path]:
    """Values of expressions made of ``Path``, ``__file__`` and constants of the module alone."""
    tree = ast.parse(file.read_text("utf-8"))
    known: dict[str, object] = {"Path": Path, "__file__": str(file), "__builtins__": {}}
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if (found := _evaluated(value, known)) is not None:
                    known[name] = found
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.Call) and isinstance(found := _evaluated(node, known), Path):
            yield found


def _evaluated(value: ast.expr, known: dict[str, object]) -> object:
    try:
        return eval(compile(ast.Expression(value), "", "eval"), known)
    except Exception:  # noqa: BLE001 - needs more than constants
        return None


def files(root: Path) -> list[Path]:
    return sorted(file for folder in FOLDERS for file in (root / folder).rglob("*.py"))


def test_paths_made_of_constants_exist(root: Path) -> None:
    inside = [
        (path, file)
        for file in files(root)
        for path in paths_in_code(file)
        if path.is_relative_to(root) and not path.is_relative_to(root / "build")
    ]
    assert len(inside) > 20
    assert [f"{file.relative_to(root)}: {path}" for path, file in inside if not path.exists()] == []


def test_paths_named_in_prose_exist(root: Path) -> None:
    named = {
        (path, file.relative_to(root).as_posix())
        for file in files(root)
        for path in NAMED.findall(file.read_text("utf-8"))
    }
    assert named
    assert [where for where in sorted(named) if not _is_there(root, where[0])] == []


def _is_there(root: Path, path: str) -> bool:
    return any(any(base.glob(path)) for base in (root, root / "src"))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Path(__file__).parent / 'a.yaml'", ["a.yaml"]),
        ("X = Path(__file__).parent\nY = X / 'b' / 'c'", ["b", "c"]),
        ("def f():\n    (D / 'x.txt').write_text('')\nD = Path(__file__).parent", ["x.txt"]),
        ("X = other() / 'a'", []),
    ],
)
def test_paths_are_read_from_expressions(line: str, found: list[str], tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text(line, "utf-8")
    paths = {path.name for path in paths_in_code(file) if path.is_relative_to(tmp_path)}
    assert paths - {tmp_path.name, file.name} == set(found)
