"""Fit how a change of the topic is told (winnow/context/data/topic.yaml) and print the figures.

    python -m training.fit_topic [--seeds 6] [--turns 300]

``words`` and ``meaning``, the second turn on a new topic: dialogues are those of benchmarks/dialogues.py,
made of half of its topics for fitting and of the other half for the figures, both ways; the weights that
are printed are fitted to all. Turns that tell or ask for a fact are asides and never right.

``first``, the question that begins one: 200 that do and 200 that go on, of 50 talks in both languages
(benchmarks/data/topics), fitted on every second talk and judged on the others, both ways.
Precision is that of talks where one question in ten begins a topic.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from benchmarks import places
from benchmarks.dialogues import LANGUAGES, Speaker, Turn, words

import winnow
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.context.window import (
    MIN_TOPIC_TURNS,
    TOPIC_TURNS,
    first_features,
    split_exchanges,
    topic_features,
    wants_new_topic,
)
from winnow.types.utterance import LanguageCode

Floats = npt.NDArray[np.float64]
RIDGE = 1.0
FIRST = 0.1
"""Of the questions of a talk, those that begin a topic."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Turns as what tells of them, and whether the topic turned."""

    names: list[str]
    rows: Floats
    right: npt.NDArray[np.bool_]


def spoken(language: LanguageCode, half: int | None, seeds: int, turns: int) -> Iterator[list[Turn]]:
    """Dialogues on every second topic, or on all of them."""
    grammar = words(language)
    topics = {n: t for at, (n, t) in enumerate(grammar["topics"].items()) if half in (None, at % 2)}
    for seed in range(seeds):
        yield Speaker({**grammar, "topics": topics}, random.Random(f"fit{language}{seed}")).dialogue(turns)


def seen(half: int | None, seeds: int, turns: int, table: StaticEmbedder | None) -> Seen:
    """What tells of every turn that is asked about, in both languages."""
    rows, right, names = [], [], []
    for language in LANGUAGES:
        for said in spoken(language, half, seeds, turns):
            told = split_exchanges([message for turn in said for message in turn.messages])
            for n in range(MIN_TOPIC_TURNS, len(said)):
                if wants_new_topic(said[n].question) or said[n].turns:
                    continue
                known = topic_features(said[n].question, told[max(0, n - TOPIC_TURNS) : n], table)
                names = list(known)
                rows.append([1.0, *known.values()])
                right.append(said[n - 1].turns and not said[n].aside)
    return Seen(["bias", *names], np.array(rows), np.array(right))


def first_seen(half: int | None, table: StaticEmbedder) -> Seen:
    """What tells of the questions that begin a topic or go on, of every second talk or of all of them."""
    engine = winnow.open()
    rows, right, names = [], [], []
    for language in LANGUAGES:
        lines = (places.DATA / "topics" / f"turns.{language}.jsonl").read_text("utf-8").splitlines()
        for talk in map(json.loads, lines[half or 0 :: 1 if half is None else 2]):
            said = talk["said"]
            exchanges = list(zip(said[::2], said[1::2], strict=True))
            history = tuple(
                t for a, b in exchanges for t in (winnow.Turn("user", a), winnow.Turn("assistant", b))
            )
            turns = split_exchanges([{"role": one.role, "content": one.content} for one in history])
            for kind in ("stays", "turns"):
                for text in talk[kind]:
                    known = first_features(text, turns, table)
                    query = engine.sync.understand(winnow.Utterance(text, history=history)).rewrite
                    known["rewritten"] = float(query.changed)
                    names = list(known)
                    rows.append([1.0, *known.values()])
                    right.append(kind == "turns")
    return Seen(["bias", *names], np.array(rows), np.array(right))


def first_weights(known: Seen) -> Floats:
    """Weights of how likely a question begins a topic, in talks where so few do."""
    weights = fitted(known)
    weights[0] += np.log(FIRST / (1 - FIRST)) - np.log(known.right.mean() / (1 - known.right.mean()))
    return weights


def fitted(known: Seen) -> Floats:
    """Weights of a logistic regression, by Newton's method."""
    weights = np.zeros(known.rows.shape[1])
    ridge = RIDGE * np.eye(weights.size)
    ridge[0, 0] = 0
    for _ in range(30):
        chance = 1 / (1 + np.exp(-known.rows @ weights))
        slope = known.rows.T @ (known.right - chance) - ridge @ weights
        bend = (known.rows * (chance * (1 - chance))[:, None]).T @ known.rows + ridge
        weights += np.linalg.solve(bend, slope)
    return weights


def judged(
    known: Seen, weights: Floats, least: float, share: float | None = None
) -> tuple[float, float, float]:
    """Precision, recall and F0.5 where the topic is said to have turned from ``least`` on.

    F0.5, since a wrong alarm throws away what a server has read, and what is missed costs little. ``share``:
    of turns that are right, where it is another than among these.
    """
    said = 1 / (1 + np.exp(-known.rows @ weights)) >= least
    share = float(known.right.mean()) if share is None else share
    recall, wrong = float(said[known.right].mean()), float(said[~known.right].mean())
    precision = share * recall / max(1e-9, share * recall + (1 - share) * wrong)
    return precision, recall, 1.25 * precision * recall / max(1e-9, 0.25 * precision + recall)


def best(known: Seen, weights: Floats, share: float | None = None) -> float:
    """The chance from which on F0.5 is best."""
    return float(max(np.arange(0.1, 0.95, 0.05), key=lambda least: judged(known, weights, least, share)[2]))


def report_first(table: StaticEmbedder) -> None:
    """Print weights and figures of the question that begins a topic."""
    halves = [first_seen(half, table) for half in (0, 1)]
    for own, other in (halves, halves[::-1]):
        weights = first_weights(own)
        least = best(own, weights, FIRST)
        told = " ".join(f"{100 * x:.1f}" for x in judged(other, weights, least, FIRST))
        print(f"first: fitted on {own.right.size}, least {least:.2f}; the others P R F0.5: {told}")
    everything = first_seen(None, table)
    weights = first_weights(everything)
    values = dict(zip(everything.names, (round(float(w), 2) for w in weights), strict=True))
    print("first", f"least {best(everything, weights, FIRST):.2f}", values)


def main() -> None:
    """Print weights and figures, with the meaning of words and without."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--turns", type=int, default=300)
    asked = parser.parse_args()
    for name, table in (("words", None), ("meaning", StaticEmbedder())):
        for half in (0, 1):
            own, other = (seen(h, asked.seeds, asked.turns, table) for h in (half, 1 - half))
            weights = fitted(own)
            least = best(own, weights)
            told = " ".join(f"{100 * x:.1f}" for x in judged(other, weights, least))
            print(f"{name}: fitted on half {half}, least {least:.2f}; other half P R F0.5: {told}")
        everything = seen(None, asked.seeds, asked.turns, table)
        weights = fitted(everything)
        values = dict(zip(everything.names, (round(float(w), 2) for w in weights), strict=True))
        print(name, f"least {best(everything, weights):.2f}", values, f"{everything.right.size} turns")
    report_first(StaticEmbedder())


if __name__ == "__main__":
    main()
