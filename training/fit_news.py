"""What each reason for news counts for, of a language.

    python -m training.fit_news en|zh

English is fitted on half of ``current_values.en`` and on ``news.en.txt``, Chinese on ``news.zh.txt`` and on
the Chinese person that weights are fitted on. Each pair of messages found for one question is a row: whether
the later one is news of the earlier. Prints logistic weights of the reasons that ``news.yaml`` has, and of
weights fitted without each tenth what they do with it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml
from benchmarks import places
from benchmarks.current_values import DEPTH, TABLE, Row, messages_of
from benchmarks.persons import DATA, FITTED, questions_of

from winnow.language.registry import language_of
from winnow.retrieve.history.index import build_history
from winnow.retrieve.history.rank import SUPERSESSION_HEAD, clause_scores, likely_rows
from winnow.retrieve.statements.news import NewsQuestion, asks_for_past, news_pairs, news_weights
from winnow.types.candidate import Search

Floats = npt.NDArray[np.float64]
FOLDS, STEPS, DECAY = 10, 30, 0.5
MAX_PAIRS = 30
"""Pairs that one question counts for at most: a long history has hundreds."""
SMALL_TALK = 24
"""Messages of small talk around a history of ``news.en.txt``."""


@dataclass(frozen=True, slots=True)
class Case:
    """The pairs of one question: their reasons, whether each is news, and the older row of each."""

    reasons: Floats
    right: npt.NDArray[np.bool_]
    old: tuple[int, ...]
    outdated: frozenset[int]
    """The older rows of which there is news."""


def own_histories(language: str) -> Iterator[Row]:
    """Histories of ``news.en.txt`` or ``news.zh.txt``: what is asked about among small talk, in order.

    A line is ``question | said first | holds now | holds beside it``, several separated by ``;``. What begins
    with ``>`` was said right after what is before it.
    """
    dice = random.Random(0)
    lines = Path(__file__).with_name(f"news.{language}.txt").read_text("utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    talk = [line for line in lines if "|" not in line]
    for line in (line for line in lines if "|" in line):
        question, *parts = (part.strip() for part in line.split("|"))
        said = {kind: _listed(part) for kind, part in zip(("old", "new", "beside"), parts, strict=True)}
        others = [("beside", text) for text in said["beside"]]
        others += [("", text) for text in dice.sample(talk, SMALL_TALK)]
        dice.shuffle(others)
        blocks: list[list[tuple[str, str]]] = []
        for kind in ("old", "new"):
            for text in said[kind]:
                if text.startswith(">"):
                    blocks[-1].append((kind, text.lstrip(">")))
                else:
                    blocks.append([(kind, text)])
        at = sorted(dice.sample(range(len(others) + 1), len(blocks)))
        for place, block in reversed(list(zip(at, blocks, strict=True))):
            others[place:place] = block
        yield _history(question, others, dice)


def person_histories(person: Path) -> Iterator[Row]:
    """The messages of a person with each question that is asked of them alone."""
    read = {
        name: yaml.safe_load((person / f"{name}.yaml").read_text("utf-8")) for name in ("changes", "messages")
    }
    before = {change["new"]: change["old"] for change in read["changes"]}
    said = [{**one, "content": one["text"], "created_at": str(one["at"])} for one in read["messages"]]
    for row in questions_of(person):
        if row["kind"] in {"changed", "messages"} and not row.get("history"):
            stale = [before[one] for one in row["evidence"] if one in before]
            yield {"query": row["ask"], "history": said, "evidence_ids": row["evidence"], "stale_ids": stale}


def _listed(part: str) -> list[str]:
    return [text.strip() for text in part.split(";") if text.strip()]


def _history(question: str, said: Sequence[tuple[str, str]], dice: random.Random) -> Row:
    at, history = datetime(2024, 1, 1, 9), []  # noqa: DTZ001 - a wall clock
    for number, (_, text) in enumerate(said):
        at += timedelta(days=dice.choice((0, 1, 2, 4, 9)), minutes=7)
        history.append({"id": f"m{number}", "role": "user", "content": text, "created_at": at.isoformat()})
    ids = {kind: [f"m{n}" for n, (own, _) in enumerate(said) if own == kind] for kind in ("old", "new")}
    return {"query": question, "history": history, "evidence_ids": ids["new"], "stale_ids": ids["old"]}


def case_of(row: Row) -> tuple[list[str], Case] | None:
    """The names of the reasons, and the pairs; None where the question is for what was, or there are none."""
    if asks_for_past(row["query"]):
        return None
    messages, search = messages_of(row["history"]), Search(row["query"])
    index = build_history(messages, TABLE)
    scores = np.max([one.scores for one in clause_scores(search, index)], axis=0)
    found = likely_rows(search, index, DEPTH).tolist()[:SUPERSESSION_HEAD]
    worth = {at: float(scores[at] / scores.max()) for at in found}
    pairs = list(news_pairs(worth, messages, NewsQuestion.of(row["query"], index.words.weight)))
    stale, after = set(row["stale_ids"]), {*row["stale_ids"], *row["evidence_ids"]}
    right = [messages[p.old].id in stale and messages[p.new].id in after for p in pairs]
    outdated = frozenset(p.old for p in pairs if messages[p.old].id in stale)
    if not pairs:
        return None
    names = [name for name in pairs[0].features if name in news_weights(language_of(row["query"]))]
    reasons = np.array([[*(float(pair.features[name]) for name in names), 1.0] for pair in pairs])
    return names, Case(reasons, np.array(right), tuple(p.old for p in pairs), outdated)


def fitted(cases: Sequence[Case]) -> Floats:
    """Logistic weights by Newton's method; the last one is the bias."""
    reasons = np.concatenate([case.reasons for case in cases])
    right = np.concatenate([case.right for case in cases]).astype(float)
    counts = np.concatenate([np.full(n, min(1, MAX_PAIRS / n)) for n in (len(c.right) for c in cases)])
    weights, decay = np.zeros(reasons.shape[1]), np.full(reasons.shape[1], DECAY)
    decay[-1] = 1e-3
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-reasons @ weights))
        slope = reasons.T @ (counts * (likely - right)) + decay * weights
        curve = (reasons.T * (counts * likely * (1 - likely))) @ reasons + np.diag(decay)
        weights -= np.linalg.solve(curve, slope)
    return weights


