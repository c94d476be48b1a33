"""``python -m benchmarks.conversational``: passages for questions of a talk.

They are looked up by the words as said and by the standalone query. Needs the folder that ``WINNOW_BENCH``
names, with questions of TREC CAsT (https://github.com/daltonj/treccastweb) and their passages. Skips without
it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # so that it runs as a file, as a module and in tests

from benchmarks import places
from winnow.retrieve.bm25 import LexicalIndex
from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import rewrite

Case = Mapping[str, Any]
K = 5


def history(case: Case) -> tuple[Turn, ...]:
    """The turns before the question."""
    return tuple(Turn(turn["role"], turn["content"]) for turn in case["history"])


WAYS: dict[str, Callable[[Case], str]] = {
    "as said": lambda case: case["query"],
    "standalone": lambda case: rewrite(case["query"], history(case)).query,
    "standalone, for retrieval": lambda case: rewrite(case["query"], history(case), style="retrieval").query,
    "rewritten by a person": lambda case: case["rewrite"],
}


def recall(cases: list[Case], documents: list[Case], way: Callable[[Case], str]) -> float:
    """The mean share of the relevant passages among the first five."""
    index = LexicalIndex.build([f"{d['title']} {d['text']}" for d in documents])
    ids = np.array([d["id"] for d in documents])
    shares = []
    for case in cases:
        best = np.argsort(-index.scores(way(case)), kind="stable")[:K]
        shares.append(len({*ids[best]} & {*case["relevant_ids"]}) / len(case["relevant_ids"]))
    return float(np.mean(shares))


def main() -> int:
    """Measure and print; without the data, say where it is to be had."""
    asked, read = (
        places.further() / "dev" / "knowledge" / "cast.en.queries.jsonl",
        places.further() / "docs" / "cast.en.docs.jsonl",
    )
    if not (asked.is_file() and read.is_file()):
        print(
            f"skipped: there is no {asked.name} below WINNOW_BENCH. The questions: https://github.com/daltonj/treccastweb"
        )
        return 0
    cases, documents = places.rows(asked), places.rows(read)
    for name, way in WAYS.items():
        print(f"{name:26} recall@{K} {recall(cases, documents, way):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
