"""Fit the weights of ``understand/intent/weights.yaml`` on development cases, measured on rows held out.

    python training/fit_intent.py --cases DIR             compare the weights in force with fitted ones
    python training/fit_intent.py --cases DIR --write     put the fitted ones in force

Cases are JSON lines with ``id, history, query, need_retrieval``; rows whose ``label_confident`` is false are
left out. Turns that a rule settles teach nothing but how far the rule is to be trusted; the others teach a
logistic regression with L2, each file counting the same, whatever its length. From where on retrieval begins
follows from what a missed one costs (``winnow.types.document``). Every figure is measured on rows held out:
in folds by dialogue, and by leaving out whole files. Nothing is random: the same cases give the same file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.types.document import threshold
from winnow.types.utterance import Turn
from winnow.understand.intent.alone import before, clauses, task
from winnow.understand.intent.classify import RULES, IntentInput
from winnow.understand.intent.features import features

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "winnow" / "understand" / "intent" / "weights.yaml"
FOLDS = 5
L2 = 3e-3
PRIOR = (9, 10)
"""Right rows and rows."""
STEPS, RATE = 1500, 1.0
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One turn: the rule that settled it and what it said, or its features."""

    file: str
    fold: int
    needs: bool
    rule: str
    said: bool
    features: Mapping[str, float]


def rows(path: Path) -> Iterator[Row]:
    """The rows of one file of cases."""
    for line in path.read_text("utf-8-sig").splitlines():
        case = json.loads(line)
        if case.get("label_confident") is not False:
            yield _row(path.stem, case)


def _row(file: str, case: Mapping[str, Any]) -> Row:
    history = tuple(Turn(t["role"], t["content"]) for t in case["history"])
    turn, state = clauses(case["query"]), before(history)
    heard = IntentInput(turn, state, task(case["query"], turn, state))
    fold, needs = crc32(_talk(case).encode()) % FOLDS, case["need_retrieval"]
    found = next((rule for rule in RULES if rule.holds(heard)), None)
    if found is None:
        return Row(file, fold, needs, "", False, features(turn, state))
    return Row(file, fold, needs, found.name, found.source != "none", {})


def _talk(case: Mapping[str, Any]) -> str:
    """The dialogue of a case: its id without the number of the turn."""
    name = str(case["id"])
    return name.rpartition("-")[0] if case["history"] or name.count("-") > 1 else name


Decided = list[tuple[Row, bool]]
"""Rows, and whether to retrieve for each."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights by feature, ``bias`` among them."""

    weights: Mapping[str, float]

    def retrieves(self, row: Row) -> bool:
        """What is decided of a row."""
        return row.said if row.rule else chance(row, self.weights) >= threshold("turn_needs")


def chance(row: Row, weights: Mapping[str, float]) -> float:
    """0..1 for a row that no rule settles."""
    total = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in row.features.items())
    return float(1 / (1 + np.exp(-total)))


def fitted(taught: Sequence[Row]) -> Fit:
    """The weights of a logistic regression on the rows no rule settles."""
    open_ = [r for r in taught if not r.rule]
    names = sorted({name for r in open_ for name in r.features})
    share = shares(open_)
    found = zip(["bias", *names], regressed(open_, names, share), strict=True)
    weights = {name: round(float(weight), 3) for name, weight in found}
    return Fit(weights)


def regressed(found: Sequence[Row], names: Sequence[str], share: Floats) -> Floats:
    """The bias and a weight for each of ``names``; each row counts for its share."""
    x = np.array([[1.0, *(r.features.get(n, 0.0) for n in names)] for r in found])
    y = np.array([float(r.needs) for r in found])
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        slope = share * (1 / (1 + np.exp(-np.clip(x @ w, -30, 30))) - y) @ x
        w -= RATE * (slope + L2 * np.r_[0.0, w[1:]])
    return w


def shares(found: Sequence[Row]) -> Floats:
    """What each row counts for: each file the same in all."""
    count = Counter(r.file for r in found)
    return np.array([1 / count[r.file] / len(count) for r in found])


