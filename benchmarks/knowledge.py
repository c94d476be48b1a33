"""How often the passage that answers a question is found, and the sentence, and how long that takes.

    python -m benchmarks.knowledge [--only NAME]

``WINNOW_BENCH`` holds ``dev/knowledge/<name>.queries.jsonl`` (``id``, ``query``,
``relevant_ids``, ``answers``, perhaps ``rewrite``) and ``docs/<name>.docs.jsonl`` (``id``, ``title``,
``text``). They come from public data sets (CMRC 2018, XQuAD, Cranfield, HowToCook, DSTC10, TREC CAsT) and are
not part of this repository; what is absent is named and left out. XQuAD ``en -> zh`` asks in English for the
Chinese passage. CAsT is asked with its rewritten questions here; ``winnow eval knowledge`` rewrites them.

R@k: the mean share of what answers among the first k. hit@5: whether a sentence that holds the answer is
among the five best of the collection. The floors are BM25 of pairs of characters. Weights were fitted on the
same questions: what they are worth on others is what ``training/knowledge/fit_passages.py`` prints.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import places
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.language.linear import weighted_rows
from winnow.language.registry import rows_for
from winnow.ports.services import Embedder
from winnow.ports.stores import Segment
from winnow.retrieve.documents.features import (
    PassageCandidates,
    cosines,
    find_passages,
    read_passages,
    sentence_features,
)
from winnow.retrieve.documents.index import MEANING, PassageIndex, passage_tuning, segment_of
from winnow.retrieve.documents.rank import apply_feedback, rank_passages
from winnow.retrieve.documents.source import MAX_READ_PASSAGES
from winnow.types.candidate import Search
from winnow.types.document import Document, Passage

TASKS = (
    ("cmrc.zh", "cmrc.zh"),
    ("xquad.zh", "xquad.zh"),
    ("xquad.en", "xquad.en"),
    ("cranfield.en", "cranfield.en"),
    ("howtocook.zh", "howtocook.zh"),
    ("dstc10_faq.en", "dstc10_faq.en"),
    ("cast.en", "cast.en"),
    ("xquad.en", "xquad.zh"),
    ("xquad.zh", "xquad.en"),
)
FLOORS = {"cmrc.zh": 96.5, "xquad.zh": 88.9, "xquad.en": 93.3, "howtocook.zh": 72.4, "cranfield.en": 10.5}
"""R@1 of pairs of characters, each file in its own language."""
DEPTHS = (1, 5, 10)
AT_ONCE = 500
"""Passages of a segment."""
_SIGNS = re.compile(r"[\W_]+")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Task:
    """Questions of one file and documents of another; each document is one passage."""

    questions: tuple[Row, ...]
    passages: Mapping[str, Passage]

    def index(self) -> PassageIndex:
        """The passages as they would be stored."""
        every = list(self.passages.values())
        parts = [every[at : at + AT_ONCE] for at in range(0, len(every), AT_ONCE)]
        return PassageIndex.of([Segment(str(n), segment_of(part)) for n, part in enumerate(parts)])


def task(folder: Path, asked: str, told: str) -> Task | None:
    """The questions and documents of these names; None where a file is absent."""
    questions = folder / "dev" / "knowledge" / f"{asked}.queries.jsonl"
    documents = folder / "docs" / f"{told}.docs.jsonl"
    if not (questions.is_file() and documents.is_file()):
        return None
    rows = places.rows(documents)
    passages = {r["id"]: Passage(r["id"], Document(r["id"], r["title"] or ""), r["text"]) for r in rows}
    return Task(tuple(row for row in places.rows(questions) if row["relevant_ids"]), passages)


def asked(row: Row) -> str:
    """The standalone question."""
    return str(row.get("rewrite") or row["query"])


def answering(row: Row, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the texts hold an answer, signs and case aside."""
    answers = [plain for answer in row["answers"] if (plain := _plain(answer))]
    return np.array([any(answer in _plain(text) for answer in answers) for text in texts], np.bool_)


def _plain(text: str) -> str:
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).lower())


def looked_up(row: Row, index: PassageIndex, task: Task, table: Embedder) -> PassageCandidates:
    """What both looks find, as the source does it."""
    found = find_passages(Search(asked(row)), index, MAX_READ_PASSAGES, table)
    return apply_feedback(found, index, task.passages, MAX_READ_PASSAGES)


def measured(task: Task, table: Embedder) -> dict[str, float]:
    """The figures of one file, in per cent and milliseconds of processor."""
    index = task.index()
    looked_up(task.questions[0], index, task, table)  # what is loaded once is not counted
    found = list(_answered(task, index, table))
    shares = np.mean([one[0] for one in found], 0)
    hits, times = [one[1] for one in found], [one[2] for one in found]
    return {
        "n": len(found),
        **{f"R@{depth}": round(100 * share, 1) for depth, share in zip(DEPTHS, shares, strict=True)},
        **({"hit@5": round(100 * float(np.mean(hits)), 1)} if any(hits) else {}),
        "ms p50": round(float(np.percentile(times, 50)), 1),
        "ms p95": round(float(np.percentile(times, 95)), 1),
    }


MEANT_SENTENCES = 40
"""Sentences, the best by words, whose meaning is compared too."""


def best_sentences(
    found: PassageCandidates, passages: Mapping[str, Passage], limit: int, table: Embedder
) -> list[tuple[str, str]]:
    """The sentences that answer best, best first, at most ``limit``, each behind the id of its passage."""
    if not any(id_ in passages for id_ in found.ids):
        return []
    one, by = read_passages(found, passages), rows_for(passage_tuning().sentence, found.question.language)
    scores, texts = weighted_rows(sentence_features(one), by), [s.text for s in one.sentences.sentences]
    rows = np.argsort(-scores, kind="stable")[:MEANT_SENTENCES]
    near = cosines(found.question.text, [texts[row] for row in rows.tolist()], table)
    scores[rows] += np.float32(by[MEANING]) * near
    best = rows[np.argsort(-scores[rows], kind="stable")][:limit].tolist()
    return [(one.passages[int(one.sentences.passage[row])].id, texts[row]) for row in best]


def _answered(task: Task, index: PassageIndex, table: Embedder) -> Iterator[tuple[list[float], float, float]]:
    """Shares, whether a sentence answers, and milliseconds of each question."""
    for row in task.questions:
        start = process_time()
        found = looked_up(row, index, task, table)
        best = rank_passages(Search(asked(row)), found, task.passages, max(DEPTHS), table).candidates
        took = (process_time() - start) * 1000
        gold, ids = frozenset(row["relevant_ids"]), [candidate.ref.id for candidate in best]
        shares = [len(gold.intersection(ids[:depth])) / len(gold) for depth in DEPTHS]
        sentences = best_sentences(found, task.passages, 5, table) if row["answers"] else ()
        told = [text for id_, text in sentences if id_ in gold]
        yield shares, float(answering(row, told).any()), took


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    table, results = StaticEmbedder(), dict[str, dict[str, float]]()
    for questions, documents in TASKS:
        name = questions if questions == documents else f"{questions} -> {documents}"
        if options.only in name:
            found = task(places.further(), questions, documents)
            if found is None:
                print(f"{name:24s} left out: its files are not there; see the head of this file")
                continue
            results[name] = measured(found, table)
            print(f"{name:24s}", *(f"{key} {value}" for key, value in results[name].items()), flush=True)
    if not options.only:
        places.keep("knowledge", {"floors": FLOORS, "found": results})


if __name__ == "__main__":
    main()
