"""Fit ``src/winnow/context/data/compression_weights.yaml`` on questions whose answers are known.

    python -m training.knowledge.fit_compress                  fit, and tell what comes out on other questions
    python -m training.knowledge.fit_compress --data FOLDER    on questions of another folder
    python -m training.knowledge.fit_compress --write          put weights fitted on all questions in force

What is fitted is a softmax over the pieces of each question's passages: those that hold an answer should have
the most of it. Each language has weights of its own, and each of the four states of knowledge: how rare words
are in all that was searched, and which words are alike, may be known or not. Nothing is random: the same
questions give the same file. ``python -m benchmarks.compress`` measures on questions not fitted on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.context.compress.features import FEATURES, weights_name

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src" / "winnow" / "context" / "data" / "compression_weights.yaml"
L2 = 0.01
"""Of weights in standard deviations of their reason, against the mean loss of a question."""
STEPS, RATE = 250, 0.15
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Taught:
    """A question: the reasons of each piece, and which pieces hold an answer."""

    reasons: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]


NAMES = tuple(weights_name(rare, meant) for rare in (False, True) for meant in (False, True))
"""Of the weights: what may be known beside the texts."""


def features_of(name: str) -> tuple[str, ...]:
    """The reasons that count under a name of ``weights_name``."""
    absent = {"rare", "rare_sentence"} if "rare" not in name else set[str]()
    if "meaning" not in name:
        absent |= {"like", "soft"}
    return tuple(reason for reason in FEATURES if reason not in absent)


def fitted(questions: Sequence[Taught], name: str) -> dict[str, float]:
    """The weights for the reasons that count under a name of ``scores.known``."""
    counted = features_of(name)
    columns = [FEATURES.index(reason) for reason in counted]
    some = [question for question in questions if question.right.any()]
    rows = np.concatenate([question.reasons[:, columns] for question in some]).astype(np.float64)
    spread = rows.std(0) + 1e-6
    slope = _Slope((rows - rows.mean(0)) / spread, some)
    by = _descended(slope) / spread
    return dict(zip(counted, (round(float(weight), 3) for weight in by), strict=True))


class _Slope:
    """The slope of the mean loss over questions."""

    def __init__(self, rows: Floats, questions: Sequence[Taught]) -> None:
        lengths = np.array([len(question.right) for question in questions])
        self.rows, self.number = rows, len(questions)
        self.starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.question = np.repeat(np.arange(len(questions)), lengths)
        self.right = np.concatenate([question.right for question in questions])

    def __call__(self, by: Floats) -> Floats:
        given = self._shares(self.rows @ by)
        rightly = given * self.right
        wanted = rightly / (np.add.reduceat(rightly, self.starts)[self.question] + 1e-12)
        slope: Floats = self.rows.T @ (given - wanted) / self.number + L2 * by
        return slope

    def _shares(self, sums: Floats) -> Floats:
        grown = np.exp(sums - np.maximum.reduceat(sums, self.starts)[self.question])
        shares: Floats = grown / np.add.reduceat(grown, self.starts)[self.question]
        return shares


def _descended(slope: _Slope) -> Floats:
    by = np.zeros(slope.rows.shape[1])
    speed, spread = np.zeros_like(by), np.zeros_like(by)
    for step in range(1, STEPS + 1):
        down = slope(by)
        speed, spread = 0.9 * speed + 0.1 * down, 0.99 * spread + 0.01 * down**2
        by = by - RATE * speed / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    return by


def written(found: dict[str, dict[str, dict[str, float]]], head: str) -> str:
    """The file of weights: language, what is known, reason."""
    lines = [f"# {line}" for line in head.splitlines()]
    for language, sets in found.items():
        lines.append(f"{language}:")
        for name, by in sets.items():
            told = ", ".join(f"{reason}: {weight}" for reason, weight in by.items())
            lines.append(f"  {name}: {{{told}}}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Fit, tell, and write if wanted."""
    from benchmarks import compress, places

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=places.further())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    files = compress.files(options.data)
    if len(files) < len(compress.NAMES):
        raise SystemExit(
            f"{', '.join(compress.NAMES)}: not all are in {options.data}; see benchmarks/compress.py"
        )
    figures = compress.cross_fitted(files)
    head = compress.told(figures)
    sys.stdout.write(head + "\n")
    if options.write:
        found = {
            name.partition(".")[2]: {kind: fitted(compress.taught(asked), kind) for kind in NAMES}
            for name, asked in files.items()
        }
        TARGET.write_text(written(found, HEAD + head), "utf-8")


HEAD = """What each reason for a piece of text counts for, by the language of the texts and by what is known
beside them. Fitted by training/knowledge/fit_compress.py on all questions. What counts is how weights fitted
on one half of the questions do on the other half; answers still there after compression, in per cent:
"""


if __name__ == "__main__":
    main()
