"""How well limits of ``winnow.retrieve.facts.novelty`` hold that are chosen on other writers' pairs.

    python -m training.knowledge.tune_contradictions

For each file of ``benchmarks/data/facts`` the limits that are right in ``WANTED`` of what they say on the
other files, and speak most; then how often they speak on the file left out, and how often they are right.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from itertools import product
from unittest.mock import patch

from training.knowledge.fit_facts import DATA

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact
from winnow.retrieve.facts.novelty import (
    DENIAL,
    MAX_UNSHARED,
    MAX_UNSHARED_SHORTER,
    OPPOSITE,
    VALUE_RULES,
    judge_contradiction,
)

WANTED = 0.95
GRID = tuple(product((0, 0.25, 0.34), (0, 0.2, 0.25, 0.34), (0.4, 0.5, 0.6), (0.4, 0.5, 0.6)))
"""Shares of strange words, of the one that says less and the other: beside values, beside a denial."""
Limits = tuple[float, float, float, float]
Told = tuple[int, int]
"""Times it spoke, times it was right."""


def told(rows: list[dict[str, str]], limits: Limits) -> Told:
    """What is said of the pairs of a file by such limits."""
    less = {**dict.fromkeys(VALUE_RULES, limits[0]), DENIAL: limits[1], OPPOSITE: limits[1]}
    strange = {**dict.fromkeys(VALUE_RULES, limits[2]), DENIAL: limits[3], OPPOSITE: min(0.5, limits[3])}
    table = open_builtin_embedder()
    with patch.dict(MAX_UNSHARED_SHORTER, less), patch.dict(MAX_UNSHARED, strange):
        found = [
            (row, judge_contradiction(parse_fact(row["a"]), parse_fact(row["b"]), table).relation)
            for row in rows
        ]
    spoken = [row["label"] == "contradiction" for row, relation in found if relation == "contradiction"]
    return len(spoken), sum(spoken)


def chosen(of: Mapping[str, Mapping[Limits, Told]], away: str) -> Limits:
    """The limits that do best on all files but one."""

    def worth(limits: Limits) -> tuple[bool, int, float]:
        spoken, right = (sum(of[name][limits][at] for name in of if name != away) for at in (0, 1))
        return right >= WANTED * max(1, spoken), right, -sum(limits)

    return max(GRID, key=worth)


def main() -> None:
    """Tell the figures."""
    files = {path.name: path.read_text("utf-8").splitlines() for path in sorted(DATA.glob("contra*.jsonl"))}
    rows = {name: [json.loads(line) for line in lines] for name, lines in files.items()}
    of = {name: {limits: told(some, limits) for limits in GRID} for name, some in rows.items()}
    for away in of:
        limits = chosen(of, away)
        spoken, right = of[away][limits]
        sys.stdout.write(f"{away}: limits {limits} of the other files: speaks of {spoken}, right {right}\n")


if __name__ == "__main__":
    main()
