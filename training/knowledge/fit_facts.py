"""Fit the weights of ``src/winnow/retrieve/facts/weights.yaml`` on pairs of statements that people labelled.

    python -m training.knowledge.fit_facts            cross-fitted figures of the pairs, file by file
    python -m training.knowledge.fit_facts --write    and put weights of all pairs in force

A softmax over what ``winnow.retrieve.facts.judge`` finds, kept small by ``L2``. The figures are of five
folds, each judged by weights of the other four. Nothing is random but the folds, and those come from the ids.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import md5
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact, parse_statement
from winnow.retrieve.facts.judge import RELATIONS, relation_features, relation_shares
from winnow.retrieve.facts.merge import related_facts

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "benchmarks" / "data" / "facts"
TARGET = ROOT / "src" / "winnow" / "retrieve" / "facts" / "weights.yaml"
MATTER = TARGET.with_name("matter.yaml")
MATTER_HEAD = "# What each feature counts for two statements being of one matter; fitted as weights.yaml."
L2, L2_WORD = 30.0, 300.0
STEPS, FOLDS, FACTS = 500, 5, 20
LEAST = 4
"""Pairs that must have a word."""
Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


def pairs(path: Path) -> list[dict[str, str]]:
    """The pairs of a file: ``id, old, new, label``."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def measured(rows: Sequence[Mapping[str, str]]) -> list[dict[str, float]]:
    """The features of each pair."""
    table = open_builtin_embedder()
    return [
        relation_features(parse_statement(row["old"]), parse_statement(row["new"]), table) for row in rows
    ]


def names_of(found: Sequence[Mapping[str, float]]) -> list[str]:
    """The features that get a weight: all of the pair, and new words that so many pairs have."""
    words = Counter(name for one in found for name in one if name.startswith("+"))
    pair = [name for name in found[0] if not name.startswith("+")]
    return pair + sorted(word for word, times in words.items() if times >= LEAST)


