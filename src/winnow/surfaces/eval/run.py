"""Answers evaluation cases and writes predictions, one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from winnow.surfaces.cases import Identified, case_files, read_cases
from winnow.surfaces.eval.gold import Share
from winnow.surfaces.eval.tasks import TASKS, Predict


class Evaluated(NamedTuple):
    """How many predictions were written, and what they are worth beside the gold, where cases have one."""

    written: int
    shares: Mapping[str, Share]


def evaluate(
    task: str, cases: Path, out: Path, homes: Path = Path(), advance: Callable[[], None] = lambda: None
) -> Evaluated:
    """Answer every case of a file or folder and write the predictions; how many there were, and their worth.

    They go to a file, or to one per case file in a folder. ``task`` is a name of ``TASKS``; ``homes`` the
    folder of homes for those that need one. Raises CaseError before anything is answered, HomeImportError.
    """
    kind = TASKS[task]
    by_file = {path: read_cases(path, kind.read) for path in case_files(cases)}
    predict = kind.start(homes)
    if out.is_dir() or (cases.is_dir() and not out.suffix):
        out.mkdir(parents=True, exist_ok=True)
        made = [_write(out / path.name, _lines(rows, predict, advance)) for path, rows in by_file.items()]
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = [_write(out, _lines(chain.from_iterable(by_file.values()), predict, advance))]
    every = list(chain.from_iterable(by_file.values()))
    return Evaluated(len(every), kind.shares(every, list(chain.from_iterable(made))))


def _lines(
    cases: Iterable[Identified], predict: Predict[Any], advance: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    for case in cases:
        start = perf_counter()
        predicted = predict(case)
        took = round((perf_counter() - start) * 1000, 3)
        for line in predicted if isinstance(predicted, list) else [predicted]:
            yield {"id": case.id, "ms": took, **line}
        advance()


def _write(path: Path, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines, written as they come."""
    written = []
    with path.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            written.append(line)
    return written
