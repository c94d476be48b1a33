"""How often the right passage or message is found, in one language and across two.

    python -m benchmarks.passages [--table FOLDER] [--only NAME] [--hashing]

It is looked for by words, by meaning, and by both.

``WINNOW_BENCH`` holds ``dev/knowledge/<name>.queries.jsonl`` (``query``, ``relevant_ids``),
``docs/<name>.docs.jsonl`` (``id``, ``title``, ``text``) and ``dev/messages/<name>.jsonl`` with
``<name>.messages.jsonl``. They come from public data sets (XQuAD, CMRC 2018, TREC CAsT, LoCoMo, MemDaily) and
are not part of this repository; what is absent is named and left out.
A run of everything with the package's own table keeps its figures and writes them into docs/embedder.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import places
from benchmarks.meaning_index import MeaningIndex
from winnow.adapters.models.embedders import HashingEmbedder, StaticEmbedder
from winnow.ports.services import Embedder

Row = Mapping[str, Any]
DEPTHS = (1, 10)


@dataclass(frozen=True, slots=True)
class Task:
    """Queries of one file against documents of another."""

    name: str
    queries: str
    documents: str
    field: str = "query"


TASKS = (
    Task("xquad zh->zh", "xquad.zh", "xquad.zh"),
    Task("xquad en->en", "xquad.en", "xquad.en"),
    Task("xquad en->zh", "xquad.en", "xquad.zh"),
    Task("xquad zh->en", "xquad.zh", "xquad.en"),
    Task("cmrc zh", "cmrc.zh", "cmrc.zh"),
    Task("cast en", "cast.en", "cast.en"),
    Task("cast en, made whole", "cast.en", "cast.en", "rewrite"),
)
HISTORIES = ("locomo.en", "memdaily.zh")


Search = Callable[[MeaningIndex, str], np.ndarray[Any, Any]]
WAYS: dict[str, Search] = {
    "words": lambda index, query: index.lexical.scores(query),
    "vectors": lambda index, query: index.vectors.scores(index.embedder.embed([query])[0]),
    "expanded": lambda index, query: index.expanded_scores(query),
    "both": lambda index, query: index.scores(query),
}


def recall_at(
    index: MeaningIndex, ids: Sequence[str], asked: Sequence[tuple[str, Sequence[str]]], search: Search
) -> list[float]:
    """The mean share of what is relevant among the first ``DEPTHS`` rows."""
    shares = np.zeros(len(DEPTHS))
    for query, relevant in asked:
        scores = search(index, query)
        order = np.argsort(-scores, kind="stable")[: max(DEPTHS)]
        found = [ids[row] for row in order if scores[row] > 0]
        shares += [len(set(found[:k]) & set(relevant)) / len(set(relevant)) for k in DEPTHS]
    return [float(share) for share in shares]


def knowledge(folder: Path, task: Task, embedder: Embedder) -> tuple[int, dict[str, list[float]]] | None:
    """Sums of the shares by way, and how many queries; None without the files."""
    queries, documents = (
        folder / "dev" / "knowledge" / f"{task.queries}.queries.jsonl",
        folder / "docs" / f"{task.documents}.docs.jsonl",
    )
    if not queries.is_file() or not documents.is_file():
        return None
    found = places.rows(documents)
    index = MeaningIndex.build([f"{row['title']}\n{row['text']}" for row in found], embedder)
    asked = [
        (str(row.get(task.field) or row["query"]), row["relevant_ids"])
        for row in places.rows(queries)
        if row["relevant_ids"]
    ]
    ids = [row["id"] for row in found]
    return len(asked), {way: recall_at(index, ids, asked, search) for way, search in WAYS.items()}


def history(folder: Path, name: str, embedder: Embedder) -> tuple[int, dict[str, list[float]]] | None:
    """The same, each query asked of its own person's messages."""
    queries, messages = (
        folder / "dev" / "messages" / f"{name}.jsonl",
        folder / "dev" / "messages" / f"{name}.messages.jsonl",
    )
    if not queries.is_file() or not messages.is_file():
        return None
    total, sums = 0, {way: [0.0] * len(DEPTHS) for way in WAYS}
    for own, asked in _people(places.rows(queries), places.rows(messages)):
        index = MeaningIndex.build([row["content"] for row in own], embedder)
        total += len(asked)
        for way, search in WAYS.items():
            found = recall_at(index, [row["id"] for row in own], asked, search)
            sums[way] = [a + b for a, b in zip(sums[way], found, strict=True)]
    return total, sums


def _people(
    queries: Sequence[Row], messages: Sequence[Row]
) -> Iterator[tuple[list[Row], list[tuple[str, Sequence[str]]]]]:
    """(messages, queries) that belong together: by the list a query carries, else by person."""
    by_id = {row["id"]: row for row in messages}
    groups: dict[str, list[Row]] = {}
    for row in queries:
        groups.setdefault(row["user_id"], []).append(row)
    for person, asked in groups.items():
        listed = asked[0].get("history_ids")
        own = [by_id[i] for i in listed] if listed else [row for row in messages if row["user_id"] == person]
        yield own, [(row["query"], row["evidence_ids"]) for row in asked if row["evidence_ids"]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--hashing", action="store_true", help="measure the hashed embedder instead")
    options = parser.parse_args()
    embedder: Embedder = (
        HashingEmbedder()
        if options.hashing
        else StaticEmbedder(options.table)
        if options.table
        else StaticEmbedder()
    )
    print(
        f"{embedder.name} {embedder.version}\n{'R@1 / R@10, %':24s}{'n':>6s}"
        + "".join(f"{way:>14s}" for way in WAYS)
    )
    jobs = [(task.name, partial(knowledge, places.further(), task, embedder)) for task in TASKS]
    jobs += [(f"history {name}", partial(history, places.further(), name, embedder)) for name in HISTORIES]
    found = {name: shown for name, job in jobs if options.only in name and (shown := _show(name, job()))}
    if not options.only and not options.table and not options.hashing:
        places.keep("passages", {"table": embedder.version, "found": found})


def _show(name: str, result: tuple[int, dict[str, list[float]]] | None) -> dict[str, float]:
    """The figures of one line, printed; nothing when its files are absent."""
    if result is None:
        print(f"{name:24s} left out: its files are not there")
        return {}
    count, sums = result
    shares = {
        f"{way} R@{k}": round(100 * total / count, 1)
        for way, totals in sums.items()
        for k, total in zip(DEPTHS, totals, strict=True)
    }
    print(
        f"{name:24s}{count:6d}"
        + "".join(f"{shares[f'{way} R@1']:8.1f}{shares[f'{way} R@10']:6.1f}" for way in WAYS),
        flush=True,
    )
    return {"n": count, **shares}


if __name__ == "__main__":
    main()
