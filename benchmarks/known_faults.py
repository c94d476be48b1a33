"""What of the tables of sentences is known to go wrong, and what of it goes right by now.

    python -m benchmarks.known_faults

Prints for each table how many cases are known to go wrong and which have come right, so that their mark can
go. The tests hold the tables against the stored figures (``make bench ONLY=known_faults KEEP=1``).
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from tests.known import EVALUATION

from benchmarks import places

TABLES = Path(__file__).parents[1] / "tests" / "scenarios"


class Outcomes:
    """A pytest plugin that notes which known faults are still wrong."""

    def __init__(self) -> None:
        self.wrong: dict[str, int] = defaultdict(int)
        self.right: dict[str, list[str]] = defaultdict(list)
        self.tables: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the known faults alone."""
        marks = {item.nodeid: item.get_closest_marker("known_fault") for item in items}
        self.tables = {name: str(mark.kwargs["table"]) for name, mark in marks.items() if mark}
        items[:] = [item for item in items if marks[item.nodeid]]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one outcome."""
        if report.when == "call":
            table = self.tables[report.nodeid]
            if report.failed:
                self.wrong[table] += 1
            else:
                self.right[table].append(report.nodeid.partition("[")[2].rstrip("]"))


def main() -> int:
    """Run the known faults and print, or keep, what came of them."""
    os.environ[EVALUATION] = "1"
    outcomes = Outcomes()
    pytest.main(["-q", "--no-header", "--no-summary", "--tb=no", str(TABLES)], plugins=[outcomes])
    figures = {
        table: {"wrong": outcomes.wrong[table], "right by now": len(outcomes.right[table])}
        for table in sorted({*outcomes.wrong, *outcomes.right})
    }
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    for table, names in sorted(outcomes.right.items()):
        print(*(f"{table}: right by now: {name}" for name in names), sep="\n")
    places.keep("known_faults", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
