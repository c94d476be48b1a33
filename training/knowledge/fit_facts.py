"""Fit the weights of ``src/winnow/recall/facts/weights.yaml`` on pairs of statements that people labelled.

    python -m training.knowledge.fit_facts            cross-fitted figures of the pairs, file by file
    python -m training.knowledge.fit_facts --write    and put weights of all pairs in force

A softmax over what ``winnow.recall.facts.features`` finds, kept small by ``L2``. The figures are of five
folds, each judged by weights of the other four. Nothing is random but the folds, and those come from the ids.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import md5
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.recall.facts.features import features
from winnow.recall.facts.judge import RELATIONS
from winnow.recall.facts.said import said
from winnow.wiring import open_table

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "benchmarks" / "data" / "facts"
TARGET = ROOT / "src" / "winnow" / "recall" / "facts" / "weights.yaml"
L2, STEPS, FOLDS = 30.0, 500, 5
Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


def pairs(path: Path) -> list[dict[str, str]]:
    """The pairs of a file: ``id, old, new, label``."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def measured(rows: Sequence[Mapping[str, str]]) -> tuple[list[str], Floats]:
    """The names of the features, and a row of them for each pair."""
    table = open_table()
    found = [features(said(row["old"]), said(row["new"]), table) for row in rows]
    names = list(found[0])
    return names, np.array([[one[name] for name in names] for one in found])


def labels(rows: Sequence[Mapping[str, str]]) -> Rows:
    """What each pair is, as its place in ``RELATIONS``."""
    return np.array([RELATIONS.index(row["label"]) for row in rows])  # type: ignore[arg-type]


def fitted(told: Floats, right: Rows) -> Floats:
    """Weights of the features and, last, of the bias: shape ``(features + 1, 3)``."""
    middle, spread = told.mean(0), told.std(0) + 1e-6
    given = np.column_stack([(told - middle) / spread, np.ones(len(told))])
    wanted, small = np.eye(len(RELATIONS))[right], np.ones((given.shape[1], 1))
    small[-1] = 0
    rate = 1 / (0.5 * np.linalg.norm(given, 2) ** 2 + L2)
    now = ahead = np.zeros((given.shape[1], len(RELATIONS)))
    speed = 1.0
    for _ in range(STEPS):
        step = given.T @ (softmax(given @ ahead) - wanted) + L2 * small * ahead
        then, faster = ahead - rate * step, (1 + (1 + 4 * speed**2) ** 0.5) / 2
        now, ahead, speed = then, then + (speed - 1) / faster * (then - now), faster
    plain = now[:-1] / spread[:, None]
    return np.vstack([plain, now[-1] - middle @ plain])


def softmax(sums: Floats) -> Floats:
    """Shares that add up to 1 in each row."""
    shares = np.exp(sums - sums.max(1, keepdims=True))
    return np.asarray(shares / shares.sum(1, keepdims=True))


def judged(told: Floats, found: Floats) -> Rows:
    """The likeliest relation of each pair."""
    return np.asarray((told @ found[:-1] + found[-1]).argmax(1))


def macro_f1(right: Rows, told: Rows) -> float:
    """The mean of the F1 of each relation, 0 to 100."""
    hits = [((right == at) & (told == at)).sum() for at in range(len(RELATIONS))]
    sizes = [(right == at).sum() + (told == at).sum() for at in range(len(RELATIONS))]
    return float(np.mean([200 * hit / max(1, size) for hit, size in zip(hits, sizes, strict=True)]))


def cross_fitted(told: Floats, right: Rows, fold: Rows) -> Rows:
    """Each pair as weights judge it that never saw its fold."""
    found = np.zeros(len(right), np.intp)
    for at in range(FOLDS):
        away = fold == at
        found[away] = judged(told[away], fitted(told[~away], right[~away]))
    return found


def folds(rows: Sequence[Mapping[str, str]]) -> Rows:
    """The fold of each pair, by its id."""
    return np.array([int(md5(row["id"].encode()).hexdigest(), 16) % FOLDS for row in rows])  # noqa: S324 - no secret


def written(names: Sequence[str], found: Floats, figures: Sequence[str]) -> str:
    """The file of the weights."""
    lines = ["# What each feature counts for an update, a duplicate, a compatible statement. Fitted by"]
    lines += ["# training/knowledge/fit_facts.py; cross-fitted macro F1:"]
    lines += [f"# {figure}" for figure in figures]
    rows = zip([*names, "bias"], found.tolist(), strict=True)
    lines += [f"{name}: [{', '.join(f'{weight:.3f}' for weight in row)}]" for name, row in rows]
    return "\n".join(lines) + "\n"


def told_figures(files: Mapping[str, list[dict[str, str]]]) -> Iterator[str]:
    """A line for each file and one for all."""
    rows = [row for some in files.values() for row in some]
    _, told = measured(rows)
    right, where = labels(rows), np.array([name for name, some in files.items() for _ in some])
    found = cross_fitted(told, right, folds(rows))
    for name in files:
        here = where == name
        yield f"{name} {macro_f1(right[here], found[here]):.1f} (n={here.sum()})"
    yield f"all {macro_f1(right, found):.1f} (n={len(rows)})"


def main() -> None:
    """Tell the figures; write the weights where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    files = {path.name: pairs(path) for path in sorted(given.data.glob("pairs*.jsonl"))}
    figures = list(told_figures(files))
    sys.stdout.write("\n".join([*figures, ""]))
    if given.write:
        rows = [row for some in files.values() for row in some]
        names, told = measured(rows)
        TARGET.write_text(written(names, fitted(told, labels(rows)), figures), "utf-8")


if __name__ == "__main__":
    main()
