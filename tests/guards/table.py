"""The guards of every row of both pages, and the rows themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutation.changes import ROOT

from winnow.language.tables import parse_yaml

PAGES = ("faults", "threat-model")
NAMED = re.compile(r"`([\w/]+\.py::test_\w+)`")
OF_ASSERTIONS = ("assert ", "AssertionError", "Failed: DID NOT RAISE")
"""How a failure of an assertion begins, as pytest tells it."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of a file as they stand, and what stands there without the guard."""

    file: str
    stands: str
    instead: str

    def problem(self, root: Path = ROOT) -> str:
        """Why it cannot be made; empty where it can."""
        path = root / self.file
        count = path.read_text("utf-8").count(self.stands) if path.is_file() else 0
        return "" if count == 1 else f"{self.file} holds these lines {count} times: {self.stands}"


@dataclass(frozen=True, slots=True)
class Guard:
    """What keeps the promise of a row, as changes that take it out together, and the test that notices it."""

    page: str
    row: str
    test: str
    changes: tuple[Change, ...]
    fails_with: tuple[str, ...] = OF_ASSERTIONS
    """How the failure begins that the promise speaks of."""

    def without(self, root: Path) -> dict[str, str]:
        """The texts of its files once all of its changes are made."""
        texts = {change.file: (root / change.file).read_text("utf-8") for change in self.changes}
        for change in self.changes:
            texts[change.file] = texts[change.file].replace(change.stands, change.instead)
        return texts

    @property
    def files(self) -> str:
        """Where the guard stands, each file once."""
        return ", ".join(dict.fromkeys(change.file.removeprefix("src/winnow/") for change in self.changes))


def guards() -> tuple[Guard, ...]:
    """All of the table, in its order."""
    pages = parse_yaml(Path(__file__).with_name("guards.yaml").read_text("utf-8"))
    return tuple(
        Guard(page, row, one["test"], tuple(map(_change, one["without"])), _failures(one))
        for page, rows in pages.items()
        for row, several in rows.items()
        for one in several
    )


def _change(told: dict[str, str]) -> Change:
    file = told["file"]
    path = file if (ROOT / file).is_file() else f"src/winnow/{file}"
    return Change(path, told["stands"], told.get("instead", ""))


def _failures(told: dict[str, Any]) -> tuple[str, ...]:
    return (told["fails_with"],) if "fails_with" in told else OF_ASSERTIONS


def rows(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each row of a page: what its first cell says, without marks, and the tests that it names."""
    lines = (ROOT / "docs" / f"{page}.md").read_text("utf-8").splitlines()
    for line in [line for line in lines if line.startswith("| ")][1:]:
        yield line.split("|")[1].replace("*", "").strip(), NAMED.findall(line)
