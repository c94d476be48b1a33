"""Fit ``src/winnow/retrieve/sufficiency.yaml``: when private results suffice, and what is relevant.

    python -m training.knowledge.fit_sufficiency                  fit, and print what is measured
    python -m training.knowledge.fit_sufficiency --data FOLDER    on the collections of another folder
    python -m training.knowledge.fit_sufficiency --write          put the fitted weights in force

Questions and tiers are those of ``training/knowledge/tiers.py``. Both are logistic regressions, one of each
language: of a tier, whether it holds the answer; of a page, whether it is one that answers. Every collection
counts the same whatever its size. ``python -m benchmarks.sufficiency`` says how good they are on the half of
the questions that they were not fitted on. Nothing is random: the same questions give the same file.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml
from training.knowledge.tiers import NAMES, Case, collections

from winnow.language.linear import probability
from winnow.retrieve.sufficiency import (
    PageFigures,
    PageQuestion,
    page_features,
    page_figures,
    sufficiency_features,
    weigh_question,
)

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src" / "winnow" / "retrieve" / "sufficiency.yaml"
PRICE = 8.0
"""What a question left without its answer costs against one asked of the public tier in vain: the fit looks
hardest where a tier seems to hold what it lacks."""
HOLDS = 1 / 3
"""Share of the questions whose answer the private tier is taken to hold: confidence is calibrated to that."""
L2 = 0.001
STEPS = 25
Floats = npt.NDArray[np.float64]
Row = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Looked:
    """A case, and what its pages hold."""

    corpus: str
    case: Case
    question: PageQuestion
    bearings: tuple[PageFigures, ...]


def looked(name: str, cases: Iterable[Case]) -> list[Looked]:
    """Those cases where anything was found at all."""
    return [_looked(name, case) for case in cases if case.pages]


def _looked(name: str, case: Case) -> Looked:
    question = weigh_question(case.question, case.weights, case.pages)
    return Looked(name, case, question, page_figures(question, case.pages))


def figures(one: Looked, relevance: Row) -> dict[str, float]:
    """What speaks for the tier holding the answer; its pages stand by their relevance."""
    scores = [probability(row, relevance) for row in page_features(one.bearings)]
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    return sufficiency_features(one.question, [(one.case.pages[at], one.bearings[at]) for at in order])


def logistic(rows: Sequence[Row], right: Sequence[bool], counts: Sequence[float]) -> dict[str, float]:
    """Weights of each figure, and ``bias``; each row counts as much as it says."""
    names = list(rows[0])
    plain = np.array([[row[name] for name in names] for row in rows])
    mean, spread = plain.mean(0), plain.std(0) + 1e-6
    scaled = np.hstack([(plain - mean) / spread, np.ones((len(plain), 1))])
    by = _solved(scaled, np.array(right, np.float64), np.array(counts) / np.sum(counts))
    slopes = by[:-1] / spread
    told = dict(zip(names, slopes.tolist(), strict=True))
    return {"bias": float(by[-1] - slopes @ mean), **told}


def _solved(rows: Floats, right: Floats, counts: Floats) -> Floats:
    """Newton's steps to the weights of least loss; all but the last are held small."""
    by = np.zeros(rows.shape[1])
    held = L2 * np.r_[np.ones(len(by) - 1), 0.0]
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-np.clip(rows @ by, -30, 30)))
        slope = rows.T @ (counts * (said - right)) + held * by
        bend = (rows * (counts * said * (1 - said))[:, None]).T @ rows + np.diag(held + 1e-9)
        by = by - np.linalg.solve(bend, slope)
    return by


def fitted(cases: Sequence[Looked]) -> dict[str, dict[str, Row]]:
    """What ``weights.yaml`` holds."""
    found = {name: _language(cases, name) for name in sorted({one.question.language for one in cases})}
    return {
        what: {name: by[what] for name, by in found.items()} for what in ("relevance", "confidence", "beside")
    }


Told = tuple[Row, bool]


def _language(cases: Sequence[Looked], language: str) -> dict[str, Row]:
    own = [one for one in cases if one.question.language == language]
    relevance = _fit(own, lambda one: list(zip(page_features(one.bearings), one.case.gold, strict=True)))
    tiers = [one for one in own if one.corpus in NAMES]
    known = {id(one): figures(one, relevance) for one in tiers}

    def beside(one: Looked) -> list[Told]:
        if one.case.kind == "whole":  # the public tier is but the passage that answers
            return []
        return [({**known[id(one)], "reach": one.case.reach}, one.case.holds)]

    return {
        "relevance": relevance,
        "confidence": _cautious(tiers, lambda one: [(known[id(one)], one.case.holds)]),
        "beside": _cautious(tiers, beside),
    }


def _cautious(cases: Sequence[Looked], told: Callable[[Looked], list[Told]]) -> dict[str, float]:
    """Fitted with the price of an error, then calibrated to the share of the tiers that hold the answer."""
    by = _fit(cases, told, PRICE)
    calibrated = _fit(
        cases,
        lambda one: [({"sum": summed(row, by)}, right) for row, right in told(one)],
        (1 - HOLDS) / HOLDS,
    )
    slope = calibrated.pop("sum")
    scaled = {name: round(slope * weight, 3) for name, weight in by.items()}
    return {**scaled, "bias": round(slope * by["bias"] + calibrated["bias"], 3)}


def summed(row: Row, by: Row) -> float:
    """The figures by their weights."""
    return by["bias"] + sum(by[name] * value for name, value in row.items())


def _fit(
    cases: Sequence[Looked], told: Callable[[Looked], list[Told]], price: float = 1.0
) -> dict[str, float]:
    sizes: dict[str, int] = defaultdict(int)
    for one in cases:
        sizes[one.corpus] += 1
    rows = [(row, right, sizes[one.corpus] ** -0.5) for one in cases for row, right in told(one)]
    counts = [count if right else price * count for _, right, count in rows]
    by = logistic([row for row, _, _ in rows], [right for _, right, _ in rows], counts)
    return {name: round(weight, 3) for name, weight in by.items()}


def written(by: Mapping[str, Mapping[str, Row]], head: str) -> str:
    """The file of these weights."""
    return head + yaml.safe_dump(by, sort_keys=False, default_flow_style=False)


HEAD = """# When private results suffice, and how relevant each is: logistic weights, fitted by
# training/knowledge/fit_sufficiency.py. `bias` is counted always, every other figure is one of features.py.
# confidence: the answer is private; beside: the same where the index of the public tier tells its reach too.
"""


def main() -> None:
    """Fit, print, and write if wanted."""
    from benchmarks import places

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=places.further())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = [one for corpus in collections(options.data) for one in looked(corpus.name, corpus.cases())]
    if not cases:
        raise SystemExit(f"No collections in {options.data}; benchmarks/sufficiency.py says whence they come")
    told = written(fitted(cases), HEAD)
    sys.stdout.write(told)
    if options.write:
        TARGET.write_text(told, "utf-8")


if __name__ == "__main__":
    main()
