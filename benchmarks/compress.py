"""How often the answer is still there when passages were made smaller, and how long that takes.

    python -m benchmarks.compress

``WINNOW_BENCH`` holds ``dev/compress/<name>.jsonl``: questions with passages and the answer as
it stands there (``query``, ``answers``, ``condition``, ``passages``, ``gold_passage_id``). They come from
CMRC 2018 (Chinese) and XQuAD (English), 300 questions each, and are not part of this repository; what is
absent is named and left out. ``top5``: the five best passages of BM25, the right one put fifth where it is
missing; ``gold1``: the right passage alone. Answers count only where they stand in what was kept of the right
passage. Weights are fitted on one half of the questions and measured on the other, both ways.

Beside it, at the same number of tokens: sentences ranked by BM25, the beginning of each passage, and the same
rules with weights for nothing but words. Tokens are counted as ``winnow eval compress`` does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from itertools import product
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

import numpy as np
from training.knowledge.fit_compress import Taught, fitted

from benchmarks import places
from benchmarks.evaluation.cases import read_cases
from benchmarks.evaluation.text_tasks import (
    TOKEN_RATES,
    CompressPredictor,
    PassagesCase,
    passages_case,
    scored_tokens,
)
from winnow.context.compress.compress import (
    CompressionGoal,
    choose_units,
    compression_report,
    cut_items,
    grain_for,
)
from winnow.context.compress.features import UnitFeatures, unit_features, weights_for, weights_name
from winnow.context.compress.selection import CompressionDraft, new_draft
from winnow.context.compress.units import UnitGrain, Units
from winnow.language.sentences import split_sentences
from winnow.retrieve.bm25 import LexicalIndex

NAMES = ("cmrc.zh", "xquad.en")
CONDITIONS = ("top5", "gold1")
TOLD = ((0.25, "top5"), (0.1, "top5"), (0.25, "gold1"), (0.1, "gold1"))
KEPT = (0.8, 0.9, 0.95, 0.97, 0.99)
"""Shares of the support that are asked for."""
FULL, PLAIN = weights_name(True, True), weights_name(False, False)
Weights = Mapping[str, float]
Texts = Mapping[str, str]
"""Id of a passage -> what is kept of it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A case, its answers, and what was seen in its passages."""

    case: PassagesCase
    answers: Sequence[str]
    condition: str
    gold: str
    language: str
    cut: Mapping[UnitGrain, tuple[Units, UnitFeatures]]

    @property
    def total(self) -> int:
        """Tokens of the passages."""
        return sum(scored_tokens(item.text) for item in self.case.items)

    @property
    def half(self) -> int:
        """0 or 1, the same for both conditions of a question."""
        return int(md5(self.case.id.split("|")[0].encode(), usedforsecurity=False).hexdigest(), 16) % 2

    def answered(self, kept: Texts) -> bool:
        """Whether an answer is in what is kept of the right passage."""
        text = _plain(kept.get(self.gold, ""), self.language)
        return any(_plain(answer, self.language) in text for answer in self.answers)


def _plain(text: str, language: str) -> str:
    """A text without case and marks, as answers are compared: whole words in English."""
    low = unicodedata.normalize("NFKC", text).lower()
    if language == "zh":
        return re.sub(r"[\W_]+", "", low)
    return f" {' '.join(re.findall('[a-z0-9]+', low))} "


def questions(path: Path) -> list[Question]:
    """The questions of a file."""
    table = CompressPredictor().meaning
    raw = {row["id"]: row for row in places.rows(path)}
    found = []
    for case in read_cases(path, passages_case):
        cut: dict[UnitGrain, tuple[Units, UnitFeatures]] = {}
        for grain in ("clause", "phrase"):
            pieces = cut_items(case.items, grain, scored_tokens)
            cut[grain] = pieces, unit_features(pieces, case.query, case.weights, table)
        row = raw[case.id]
        about = row["answers"], row["condition"], row["gold_passage_id"], row["lang"]
        found.append(Question(case, *about, cut))
    return found


def files(data: Path) -> dict[str, list[Question]]:
    """The files that are there."""
    paths = {name: data / "dev" / "compress" / f"{name}.jsonl" for name in NAMES}
    return {name: questions(path) for name, path in paths.items() if path.is_file()}


def taught(asked: Sequence[Question]) -> list[Taught]:
    """What questions teach, their passages cut into clauses: what phrases teach as well made it no better."""
    return [_taught(question) for question in asked]


def _taught(question: Question) -> Taught:
    pieces, seen = question.cut["clause"]
    gold = next(at for at, item in enumerate(pieces.items) if item.id == question.gold)
    text = pieces.texts[gold].lower()
    held = [m.span() for answer in question.answers for m in re.finditer(re.escape(answer.lower()), text)]
    right = [
        unit.item == gold and any(unit.start < end and unit.end > start for start, end in held)
        for unit in pieces.all
    ]
    return Taught(seen.features, np.array(right, np.bool_))


def kept_by(question: Question, by: Weights, rate: float, keep: float | None = None) -> CompressionDraft:
    """What these weights keep within a share of the tokens."""
    most = int(rate * question.total)
    pieces, seen = question.cut[grain_for(most)]
    found = new_draft(pieces, scored_tokens, most)
    choose_units(found, seen, by, CompressionGoal(question.case.query, most, keep))
    return found


def kept_texts(found: CompressionDraft) -> Texts:
    return {one.item.id: one.text for one in compression_report(found, found.budget).kept}


def halves(files: Mapping[str, Sequence[Question]], name: str) -> dict[tuple[str, int], Weights]:
    """By language and half of the questions, the weights fitted on the other half."""
    return {
        (file, half): fitted(taught([q for q in asked if q.half != half]), name)
        for file, asked in files.items()
        for half in (0, 1)
    }


Keep = Callable[[str, Question, float], Texts]


def figures(files: Mapping[str, Sequence[Question]], keep: Keep) -> dict[str, dict[str, float]]:
    """File -> ``top5@0.25`` ... -> questions whose answer is kept, in per cent, and those over the rate."""
    found: dict[str, dict[str, float]] = {}
    for name, asked in files.items():
        found[name] = {}
        for condition, rate in product(CONDITIONS, TOKEN_RATES):
            some = [q for q in asked if q.condition == condition]
            kept = [keep(name, q, rate) for q in some]
            right = mean(q.answered(texts) for q, texts in zip(some, kept, strict=True))
            shares = [scored_tokens("\n".join(t.values())) / q.total for q, t in zip(some, kept, strict=True)]
            found[name][f"{condition}@{rate}"] = round(100 * right, 1)
            found[name][f"{condition}@{rate} over"] = sum(s > rate for s in shares)
    return found


def cross_fitted(files: Mapping[str, Sequence[Question]], name: str = FULL) -> dict[str, dict[str, float]]:
    """The figures where every question is answered with weights fitted on the other half."""
    by = halves(files, name)
    return figures(files, lambda file, q, rate: kept_texts(kept_by(q, by[file, q.half], rate)))


def told(found: Mapping[str, Mapping[str, float]]) -> str:
    """The figures that count, a line a file."""
    return "\n".join(
        f"{name} "
        + ", ".join(f"{condition} at {rate}: {row[f'{condition}@{rate}']}" for rate, condition in TOLD)
        for name, row in found.items()
    )


def by_sentences(_: str, question: Question, rate: float) -> Texts:
    """Sentences ranked by BM25, the best that fit; the beginning of the best where none does."""
    parts = [(item.id, s.text.strip()) for item in question.case.items for s in split_sentences(item.text)]
    scored = LexicalIndex.build([text for _, text in parts]).scores(question.case.query)
    order = [int(at) for at in np.argsort(-scored, kind="stable")]
    left, chosen = int(rate * question.total), []
    for at in order:
        if (cost := scored_tokens(parts[at][1]) + 1) <= left:
            chosen.append(at)
            left -= cost
    if not chosen:
        id_, text = parts[order[0]]
        return {id_: _beginning(text, left)}
    texts: dict[str, str] = {}
    for at in sorted(chosen):
        id_, text = parts[at]
        texts[id_] = f"{texts[id_]}\n{text}" if id_ in texts else text
    return texts


def by_beginnings(_: str, question: Question, rate: float) -> Texts:
    """The beginning of each passage, all cut alike."""
    return {
        item.id: _beginning(item.text, int(rate * scored_tokens(item.text)) - 1)
        for item in question.case.items
    }


def _beginning(text: str, most: int) -> str:
    while text and scored_tokens(text) > most:
        text = text[: min(len(text) - 1, int(len(text) * most / scored_tokens(text)))] if most > 0 else ""
    return text


def calibration(files: Mapping[str, Sequence[Question]]) -> dict[str, dict[str, float]]:
    """For each share of the support asked for: how often the answer was kept, and how much text that took."""
    by = halves(files, FULL)
    found: dict[str, dict[str, float]] = {}
    for name, asked in files.items():
        for keep in KEPT:
            drafts = [(q, kept_by(q, by[name, q.half], 1.0, keep)) for q in asked if q.condition == "top5"]
            kept = [(q, kept_texts(found)) for q, found in drafts]
            right = mean(q.answered(texts) for q, texts in kept)
            rate = mean(scored_tokens("\n".join(texts.values())) / q.total for q, texts in kept)
            row = {"kept": round(100 * right, 1), "rate": round(rate, 3)}
            found.setdefault(name, {}).update({f"{keep} {key}": value for key, value in row.items()})
    return found


def times(files: Mapping[str, Sequence[Question]]) -> dict[str, float]:
    """Milliseconds of processor for a question of five passages at 0.25, everything included."""
    compressing = CompressPredictor()
    found: dict[str, float] = {}
    for name, asked in files.items():
        took = []
        for question in (q for q in asked if q.condition == "top5"):
            start = process_time()
            compressing.compress_case(question.case, 0.25)
            took.append((process_time() - start) * 1000)
        found[f"{name} p50"], found[f"{name} p95"] = (
            round(float(np.percentile(took, n)), 1) for n in (50, 95)
        )
    return found


def measured(files: Mapping[str, Sequence[Question]]) -> dict[str, Any]:
    """All figures."""
    return {
        "fitted on others": cross_fitted(files),
        "in force": figures(
            files, lambda file, q, rate: kept_texts(kept_by(q, weights_for(_language(file), FULL), rate))
        ),
        "words alone, fitted on others": cross_fitted(files, PLAIN),
        "sentences by BM25": figures(files, by_sentences),
        "beginnings": figures(files, by_beginnings),
        "share of the support asked for": calibration(files),
        "ms": times(files),
    }


def _language(file: str) -> Any:
    return file.partition(".")[2]


def main() -> None:
    """Measure, print and keep."""
    data = places.further()
    there = files(data)
    for name in NAMES:
        if name not in there:
            print(f"{name} left out: it is not in {data}; the head of this file says whence it comes")
    if not there:
        return
    found = measured(there)
    for kind, rows in found.items():
        print(f"\n{kind}")
        for name, row in rows.items():
            print(f"  {name}: {row}")
    places.keep("compress", found)


if __name__ == "__main__":
    main()
