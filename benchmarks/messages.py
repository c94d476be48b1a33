"""How often the message that answers is found among a person's earlier ones, and how long a question takes.

    python -m benchmarks.messages

``WINNOW_BENCH`` holds ``dev/messages/<name>.jsonl`` (``query``, ``user_id``, ``evidence_ids``,
``category``) with ``<name>.messages.jsonl``. They come from public data sets, LoCoMo (English dialogues) and
MemDaily (what one person noted, Chinese, padded to 200), and are not part of this repository; what is absent
is named and left out. The weights were fitted on the same questions, so the figures that count are those of
``fitted on others``: weights fitted on one half of the histories, measured on the other, over three ways of
halving them. Meaning is that of the built-in table.

R@k: the mean share of the messages that answer a question among the first k. Sessions R@5: the mean share of
the talks that hold them among the talks of the ranking's first messages, five different talks in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

import numpy as np
from training.history.fit import Asked, Judged, fitted

from benchmarks import places
from benchmarks.evaluation.cases import read_cases
from benchmarks.evaluation.text_tasks import HistoryCase, history_case
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.language.linear import weighted_rows
from winnow.retrieve.bm25 import LexicalIndex
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import (
    ClauseScores,
    clause_scores,
    history_weights,
    order_rows,
    question_texts,
    search_history,
)

NAMES = ("locomo.en", "memdaily.zh")
SPLITS = 3
DEPTH = 100
"""Messages ranked for the talks among them."""
Weights = Mapping[str, float]
Chosen = Callable[[str], Weights]
"""The weights a history of that user is asked with."""


@dataclass(frozen=True, slots=True)
class Question:
    """A case, what each of its clauses finds, and what is right."""

    case: HistoryCase
    user: str
    category: str
    """Without what MemDaily's say after their number and name."""
    gold: frozenset[str]
    index: HistoryIndex
    found: tuple[ClauseScores, ...]
    milliseconds: float

    @property
    def asked(self) -> Asked:
        """What it teaches."""
        right = np.array([message.id in self.gold for message in self.index.messages])
        reasons = self.found[0].reasons
        best = {name: np.maximum.reduce([one.reasons[name] for one in self.found]) for name in reasons}
        return Asked(best, right)


def asked(path: Path) -> Iterator[Question]:
    """The questions of a file, in its order."""
    table = StaticEmbedder()
    rows = {row["id"]: row for row in places.rows(path)}
    for _, cases in groupby(read_cases(path, history_case), key=lambda case: id(case.messages)):
        told = list(cases)
        index = build_history(told[0].messages, table)
        vectors = table.embed([message.content for message in told[0].messages])
        for case in told:
            row = rows[case.id]
            start = process_time()
            cosines = table.embed(question_texts(case.search, index)) @ vectors.T
            search_history(case.search, index, cosines)
            took = (process_time() - start) * 1000
            found = clause_scores(case.search, index, cosines)
            gold = frozenset(row["evidence_ids"])
            yield Question(case, row["user_id"], _kind(row["category"]), gold, index, found, took)


def _kind(category: str) -> str:
    return category.rpartition("_")[0] if category[:1].isdigit() else category


def ranking(question: Question, by: Weights) -> list[int]:
    """The rows of a question, ranked by these weights."""
    found = [ClauseScores(one.reasons, weighted_rows(one.reasons, by), one.several) for one in question.found]
    return list(order_rows(question.case.search, question.index, found, DEPTH).rows)


def figures(questions: Sequence[Question], chosen: Chosen) -> dict[str, float]:
    """Shares in per cent."""
    shares: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        rows = ranking(question, chosen(question.user))
        ids = [question.index.messages[row].id for row in rows]
        for depth in (1, 5, 10):
            shares[f"R@{depth}"].append(_share(ids[:depth], question.gold))
        shares[f"R@10 {question.category}"].append(_share(ids[:10], question.gold))
        if question.index.talks.dialogue.any():
            shares["sessions R@5"].append(sessions(question, rows))
    return {name: round(100 * mean(found), 1) for name, found in sorted(shares.items())}


