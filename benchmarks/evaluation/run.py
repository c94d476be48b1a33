"""Answers evaluation cases and writes predictions, one JSON object per line; a task is a row of ``TASKS``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, NamedTuple

from benchmarks.evaluation.cases import (
    C,
    CaseRow,
    CaseWithId,
    case_files,
    device_case,
    question_case,
    read_cases,
)
from benchmarks.evaluation.devices import DevicePredictor, Share, gold_shares
from benchmarks.evaluation.text_tasks import (
    CompressPredictor,
    HistoryPredictor,
    KnowledgePredictor,
    history_case,
    knowledge_case,
    output_case,
    passages_case,
    predict_need,
    predict_object,
    predict_rewrite,
    update_case,
    update_predictor,
)

Predict = Callable[[C], dict[str, Any] | list[dict[str, Any]]]
"""What is predicted for a case, one line or several, without its ``id``.

``ms`` is added unless it says how long it took.
"""


@dataclass(frozen=True, slots=True)
class EvaluationTask(Generic[C]):
    """One kind of case."""

    read_case: Callable[[CaseRow], C]
    """The case that a line holds. Raises CaseError."""
    open_predictor: Callable[[Path], Predict[C]]
    """What answers cases, given the folder of homes. Called once."""
    homes: bool = False
    """Whether it needs homes."""
    shares: Callable[[Sequence[C], Sequence[Mapping[str, Any]]], Mapping[str, Share]] = lambda *_: {}
    """What predictions are worth beside the gold of their cases; nothing where that is for a scorer alone."""


TASKS: Mapping[str, EvaluationTask[Any]] = {
    "devices": EvaluationTask(
        device_case, lambda homes: DevicePredictor(homes).predict, homes=True, shares=gold_shares
    ),
    "need_retrieval": EvaluationTask(question_case, lambda _: predict_need),
    "rewrite": EvaluationTask(question_case, lambda _: predict_rewrite),
    "messages": EvaluationTask(history_case, lambda _: HistoryPredictor().predict),
    "knowledge": EvaluationTask(knowledge_case, lambda _: KnowledgePredictor().predict),
    "update": EvaluationTask(update_case, lambda _: update_predictor()),
    "compress": EvaluationTask(passages_case, lambda _: CompressPredictor().predict),
    "json": EvaluationTask(output_case, lambda _: predict_object),
}


class Evaluated(NamedTuple):
    """How many predictions were written, and what they are worth beside the gold, where cases have one."""

    written: int
    shares: Mapping[str, Share]


def evaluate_cases(
    task: str, cases: Path, out: Path, homes: Path = Path(), advance: Callable[[], None] = lambda: None
) -> Evaluated:
    """Answer every case of a file or folder and write the predictions; how many there were, and their worth.

    They go to a file, or to one per case file in a folder. ``task`` is a name of ``TASKS``; ``homes`` the
    folder of homes for those that need one. Raises CaseError before anything is answered, HomeImportError.
    """
    kind = TASKS[task]
    by_file = {path: read_cases(path, kind.read_case) for path in case_files(cases)}
    predict = kind.open_predictor(homes)
    if out.is_dir() or (cases.is_dir() and not out.suffix):
        out.mkdir(parents=True, exist_ok=True)
        made = [
            _write_lines(out / path.name, _prediction_lines(rows, predict, advance))
            for path, rows in by_file.items()
        ]
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = [_write_lines(out, _prediction_lines(chain.from_iterable(by_file.values()), predict, advance))]
    every = list(chain.from_iterable(by_file.values()))
    return Evaluated(len(every), kind.shares(every, list(chain.from_iterable(made))))


def _prediction_lines(
    cases: Iterable[CaseWithId], predict: Predict[Any], advance: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    for case in cases:
        start = perf_counter()
        predicted = predict(case)
        took = round((perf_counter() - start) * 1000, 3)
        for line in predicted if isinstance(predicted, list) else [predicted]:
            yield {"id": case.id, "ms": took, **line}
        advance()


def _write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines, written as they come."""
    written = []
    with path.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            written.append(line)
    return written
