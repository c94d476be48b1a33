"""Importing Winnow is cheap and does nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "sqlalchemy",
    "alembic",
    "typer",
    "rich",
    "numpy",
    "rapidfuzz",
    "jellyfish",
    "yaml",
    "rs_bpe",
    "rjieba",
    "httpx",
)


def loaded_after(statement: str, cwd: Path) -> set[str]:
    """Top-level modules in a fresh interpreter after ``statement``."""
    listed = "sorted({n.partition('.')[0] for n in sys.modules})"
    code = f"{statement}\nimport json, sys; print(json.dumps({listed}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 1, f"importing printed {lines[:-1]}"
    return set(json.loads(lines[0]))


def test_importing_winnow_loads_no_heavy_library(tmp_path: Path) -> None:
    assert not loaded_after("import winnow", tmp_path).intersection(HEAVY)


def test_importing_the_nouns_loads_no_heavy_library(tmp_path: Path) -> None:
    nouns = ("candidate", "home", "query", "retrieval", "utterance", "verdict")
    assert not loaded_after("; ".join(f"import winnow.types.{n}" for n in nouns), tmp_path).intersection(
        HEAVY
    )


def test_an_engine_without_a_model_loads_no_http_client(tmp_path: Path) -> None:
    assert "httpx" not in loaded_after("import winnow; winnow.open()", tmp_path)


def test_importing_creates_no_file(tmp_path: Path) -> None:
    loaded_after("import winnow, winnow.engine.engine", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_engine_is_reachable_from_the_package() -> None:
    import winnow
    from winnow.engine.engine import Engine

    assert winnow.Engine is Engine


def test_an_unknown_name_of_the_package_is_an_attribute_error() -> None:
    import winnow

    with pytest.raises(AttributeError, match="no attribute 'Motor'"):
        _ = winnow.Motor  # type: ignore[attr-defined]
