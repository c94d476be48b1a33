"""Fit ``src/winnow/understand/rewrite/talk.yaml``: what the words of a talk count for in a search.

    python -m training.fit_talk FOLDER          fit on each half of the questions, report on the other
    python -m training.fit_talk FOLDER --write  put in force what is best on all of them

FOLDER holds ``dev/knowledge/NAME.queries.jsonl`` (id, query, relevant_ids, history) and
``docs/NAME.docs.jsonl`` (id, title, text). Two things are wanted at once: a question finds the passage that
answers it after the talk it was asked in, and a question that stands alone is not led astray by a talk about
something else (two other questions with their passages are put before it). Halves go by the hash of the id.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.retrieve.bm25 import ImpactPostings as Postings
from winnow.retrieve.bm25 import build_postings, count_terms
from winnow.types.utterance import Turn, parse_turns
from winnow.understand.rewrite import rewrite as talk
from winnow.understand.rewrite.rewrite import rewrite

TARGET = Path(__file__).resolve().parents[1] / "src/winnow/understand/rewrite/talk.yaml"
TALKS, ALONE = "cast.en", ("xquad.en", "cmrc.zh")
GRID = {
    "terms": (6, 8, 12, 20),
    "user": (0.8, 1.0),
    "assistant": (0.3, 0.5, 0.7),
    "reply": (0.5, 0.7, 1.0),
    "anyway": (0.2, 0.35, 0.5),
}
Weights = dict[str, float]
Hits = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question after a talk; ``base`` is what its own words score, ``seen`` what was given before."""

    text: str
    history: tuple[Turn, ...]
    right: frozenset[int]
    seen: tuple[int, ...]
    base: npt.NDArray[np.float32]
    half: int


@dataclass(frozen=True, slots=True)
class Set:
    """Questions of one collection."""

    index: Postings
    asked: tuple[Asked, ...]


def read(folder: Path, name: str, *, alone: bool) -> Set:
    """The questions of a file; ``alone``: each after a talk about something else."""
    documents = list(_lines(folder / "docs" / f"{name}.docs.jsonl"))
    questions = list(_lines(folder / "dev" / "knowledge" / f"{name}.queries.jsonl"))
    index = build_postings(
        count_terms([content_terms(f"{d.get('title', '')} {d['text']}") for d in documents])
    )
    by_id = {d["id"]: n for n, d in enumerate(documents)}
    by_text = {d["text"]: n for n, d in enumerate(documents)}
    chance = random.Random(1)

    def other() -> list[dict[str, str]]:
        some = chance.sample(questions, 2)
        said = [(q["query"], documents[by_id[q["relevant_ids"][0]]]["text"]) for q in some]
        return [turn for q, p in said for turn in (_message("user", q), _message("assistant", p))]

    def one(question: dict[str, Any]) -> Asked:
        history = parse_turns(other() if alone else question["history"])
        text = question["query"] if alone else rewrite(question["query"], history).query
        right = frozenset(by_id[i] for i in question["relevant_ids"])
        seen = tuple({by_text[t.content] for t in history if t.content in by_text} - right)
        half = int(hashlib.sha256(question["id"].encode()).hexdigest(), 16) % 2
        terms = list(dict.fromkeys(content_terms(text)))
        return Asked(text, history, right, seen, index.scores(terms), half)

    return Set(index, tuple(map(one, questions)))


def hits(questions: Set, weights: Weights) -> Hits:
    """Right at the first place, right among the first five, and the half: a row a question."""
    rows = []
    talk.weights = lambda: weights
    for one in questions.asked:
        added = talk.turns_on(one.text, one.history)
        scores = one.base + questions.index.scores(list(added), np.array(list(added.values()), np.float32))
        scores[list(one.seen)] = -1
        best = np.argsort(-scores, kind="stable")[:5]
        found = [int(n) in one.right for n in best]
        rows.append((found[0], any(found), one.half))
    return np.array(rows, np.float64)


def worth(all_hits: Sequence[Hits], of: Callable[[Hits], Hits]) -> float:
    """What is to be greatest: follow-ups among the first five, and at the first place what stands alone."""
    talks, *others = (of(found) for found in all_hits)
    return float(talks[:, 1].mean() + talks[:, 0].mean() / 2 + np.mean([o[:, 0].mean() for o in others]))


def main() -> None:
    """Fit and report; write where asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    sets = [read(told.folder, TALKS, alone=False), *(read(told.folder, n, alone=True) for n in ALONE)]
    every = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
    results = [(weights, [hits(one, weights) for one in sets]) for weights in every]
    crossed = [
        _half(1 - fitted)(found)
        for fitted in (0, 1)
        for found in max(results, key=lambda r: worth(r[1], _half(fitted)))[1][:1]
    ]
    _tell("fitted on one half, told of the other, both ways:", _shares(np.concatenate(crossed)))
    best, found = max(results, key=lambda r: worth(r[1], lambda h: h))
    lines = [f"{n}: {_shares(f)}" for n, f in zip((TALKS, *ALONE), found, strict=True)]
    _tell("best on all:", best, *lines)
    if told.write:
        head = [line for line in TARGET.read_text("utf-8").splitlines() if line.startswith("#")]
        TARGET.write_text("\n".join([*head, *(f"{k}: {v}" for k, v in best.items()), ""]), "utf-8")


def _tell(*lines: object) -> None:
    sys.stdout.write("\n".join(map(str, lines)) + "\n")


def _half(number: int) -> Callable[[Hits], Hits]:
    return lambda found: found[found[:, 2] == number]


def _shares(found: Hits) -> str:
    return f"R@1 {100 * found[:, 0].mean():.1f}, R@5 {100 * found[:, 1].mean():.1f}"


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _lines(path: Path) -> Iterable[Any]:
    return map(json.loads, path.read_text("utf-8").splitlines())


if __name__ == "__main__":
    main()
