"""The size and the manners of the source, checked so that they stay."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import TypeVar

import pytest

pytestmark = pytest.mark.slow

T = TypeVar("T", bound=ast.AST)
ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "winnow"
MODULES = sorted(SOURCE.rglob("*.py"))
OURS = [m for m in MODULES if "migrations" not in m.parts]  # Alembic dictates the shape of migrations
SKIPPED_FOLDERS = {
    ".git",
    ".venv",
    ".venv-ha",
    ".venv-ha-new",
    ".venv-peers",
    ".venv-integrations",
    ".venv-site",
    ".venv-supply",
    ".venv-fuzz",
    ".venv-container",
    "build",
    "dist",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".import_linter_cache",
}
TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".jsonl", ".txt", ".cfg", ".ini", ".sh", ".lock", ""}
# Written in two pieces so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/(?:" + r"work|root|tmp|home/[a-z]+|Users/[A-Za-z]+)/[\w.]")
REGISTRY = re.compile("files\\.python" + "hosted|pypi\\." + "org/simple|registry\\.npm" + "js", re.IGNORECASE)
ENVIRONMENT = re.compile(r"\bos\.(?:environ|getenv)\b|\bfrom os import .*\b(?:environ|getenv)\b")
VAGUE = re.compile(r"(Manager|Helper|Factory|Utils?)$")


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def nodes(module: Path, kind: type[T]) -> Iterator[T]:
    """The nodes of that kind in the module's syntax tree."""
    return (n for n in _all_nodes(module) if isinstance(n, kind))


@cache
def _all_nodes(module: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(module)))


@cache
def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def functions(module: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from nodes(module, ast.FunctionDef)
    yield from nodes(module, ast.AsyncFunctionDef)


def names(node: ast.AST) -> set[str]:
    """The plain names that occur below the node."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from ``def`` to the end."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def tree_files() -> Iterator[Path]:
    for folder, below, files in os.walk(ROOT):
        below[:] = sorted(set(below) - SKIPPED_FOLDERS)  # environments hold a hundred thousand files
        paths = (Path(folder, name) for name in sorted(set(files) - SKIPPED_FOLDERS))
        yield from (path for path in paths if path.suffix in TEXT and path.is_file())


def test_half_of_all_functions_fit_in_10_lines() -> None:
    assert median(length(f) for m in OURS for f in functions(m)) <= 10


def test_only_the_app_prints() -> None:
    silent = [m for m in MODULES if SOURCE / "app" not in m.parents]
    assert [
        f"{label(m)}:{c.lineno}"
        for m in silent
        for c in nodes(m, ast.Call)
        if ast.unparse(c.func) in {"print", "input"}
    ] == []


def test_only_the_configuration_reads_the_environment() -> None:
    others = [m for m in MODULES if SOURCE / "app" / "config" not in m.parents]
    assert [label(m) for m in others if ENVIRONMENT.search(m.read_text(encoding="utf-8"))] == []


def test_nothing_carries_on_after_any_exception() -> None:
    handlers = [
        (m, h)
        for m in MODULES
        for h in nodes(m, ast.ExceptHandler)
        if h.type is None or "Exception" in names(h.type)
    ]
    assert [
        f"{label(m)}:{h.lineno}"
        for m, h in handlers
        if not any(isinstance(n, ast.Raise) for n in ast.walk(h))
    ] == []


def test_no_class_is_called_manager_or_helper() -> None:
    assert [
        f"{label(m)}: {c.name}" for m in MODULES for c in nodes(m, ast.ClassDef) if VAGUE.search(c.name)
    ] == []


def test_the_tree_names_no_path_of_one_machine() -> None:
    found = [label(p) for p in tree_files() if MACHINE_PATH.search(p.read_text(encoding="utf-8"))]
    assert found == []


def test_the_tree_names_no_package_registry_host() -> None:
    found = [label(p) for p in tree_files() if REGISTRY.search(p.read_text(encoding="utf-8"))]
    assert found == []


def test_every_locked_package_has_a_hash() -> None:
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8").strip())
    assert [b.split()[0] for b in blocks if "--hash=sha256:" not in b] == []


def test_every_source_folder_is_a_package() -> None:
    folders = {m.parent for m in OURS}
    assert [label(f) for f in folders if not (f / "__init__.py").exists()] == []


def test_package_data_lies_inside_the_package() -> None:
    assert (SOURCE / "py.typed").exists()
    assert {p.suffix for p in SOURCE.rglob("*") if p.is_file() and p.suffix not in {".py", ".pyc"}} >= {
        ".yaml"
    }
