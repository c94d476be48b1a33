"""Fit how a change of the topic is told (winnow/context/data/topic.yaml) and print the figures.

    python -m training.fit_topic [--seeds 6] [--turns 300] [--first]

Dialogues are those of benchmarks/dialogues.py, made of half of its topics for fitting and of the other half
for the figures, both ways; the weights that are printed are fitted to all. Right is the second turn on a new
topic; turns that tell or ask for a fact are asides and never right. With ``--first`` the first turn on it is
right, which decision 0101 tells of.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from benchmarks.dialogues import LANGUAGES, Speaker, Turn, words

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.context.window import (
    MIN_TOPIC_TURNS,
    TOPIC_TURNS,
    split_exchanges,
    topic_features,
    wants_new_topic,
)
from winnow.types.utterance import LanguageCode

Floats = npt.NDArray[np.float64]
RIDGE = 1.0


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


def seen(half: int | None, seeds: int, turns: int, table: StaticEmbedder | None, first: bool = False) -> Seen:
    """What tells of every turn that is asked about, in both languages."""
    rows, right, names = [], [], []
    for language in LANGUAGES:
        for said in spoken(language, half, seeds, turns):
            told = split_exchanges([message for turn in said for message in turn.messages])
            for n in range(MIN_TOPIC_TURNS, len(said)):
                if wants_new_topic(said[n].question) or (said[n].turns and not first):
                    continue
                known = topic_features(said[n].question, told[max(0, n - TOPIC_TURNS) : n], table)
                names = list(known)
                rows.append([1.0, *known.values()])
                turned = said[n] if first else said[n - 1]
                right.append(turned.turns and not said[n].aside)
    return Seen(["bias", *names], np.array(rows), np.array(right))


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


def judged(known: Seen, weights: Floats, least: float) -> tuple[float, float, float]:
    """Precision, recall and F0.5 where the topic is said to have turned from ``least`` on.

    F0.5, since a wrong alarm throws away what a server has read, and what is missed costs little.
    """
    said = 1 / (1 + np.exp(-known.rows @ weights)) >= least
    hits = float((said & known.right).sum())
    precision, recall = hits / max(1, said.sum()), hits / max(1, known.right.sum())
    return precision, recall, 1.25 * precision * recall / max(1e-9, 0.25 * precision + recall)


def best(known: Seen, weights: Floats) -> float:
    """The chance from which on F0.5 is best."""
    return float(max(np.arange(0.1, 0.95, 0.05), key=lambda least: judged(known, weights, least)[2]))


def main() -> None:
    """Print weights and figures, with the meaning of words and without."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--first", action="store_true", help="look for the first turn on a topic")
    asked = parser.parse_args()
    for name, table in (("words", None), ("meaning", StaticEmbedder())):
        for half in (0, 1):
            own, other = (seen(h, asked.seeds, asked.turns, table, asked.first) for h in (half, 1 - half))
            weights = fitted(own)
            least = best(own, weights)
            told = " ".join(f"{100 * x:.1f}" for x in judged(other, weights, least))
            print(f"{name}: fitted on half {half}, least {least:.2f}; other half P R F0.5: {told}")
        everything = seen(None, asked.seeds, asked.turns, table, asked.first)
        weights = fitted(everything)
        values = dict(zip(everything.names, (round(float(w), 2) for w in weights), strict=True))
        print(name, f"least {best(everything, weights):.2f}", values, f"{everything.right.size} turns")


if __name__ == "__main__":
    main()