def figures(found: Decided) -> str:
    """accuracy, skip precision, skip recall, retrieve recall of rows with what was decided."""

    def ratio(top: int, bottom: int) -> str:
        return f"{top / bottom:.1%}" if bottom else "-"

    skipped = [r for r, said in found if not said]
    idle = [r for r, _ in found if not r.needs]
    right = sum(not r.needs for r in skipped)
    kept = sum(said for r, said in found if r.needs)
    accurate = sum(r.needs == said for r, said in found)
    return (
        f"accuracy {ratio(accurate, len(found))}, skip precision {ratio(right, len(skipped))}, "
        f"skip recall {ratio(right, len(idle))}, retrieve recall {ratio(kept, len(found) - len(idle))}"
    )


def held_out(found: Sequence[Row], part: str) -> Mapping[str, Decided]:
    """File -> rows with what weights said that never saw their part (``fold`` or ``file``)."""
    out = defaultdict[str, Decided](list)
    for value in sorted({getattr(r, part) for r in found}):
        fit = fitted([r for r in found if getattr(r, part) != value])
        for row in found:
            if getattr(row, part) == value:
                out[row.file].append((row, fit.retrieves(row)))
    return out


def trusted(found: Sequence[Row]) -> dict[str, float]:
    """How often each rule was right.

    ``PRIOR`` rows are added, so that a rule seen twice is not judged by two rows.
    """
    settled = [r for r in found if r.rule]
    seen, right = Counter(r.rule for r in settled), Counter(r.rule for r in settled if r.said == r.needs)
    return {rule: round((right[rule] + PRIOR[0]) / (seen[rule] + PRIOR[1]), 3) for rule in sorted(seen)}


def written(fit: Fit, rules: Mapping[str, float], header: Sequence[str]) -> str:
    """The text of ``weights.yaml``."""

    def block(name: str, table: Mapping[str, float]) -> list[str]:
        return [f"{name}:", *(f"  {key}: {value:g}" for key, value in table.items())]

    parts = [
        *block("features", fit.weights),
        *block("rules", rules),
    ]
    return "\n".join([*(f"#: {line}" for line in header), *parts]) + "\n"


def report(found: Sequence[Row]) -> tuple[Fit, list[str]]:
    """Weights fitted on all rows, and what to say of them."""
    fit = fitted(found)
    seen = defaultdict[str, Decided](list)
    for row in found:
        seen[row.file].append((row, fit.retrieves(row)))
    folds, foreign = held_out(found, "fold"), held_out(found, "file")
    files, open_ = sorted(seen), sum(not r.rule for r in found)
    where = f"Fitted by training/fit_intent.py on {', '.join(files)}"
    lines = [f"{where}: {open_} of {len(found)} rows no rule settles."]
    for file in files:
        lines += _lines(file, seen[file], folds[file], foreign[file])
    return fit, lines


def _lines(file: str, seen: Decided, fold: Decided, foreign: Decided) -> tuple[str, ...]:
    """How good weights are that were fitted on these rows, on others of the file, on other files."""
    return (
        f"{file}: seen {figures(seen)}",
        f"  {FOLDS} folds by dialogue: {figures(fold)}",
        f"  this file left out: {figures(foreign)}",
    )


def main(argv: Sequence[str]) -> None:
    """Fit, measure, tell, and write if asked to."""
    given = _options(argv)
    found = [row for path in sorted(given.cases.glob("*.jsonl")) for row in rows(path)]
    fit, lines = report(found)
    rules = trusted(found)
    weights = (f"{name}: {value:.2f}" for name, value in sorted(fit.weights.items(), key=itemgetter(1)))
    lines_on_fit = [", ".join(weights), f"rules {rules}"]
    sys.stdout.write("\n".join([*lines, *lines_on_fit]) + "\n")
    if given.write:
        TARGET.write_text(written(fit, rules, lines), "utf-8")


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=Path, required=True, help="folder of case files")
    parser.add_argument("--write", action="store_true", help="write the fitted weights")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
