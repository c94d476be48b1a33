"""Fit what likeness to examples is worth (understand/intent/opening.yaml), and print the figures.

    python -m training.fit_opening [--write] [--judge]

The examples are those of ``openings.yaml``, and the turns of one writer of ``benchmarks/data/assistant``; the
turns of the other writer are never taught. For the figures every third example is closed: it neither teaches
nor is held against. What is written is fitted to all
examples, each held against the others. A turn that needs a look-up counts ``WEIGHT`` times. Nothing is
random.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
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
from winnow.types.utterance import Turn
from winnow.understand.intent import features as said
from winnow.understand.intent.alone import before, clauses
from winnow.understand.intent.classify import intent_of
from winnow.understand.turn import WEIGHED_AGAIN

TARGET = Path(said.__file__).with_name("opening.yaml")
L2, WEIGHT, STEPS = 3e-3, 3.0, 30
"""``WEIGHT``: how many times a turn that needs a look-up counts in the fit, beside one that needs none."""
SCALE, VECTOR_SCALE = 3.0, 4.0
"""Cosines and the parts of a vector vary less than the flags: they are fitted as so many times as much."""
PART = re.compile(r"v\d{3}$")
COSINES = ("alone", "sought", "like_alone", "like_sought")
Floats = npt.NDArray[np.float64]


class Opening(NamedTuple):
    """One turn, and the talk before it."""

    part: str
    text: str
    needs: bool
    history: tuple[Turn, ...] = ()


def examples() -> list[Opening]:
    """The examples; every third is closed."""
    return [
        _example(f"{('taught', 'taught', 'closed')[at % 3]} {language}", row, name.endswith("sought"))
        for name, languages in table("winnow.understand.intent", "openings.yaml").items()
        for language, rows in languages.items()
        for at, row in enumerate(rows)
    ]


def _example(part: str, row: str, needs: bool) -> Opening:
    *said, text = row.split(" | ")
    history = (Turn("user", said[0]), Turn("assistant", said[1])) if said else ()
    return Opening(f"{part}{' in a talk' if said else ''}", text, needs, history)


def writer(name: str) -> list[Opening]:
    """The turns of one writer."""
    return [
        Opening(
            f"{name} {r['lang']}{' in a talk' if r['history'] else ''}",
            r["turn"],
            r["needs_lookup"],
            tuple(Turn(**turn) for turn in r["history"]),
        )
        for r in places.rows(places.DATA / "assistant" / f"turns.{name}.jsonl")
    ]


def seen(turns: Sequence[Opening], against: Sequence[Opening], by: StaticEmbedder) -> list[dict[str, float]]:
    """The features of turns held against examples, none against itself; the parts of the vector by number."""
    rows, held = by.embed([t.text for t in turns]), by.embed([t.text for t in against])
    found = []
    for turn, row in zip(turns, rows, strict=True):
        of = [[n for n, a in enumerate(against) if a.needs == needs and a != turn] for needs in (False, True)]
        likeness = said.nearest(row[None], held[of[0]], held[of[1]])[0]
        form = said.opening_features(clauses(turn.text), before(turn.history), likeness)
        found.append({**form, **{f"v{n:03d}": float(part) for n, part in enumerate(row)}})
    return found


def fitted(turns: Sequence[Opening], found: Sequence[dict[str, float]]) -> dict[str, float]:
    """A logistic regression with L2 by Newton's method."""
    names = sorted({name for one in found for name in one})
    scales = {**dict.fromkeys(COSINES, SCALE), **{name: VECTOR_SCALE for name in names if PART.match(name)}}
    scale = np.array([1.0, *(scales.get(name, 1.0) for name in names)])
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


def in_force() -> dict[str, float]:
    """The weights of ``opening.yaml``, those of the vector by number."""
    known = said.openings()
    return {**known["features"], **{f"v{n:03d}": weight for n, weight in enumerate(known["vector"])}}


def looked_up(turn: Opening, found: dict[str, float], weights: dict[str, float]) -> bool:
    """Whether a turn is looked up once it is held against examples."""
    rules = intent_of(turn.text, turn.history)
    if rules.reason not in WEIGHED_AGAIN:
        return rules.need_retrieval
    if not rules.need_retrieval:
        return not turn.history and probability(found, weights) > threshold("statement_needs")
    return probability(found, weights) >= threshold("follow_up_needs" if turn.history else "opening_needs")


def report(turns: Sequence[Opening], found: Sequence[dict[str, float]], weights: dict[str, float]) -> None:
    """Of each part: the share that is spared and looked up, by the rules alone and with the examples."""
    for part in sorted({t.part for t in turns}):
        line = part
        for needs, name in ((False, "spared"), (True, "looked up")):
            rows = [(t, f) for t, f in zip(turns, found, strict=True) if (t.part, t.needs) == (part, needs)]
            shares = [
                np.mean([intent_of(t.text, t.history).need_retrieval == needs for t, _ in rows]),
                np.mean([looked_up(t, f, weights) == needs for t, f in rows]),
            ]
            line += f"; {name} {shares[0]:.1%} -> {shares[1]:.1%} of {len(rows)}"
        sys.stdout.write(f"{line}\n")


def main() -> None:
    """Fit, measure, and write if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--judge", action="store_true", help="print the other writer's figures, too")
    asked, by = parser.parse_args(), StaticEmbedder()
    own, first, second = examples(), writer("first"), writer("second")
    taught_part = [t for t in own if t.part.startswith("taught")]
    every = [*own, *first, *(second if asked.judge else [])]
    for name, against in (("two thirds of the examples", taught_part), ("all examples", own)):
        taught = [t for t in [*against, *first] if intent_of(t.text, t.history).reason in WEIGHED_AGAIN]
        weights = fitted(taught, seen(taught, against, by))
        sys.stdout.write(f"-- {name}, {len(taught)} turns taught\n")
        report(every, seen(every, against, by), weights)
    if asked.write:
        parts = [weight for name, weight in weights.items() if PART.match(name)]
        lines = [f"  {name}: {weight:g}" for name, weight in weights.items() if not PART.match(name)]
        numbers = ", ".join(f"{weight:g}" for weight in parts)
        head = [
            "#: Fitted by training/fit_opening.py on openings.yaml and what one writer of benchmarks said.",
            f"embedder: {by.name}",
            "vector:",
            *textwrap.wrap(f"[{numbers}]", 150, initial_indent="  ", subsequent_indent="   "),
            "features:",
            "  vector: 1",
        ]
        TARGET.write_text("\n".join([*head, *lines]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