def _share(found: Sequence[Any], gold: frozenset[Any]) -> float:
    return len(gold.intersection(found)) / len(gold)


def sessions(question: Question, rows: Sequence[int], most: int = 5) -> float:
    """The share of the talks with an answer among the first ``most`` different talks of the ranking."""
    talks = question.index.talks.number
    right = frozenset(
        int(talks[row]) for row, m in enumerate(question.index.messages) if m.id in question.gold
    )
    return _share(list(dict.fromkeys(int(talks[row]) for row in rows))[:most], right)


def halves(users: Sequence[str], split: int) -> frozenset[str]:
    """One half of the users; four users have three different ways to be halved. Nothing is random."""
    first, *rest = sorted(set(users), key=lambda user: sha256(user.encode()).digest())
    turn = split * len(rest) // SPLITS
    return frozenset([first, *(rest[turn:] + rest[:turn])[: (len(rest) - 1) // 2]])


def cross_fitted(files: Mapping[str, Sequence[Question]], split: int) -> dict[str, dict[str, float]]:
    """The figures of each file where every history is asked with weights fitted on the other half."""
    first = {name: halves([q.user for q in found], split) for name, found in files.items()}

    def judged(name: str, inside: bool) -> Judged:
        return [q.asked for q in files[name] if (q.user in first[name]) == inside]

    by = {inside: fitted([judged(name, inside) for name in files]) for inside in (True, False)}
    return {
        name: figures(found, lambda user, own=first[name]: by[user not in own])  # type: ignore[misc]
        for name, found in files.items()
    }


def by_words(questions: Sequence[Question]) -> dict[str, float]:
    """The peer: all messages of a history ranked by BM25 of their words."""
    shares: dict[str, list[float]] = defaultdict(list)
    for _, told in groupby(questions, key=lambda question: id(question.index)):
        asked = list(told)
        messages = asked[0].index.messages
        texts = LexicalIndex.build([message.content for message in messages])
        for question in asked:
            order = np.argsort(-texts.scores(question.case.search.text), kind="stable")[:10]
            ids = [messages[int(row)].id for row in order]
            for depth in (1, 5, 10):
                shares[f"R@{depth}"].append(_share(ids[:depth], question.gold))
    return {name: round(100 * mean(found), 1) for name, found in shares.items()}


def measured(files: Mapping[str, Sequence[Question]]) -> dict[str, Any]:
    """All figures by file."""
    splits = [cross_fitted(files, split) for split in range(SPLITS)]
    result: dict[str, Any] = {}
    for name, found in files.items():
        times = [q.milliseconds for q in found]
        others = {key: round(mean(s[name][key] for s in splits), 1) for key in splits[0][name]}
        result[name] = {
            "n": len(found),
            "fitted on others": others,
            "in force": figures(found, lambda _: history_weights()),
            "BM25": by_words(found),
            "ms p50": round(float(np.percentile(times, 50)), 1),
            "ms p95": round(float(np.percentile(times, 95)), 1),
        }
    return result


def main() -> None:
    """Measure, print and keep."""
    folder = places.further() / "dev" / "messages"
    files: dict[str, list[Question]] = {}
    for name in NAMES:
        if (folder / f"{name}.jsonl").is_file():
            files[name] = list(asked(folder / f"{name}.jsonl"))
        else:
            print(f"{name} left out: it is not in {folder}; the head of this file says whence it comes")
    if not files:
        return
    found = measured(files)
    for name, rows in found.items():
        print(f"\n{name} (n={rows['n']}), {rows['ms p50']} ms of processor a question, p95 {rows['ms p95']}")
        print(f"{'':28s}{'fitted on others':>18s}{'in force':>10s}")
        for key, value in rows["fitted on others"].items():
            print(f"{key:28s}{value:18.1f}{rows['in force'][key]:10.1f}")
    places.keep("messages", found)


if __name__ == "__main__":
    main()