def table_of(found: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """A row of those features for each pair."""
    return np.array([[one.get(name, 0.0) for name in names] for one in found])


def labels(rows: Sequence[Mapping[str, str]]) -> Rows:
    """What each pair is, as its place in ``RELATIONS``."""
    return np.array([RELATIONS.index(row["label"]) for row in rows])


def fitted(told: Floats, right: Rows, names: Sequence[str]) -> Floats:
    """Weights of the features and, last, of the bias: shape ``(features + 1, 3)``."""
    middle, spread = told.mean(0), told.std(0) + 1e-6
    given = np.column_stack([(told - middle) / spread, np.ones(len(told))])
    wanted = np.eye(len(RELATIONS))[right]
    small = np.array([[L2_WORD if name.startswith("+") else L2] for name in names] + [[0.0]])
    rate = 1 / (0.5 * np.linalg.norm(given, 2) ** 2 + L2_WORD)
    now = ahead = np.zeros((given.shape[1], len(RELATIONS)))
    speed = 1.0
    for _ in range(STEPS):
        step = given.T @ (softmax(given @ ahead) - wanted) + small * ahead
        then, faster = ahead - rate * step, (1 + (1 + 4 * speed**2) ** 0.5) / 2
        now, ahead, speed = then, then + (speed - 1) / faster * (then - now), faster
    plain = now[:-1] / spread[:, None]
    return np.vstack([plain, now[-1] - middle @ plain])


def persons(rows: Sequence[Mapping[str, str]]) -> list[list[Mapping[str, str]]]:
    """The pairs dealt out, by their ids, to persons of one language who told some ``FACTS`` things each."""
    found: dict[tuple[str, int], list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        size = sum(other["lang"] == row["lang"] for other in rows)
        number = int(md5(f"person {row['id']}".encode()).hexdigest(), 16)  # noqa: S324 - no secret
        found[row["lang"], number % max(1, size // FACTS)].append(row)
    return list(found.values())


def neighbours(rows: Sequence[Mapping[str, str]]) -> list[tuple[dict[str, float], bool]]:
    """Each later statement with its own earlier one, and with those the same person told that share words.

    Features, with the shares of the relations, and whether both are of one matter: an update or a repetition.
    """
    table, told = open_builtin_embedder(), []
    for person in persons(rows):
        others = [parse_fact(row["old"], source=row["id"]) for row in person]
        for row in person:
            own = {one["id"] for one in person if one["new"] == row["new"]}
            near = [old for old in related_facts(others, parse_fact(row["new"])) if old.source not in own]
            for text in (row["old"], *(old.text for old in near)):
                found = relation_features(parse_statement(text), parse_statement(row["new"]), table)
                shares, one = relation_shares(found), text == row["old"] and row["label"] != "compatible"
                told.append(({**found, "update": shares["update"], "duplicate": shares["duplicate"]}, one))
    return told


def matter_fitted(told: Sequence[tuple[Mapping[str, float], bool]]) -> dict[str, float]:
    """Weights for ``of_one_matter``, by the same descent."""
    names = [name for name in told[0][0] if not name.startswith("+")]
    found = table_of([one for one, _ in told], names)
    weights = fitted(found, np.array([0 if one else 2 for _, one in told]), names)
    return dict(zip([*names, "bias"], (weights[:, 0] - weights[:, 2]).tolist(), strict=True))


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


def held_out(found: Sequence[Mapping[str, float]], right: Rows, fold: Rows) -> Rows:
    """Each pair as weights judge it that never saw its fold."""
    told = np.zeros(len(right), np.intp)
    for at in np.unique(fold):
        away = fold == at
        seen = [one for one, out in zip(found, away, strict=True) if not out]
        names = names_of(seen)
        weights = fitted(table_of(seen, names), right[~away], names)
        unseen = [one for one, out in zip(found, away, strict=True) if out]
        told[away] = judged(table_of(unseen, names), weights)
    return told


def folds(rows: Sequence[Mapping[str, str]]) -> Rows:
    """The fold of each pair, by its id."""
    return np.array([int(md5(row["id"].encode()).hexdigest(), 16) % FOLDS for row in rows])  # noqa: S324 - no secret


def written(names: Sequence[str], found: Floats, figures: Sequence[str]) -> str:
    """The file of the weights."""
    lines = ["# What each feature counts for an update, a duplicate, a compatible statement. Fitted by"]
    lines += ["# training/knowledge/fit_facts.py; cross-fitted macro F1:"]
    lines += [f"# {figure}" for figure in figures]
    rows = zip([*names, "bias"], found.tolist(), strict=True)
    lines += [
        f"{json.dumps(name, ensure_ascii=False)}: [{', '.join(f'{weight:.3f}' for weight in row)}]"
        for name, row in rows
    ]
    return "\n".join(lines) + "\n"


def told_figures(files: Mapping[str, list[dict[str, str]]]) -> Iterator[str]:
    """A line for each file and one for all; then each file judged by weights of the others alone."""
    rows = [row for some in files.values() for row in some]
    found, right = measured(rows), labels(rows)
    where = np.array([at for at, some in enumerate(files.values()) for _ in some])
    for way, fold in (("five folds", folds(rows)), ("weights of the other files", where)):
        told = held_out(found, right, fold)
        for at, name in enumerate(files):
            here = where == at
            yield f"{way}: {name} {macro_f1(right[here], told[here]):.1f} (n={here.sum()})"
        yield f"{way}: all {macro_f1(right, told):.1f} (n={len(rows)})"


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
        found = measured(rows)
        names = names_of(found)
        weights = fitted(table_of(found, names), labels(rows), names)
        TARGET.write_text(written(names, weights, figures), "utf-8")
        matter = matter_fitted(neighbours(rows))
        lines = (f"{name}: {weight:.3f}" for name, weight in matter.items())
        MATTER.write_text("\n".join([MATTER_HEAD, *lines, ""]), "utf-8")


if __name__ == "__main__":
    main()