def cross_fitted(cases: Sequence[Case], least: float) -> Mapping[str, float]:
    """Loss for each question, the share of outdated rows above ``least``, and of wrong questions."""
    loss, found, all_, wrong = 0.0, 0, 0, 0
    for fold in range(FOLDS):
        weights = fitted([case for at, case in enumerate(cases) if at % FOLDS != fold])
        for case in cases[fold::FOLDS]:
            scores = case.reasons @ weights
            loss += float(np.logaddexp(0, np.where(case.right, -scores, scores)).sum())
            sure = {old for old, score in zip(case.old, scores, strict=True) if score > least}
            found, all_ = found + len(sure & case.outdated), all_ + len(case.outdated)
            wrong += bool(sure - case.outdated)
    return {"loss": loss / len(cases), "marked": found / all_, "wrong": wrong / len(cases)}


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("language", choices=("en", "zh"))
    language = parser.parse_args().language
    english = places.rows(places.DATA / "messages" / "current_values.en.jsonl")
    others = english[: len(english) // 2] if language == "en" else []
    persons = [DATA / person for person in FITTED if person.endswith(f"_{language}")]
    others += [row for person in persons for row in person_histories(person)]
    read = [case for row in (*others, *own_histories(language)) if (case := case_of(row))]
    names, cases = read[0][0], [case for _, case in read]
    for name, weight in zip((*names, "bias"), fitted(cases), strict=True):
        sys.stdout.write(f"{name}: {weight:.2f}\n")
    for name, figure in cross_fitted(cases, news_weights(language)["sure"]).items():
        sys.stdout.write(f"# {name} {figure:.3f}\n")


if __name__ == "__main__":
    main()
