"""What each reason for news counts for: fitted on the first half of ``current_values.en``.

    python -m training.fit_news

Of every history the options are the ranking as it is and, for each pair of messages, the newer one first; a
softmax over them is to put first what holds now. Tells the weights and the cross-fitted share of five folds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from benchmarks import places
from benchmarks.current_values import DEPTH, TABLE, Row, messages_of

from winnow.retrieve.history.index import build_history
from winnow.retrieve.history.rank import likely_rows
from winnow.retrieve.statements.supersession import NewsQuestion, message_note, news_pairs
from winnow.types.candidate import Search

Floats = npt.NDArray[np.float64]
FOLDS, ROUNDS, RATE, DECAY = 5, 2000, 0.3, 0.01


@dataclass(frozen=True, slots=True)
class Case:
    """The options of one question: their reasons, and which of them put first what holds."""

    reasons: Floats
    right: npt.NDArray[np.bool_]


def case_of(row: Row) -> tuple[list[str], Case]:
    """The names of the reasons (the last stands for any change at all), and the options."""
    messages = messages_of(row["history"])
    index = build_history(messages, TABLE)
    rows = likely_rows(Search(row["query"]), index, DEPTH).tolist()
    asked = NewsQuestion(message_note(row["query"]), index.words.weight)
    told = [] if asked.note.tone.then else list(news_pairs(rows, messages, asked))
    names = list(told[0].features) if told else []
    options = [[0.0] * (len(names) + 1)] + [[*map(float, news.features.values()), 1.0] for news in told]
    first = [rows[0], *(news.new for news in told)]
    right = [messages[at].id in row["evidence_ids"] for at in first]
    return names, Case(np.array(options), np.array(right))


def fitted(cases: Sequence[Case], width: int) -> Floats:
    """The weights; the last one is minus the least score of news."""
    weights = np.zeros(width)
    used = [case for case in cases if case.right.any() and len(case.right) > 1]
    for _ in range(ROUNDS):
        step = np.zeros(width)
        for case in used:
            shares = _softmax(case.reasons @ weights)
            wanted = shares * case.right
            step += case.reasons.T @ (wanted / wanted.sum() - shares)
        weights += RATE * (step / len(used) - DECAY * weights)
    return weights


def _softmax(scores: Floats) -> Floats:
    grown = np.exp(scores - scores.max())
    return grown / grown.sum()


def outcomes(cases: Sequence[Case], width: int) -> Iterator[bool]:
    """For each case whether weights fitted without it put first what holds."""
    for at, case in enumerate(cases):
        others = [other for n, other in enumerate(cases) if n % FOLDS != at % FOLDS]
        if at < FOLDS:
            _known[at] = fitted(others, width)
        best = int(np.argmax(case.reasons @ _known[at % FOLDS])) if len(case.right) > 1 else 0
        yield bool(case.right[best])


_known: dict[int, Floats] = {}


def main() -> None:
    """Fit and print."""
    rows = places.rows(places.DATA / "messages" / "current_values.en.jsonl")
    read = [case_of(row) for row in rows[: len(rows) // 2]]
    names = next(names for names, _ in read if names)
    cases = [case for _, case in read]
    weights = fitted(cases, len(names) + 1)
    for name, weight in zip(names, weights, strict=False):
        sys.stdout.write(f"{name}: {weight:.1f}\n")
    sys.stdout.write(f"least: {-weights[-1]:.1f}\n")
    sys.stdout.write(f"cross-fitted {np.mean(list(outcomes(cases, len(names) + 1))):.3f}\n")


if __name__ == "__main__":
    main()
