"""Fit what likeness to examples is worth (understand/intent/opening.yaml), and print the figures.

    python -m training.fit_opening [--write]

The examples are those of ``openings.yaml``, and the first turns of one writer of
``benchmarks/data/assistant``; the turns of the other writer are never taught. For the figures every second
example is closed: it neither teaches nor is held against. What is written is fitted to all
examples, each held against the others. Nothing is random.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from benchmarks import places

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.language.linear import probability
from winnow.language.tables import table
from winnow.types.document import threshold
from winnow.understand.intent import features as said
from winnow.understand.intent.alone import clauses
from winnow.understand.intent.classify import intent_of
from winnow.understand.turn import WEIGHED_AGAIN

TARGET = Path(said.__file__).with_name("opening.yaml")
L2, WEIGHT, STEPS = 3e-3, 3.0, 30
"""``WEIGHT``: how many times a turn that needs a look-up counts in the fit, beside one that needs none."""
SCALE = 3.0
"""Cosines vary less than the flags: they are fitted as so many times as much."""
COSINES = ("alone", "sought", "like_alone", "like_sought")
Floats = npt.NDArray[np.float64]


class Opening(NamedTuple):
    """One turn that opens a talk."""

    part: str
    text: str
    needs: bool


def examples() -> list[Opening]:
    """The examples, in two halves of like content."""
    lists = table("winnow.understand.intent", "openings.yaml")
    return [
        Opening(f"{('taught', 'closed')[at % 2]} {language}", text, name == "sought")
        for name, languages in lists.items()
        for language, texts in languages.items()
        for at, text in enumerate(texts)
    ]


def writer(name: str) -> list[Opening]:
    """The turns of one writer that open a talk."""
    rows = places.rows(places.DATA / "assistant" / f"turns.{name}.jsonl")
    return [Opening(f"{name} {r['lang']}", r["turn"], r["needs_lookup"]) for r in rows if not r["history"]]


def seen(turns: Sequence[Opening], against: Sequence[Opening], by: StaticEmbedder) -> list[dict[str, float]]:
    """The features of turns held against examples, none against itself."""
    rows, held = by.embed([t.text for t in turns]), by.embed([t.text for t in against])
    found = []
    for turn, row in zip(turns, rows, strict=True):
        of = [[n for n, a in enumerate(against) if a.needs == needs and a != turn] for needs in (False, True)]
        likeness = said.nearest(row[None], held[of[0]], held[of[1]])[0]
        found.append(dict(said.opening_features(clauses(turn.text), likeness)))
    return found


def fitted(turns: Sequence[Opening], found: Sequence[dict[str, float]]) -> dict[str, float]:
    """A logistic regression with L2 by Newton's method."""
    names = sorted({name for one in found for name in one})
    scale = np.array([1.0, *(SCALE if name in COSINES else 1.0 for name in names)])
    x = scale * np.array([[1.0, *(one.get(name, 0.0) for name in names)] for one in found])
    y = np.array([float(t.needs) for t in turns])
    share = np.where(y > 0, WEIGHT, 1.0)
    share /= share.sum()
    weights, ridge = np.zeros(x.shape[1]), L2 * np.r_[1e-6, np.ones(len(names))]
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        curve = (x * (share * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        weights -= np.linalg.solve(curve, x.T @ (share * (p - y)) + ridge * weights)
    return {n: round(float(w), 3) for n, w in zip(["bias", *names], weights * scale, strict=True)}


def report(turns: Sequence[Opening], found: Sequence[dict[str, float]], weights: dict[str, float]) -> None:
    """Of each part: the share that is spared and looked up, by the rules alone and with the examples."""
    least = threshold("opening_needs")
    for part in sorted({t.part for t in turns}):
        line = part
        for needs, name in ((False, "spared"), (True, "looked up")):
            rows = [(t, f) for t, f in zip(turns, found, strict=True) if (t.part, t.needs) == (part, needs)]
            before = [intent_of(t.text) for t, _ in rows]
            after = [
                i.need_retrieval and not (i.reason in WEIGHED_AGAIN and probability(f, weights) < least)
                for i, (_, f) in zip(before, rows, strict=True)
            ]
            shares = [
                np.mean([b.need_retrieval == needs for b in before]),
                np.mean([a == needs for a in after]),
            ]
            line += f"; {name} {shares[0]:.1%} -> {shares[1]:.1%} of {len(rows)}"
        sys.stdout.write(f"{line}\n")


def main() -> None:
    """Fit, measure, and write if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true")
    asked, by = parser.parse_args(), StaticEmbedder()
    own, first, second = examples(), writer("first"), writer("second")
    half = [t for t in own if t.part.startswith("taught")]
    every = [*own, *first, *second]
    for name, against in (("half of the examples", half), ("all examples", own)):
        taught = [t for t in [*against, *first] if intent_of(t.text).reason in WEIGHED_AGAIN]
        weights = fitted(taught, seen(taught, against, by))
        sys.stdout.write(f"-- {name}, {len(taught)} turns taught\n")
        report(every, seen(every, against, by), weights)
    if asked.write:
        lines = [f"  {name}: {weight:g}" for name, weight in weights.items()]
        head = [
            "#: Fitted by training/fit_opening.py on openings.yaml and what one writer of benchmarks said.",
            f"embedder: {by.name}",
            "features:",
        ]
        TARGET.write_text("\n".join([*head, *lines]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
