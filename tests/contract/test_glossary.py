"""The glossary names what is there: every module and name of it exists, every exported class stands in it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import winnow

PAGES = ("glossary.md", "glossary.zh.md")
MODULE = re.compile(r"`([a-z]\w*(?:\.[a-z]\w*)*)`")
NAME = re.compile(r"`([A-Z]\w*)`")


def places(root: Path, page: str) -> list[list[tuple[str, frozenset[str]]]]:
    """Of each row its modules, each with the names that it is said to hold."""
    rows = [
        line.rstrip(" |").rpartition("|")[2]
        for line in (root / "docs" / page).read_text("utf-8").splitlines()
        if line.startswith("| ") and "`" in line
    ]
    return [
        [
            (module, frozenset(NAME.findall(place)))
            for place in re.split("[;；]", row)
            for module in MODULE.findall(place)
        ]
        for row in rows
    ]


@pytest.mark.parametrize("page", PAGES)
def test_every_place_exists(root: Path, page: str) -> None:
    named = [place for row in places(root, page) for place in row]
    assert len(named) > 80
    missing = [
        f"{module}.{name}"
        for module, names in named
        for name in names
        if not hasattr(import_module(f"winnow.{module}"), name)
    ]
    assert missing == []
    for module, _ in named:
        import_module(f"winnow.{module}")


@pytest.mark.parametrize("page", PAGES)
def test_every_exported_class_is_explained(root: Path, page: str) -> None:
    named = {name for row in places(root, page) for _, names in row for name in names}
    exported = {name for name in winnow.__all__ if re.match("[A-Z][a-z]", name)}
    assert exported - named == set()


def test_both_languages_tell_of_the_same_places(root: Path) -> None:
    english, chinese = (places(root, page) for page in PAGES)
    assert english == chinese
