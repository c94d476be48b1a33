"""Fit the weights of ``src/winnow/retrieve/history/weights.yaml`` on questions whose answers are known.

    python -m training.history.fit                  fit, and compare with the weights in force
    python -m training.history.fit --data FOLDER    on questions of another folder
    python -m training.history.fit --write          put the fitted ones in force

What is fitted is a softmax over the messages of each history: the ones that answer should have the greatest
sums. Every file counts the same, however many questions it has; weights stay near ``PRIOR`` where the
questions say nothing, and none is below zero. ``python -m benchmarks.messages`` says how good it is on
histories that the weights were not fitted on. Nothing is random: the same questions give the same file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.listwise import Rows, descended

from winnow.language.linear import weighted_rows
from winnow.retrieve.history.rank import history_weights

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src" / "winnow" / "retrieve" / "history" / "weights.yaml"
HEAD = "# What each reason for a message counts for; every one of them is 0..1.\n"
PRIOR: Mapping[str, float] = {
    "window": 4.0,
    "meaning": 2.0,
    "hop": 2.0,
    "session": 1.0,
    "talk": 1.5,
    "before": 2.0,
    "first": 0.5,
    "when": 3.0,
    "date": 0.7,
    "speaker": 1.0,
    "dated": 1.0,
    "states": 0.5,
}
"""Weights set by hand. ``when`` comes from diaries of what happens again and again, which are few here."""
L2 = 0.01
STEPS, RATE = 300, 0.05
HARDEST = 80
"""Messages of each question that are told apart: the best by ``PRIOR``, and those that answer."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: reason -> score of every message, and which of them answer it."""

    reasons: Mapping[str, npt.NDArray[np.float32]]
    right: npt.NDArray[np.bool_]


Judged = Sequence[Asked]


def fitted(files: Sequence[Judged]) -> dict[str, float]:
    """The weights for the questions of these files, each file as important as another."""
    below = [_rows(questions) for questions in files if questions]
    prior = np.array(list(PRIOR.values()))
    by = descended(below, prior, prior, L2, RATE, STEPS)
    return dict(zip(PRIOR, (round(float(weight), 2) for weight in by), strict=True))


def _rows(questions: Judged) -> Rows:
    picked = [(asked, _hardest(asked)) for asked in questions if asked.right.any()]
    scores = [np.stack([asked.reasons[name][rows] for name in PRIOR], 1) for asked, rows in picked]
    share = [asked.right[rows] / asked.right.sum() for asked, rows in picked]
    lengths = np.array([len(rows) for _, rows in picked])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return Rows(np.concatenate(scores).astype(np.float64), np.concatenate(share), starts, lengths)


def _hardest(asked: Asked) -> npt.NDArray[np.intp]:
    best = np.argsort(-weighted_rows(asked.reasons, PRIOR), kind="stable")[:HARDEST]
    return np.unique(np.concatenate([best, np.flatnonzero(asked.right)]))


def written(by: Mapping[str, float]) -> str:
    """The file of these weights."""
    return HEAD + "".join(f"{name}: {weight}\n" for name, weight in by.items())


def main() -> None:
    """Fit, print, and write if wanted."""
    from benchmarks import messages, places

    say = sys.stdout.write
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=places.further())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    paths = [options.data / "dev" / "messages" / f"{name}.jsonl" for name in messages.NAMES]
    if missing := [path for path in paths if not path.is_file()]:
        raise SystemExit(
            f"{missing[0]} is not there; the head of benchmarks/messages.py says where it comes from"
        )
    files = [list(messages.asked(path)) for path in paths]
    new = fitted([[question.asked for question in found] for found in files])
    for name, by in (("in force", history_weights()), ("fitted", new)):
        say(f"{name} {dict(by)}\n")
        for path, found in zip(paths, files, strict=True):
            shares = messages.figures(found, lambda _, by=by: by)  # type: ignore[misc]
            told = " ".join(f"{key} {shares[key]}" for key in ("R@1", "R@5", "R@10"))
            say(f"    {path.stem} {told}\n")
    if options.write:
        TARGET.write_text(written(new), "utf-8")


if __name__ == "__main__":
    main()
