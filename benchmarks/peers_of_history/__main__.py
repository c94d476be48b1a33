"""How well and how fast messages are found, beside the retrievers people use, on one embedder in one run.

    python -m benchmarks.peers_of_history [--sizes 1000 10000 100000] [--repeats 3]

Each peer works in a process of its own. The processes are asked in turn, ten questions at a time, and what
counts is the time of their processors and its ratio to Winnow's on the same questions: other work on the
machine slows all of them alike. A repetition builds everything anew; the spread is
that of the repetitions, or of three parts of a single one.

``WINNOW_BENCH`` holds ``dev/messages/*.jsonl`` and ``docs/*.docs.jsonl``, which come
from public data sets (LoCoMo, MemDaily, XQuAD, CMRC 2018, TREC CAsT, Cranfield, DSTC10, HowToCook) and are
no part of this repository; without them it says so and ends. The peers are in ``requirements.txt`` beside
this file.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

import numpy as np

from benchmarks import places
from benchmarks.evaluation.cases import read_cases
from benchmarks.evaluation.text_tasks import history_case
from benchmarks.peers_of_history.histories import Asked, questions
from benchmarks.peers_of_history.peers import DEPTH, EMBEDDER, PEERS
from benchmarks.peers_of_history.process import serve
from winnow.retrieve.bm25 import VectorIndex

SETS = ("locomo.en", "memdaily.zh")
SLICE = 10
"""Questions asked of one process before the next is asked the same."""
SECONDS = 20.0
"""A peer that is slow is asked fewer questions: as many as fit in this time, one slice at least."""
PATIENCE = 300.0
"""Seconds on the clock after which a peer that is not built is left out."""
Row = dict[str, Any]


def repetition(names: Sequence[str], size: int, data: Path, asked: Sequence[Asked]) -> dict[str, Row]:
    """Each peer built, then all of them asked in turn; a peer that is not built in time is missing."""
    context = get_context("spawn")
    found: dict[str, Row] = {}
    pipes = {}
    for name in names:
        pipes[name], theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, name, size, data), daemon=True)
        process.start()
        if pipes[name].poll(PATIENCE):
            built, resident = pipes[name].recv()
            found[name] = {"built": built, "resident": resident, "took": [], "ids": []}
        else:
            process.kill()
    for at in range(0, len(asked), SLICE):
        for name, row in found.items():
            if sum(row["took"]) < SECONDS:
                pipes[name].send([one.text for one in asked[at : at + SLICE]])
                for took, ids in pipes[name].recv():
                    row["took"].append(took)
                    row["ids"].append(ids)
    for name in found:
        pipes[name].send(None)
    return found


def figures(name: str, repeats: Sequence[Mapping[str, Row]], asked: Sequence[Asked]) -> Row:
    """Of all repetitions: medians, and the least and the greatest ratio to Winnow."""
    rows = [(found[name], found["winnow"]) for found in repeats if name in found]
    if not rows:
        return {"unfinished": True}
    ratios = [
        median(own["took"][part]) / median(theirs["took"][part])
        for own, theirs in rows
        for part in _parts(len(rows), len(own["took"]))
    ]
    builds = [own["built"] / theirs["built"] for own, theirs in rows]
    took = [each for own, _ in rows for each in own["took"]]
    pairs = list(zip(asked, rows[0][0]["ids"], strict=False))
    return {
        "build s": round(median(own["built"] for own, _ in rows), 2),
        "build times": _spread(builds),
        "ms p50": round(median(took) * 1000, 3),
        "ms p95": round(float(np.percentile(took, 95)) * 1000, 3),
        "times": _spread(ratios),
        "MB": round(median(own["resident"] for own, _ in rows)),
        **{f"R@{k}": _percent([_recall(one.evidence, ids[:k]) for one, ids in pairs]) for k in (5, DEPTH)},
        "questions": len(pairs),
    }


def _parts(repeats: int, answers: int) -> Sequence[slice]:
    """All answers of a repetition; where there was but one, three parts of it."""
    if repeats > 1:
        return [slice(0, answers)]
    return [slice(answers * third // 3, answers * (third + 1) // 3) for third in range(3)]


def _spread(ratios: Sequence[float]) -> dict[str, float]:
    found = {"median": median(ratios), "least": min(ratios), "most": max(ratios)}
    return {name: round(ratio, 2) for name, ratio in found.items()}


def _recall(evidence: frozenset[str], ids: Sequence[str]) -> float:
    return len(evidence.intersection(ids)) / len(evidence)


def _percent(shares: Sequence[float]) -> float:
    return round(100 * mean(shares), 1)


def quality(name: str, file: Path) -> Row:
    """R@5 and R@10 over all questions of a set, each history an index of its own."""
    evidence = {row["id"]: frozenset(row["evidence_ids"]) for row in places.rows(file)}
    shares = defaultdict[int, list[float]](list)
    for _, cases in groupby(read_cases(file, history_case), key=lambda case: id(case.messages)):
        one, *more = cases
        peer = PEERS[name]()
        peer.build(one.messages)
        for case in (one, *more):
            ids = peer.search(case.search.text, DEPTH)
            for k in (5, DEPTH):
                shares[k].append(_recall(evidence[case.id], ids[:k]))
    return {"n": len(shares[DEPTH]), **{f"R@{k}": _percent(found) for k, found in shares.items()}}


def reading(size: int) -> dict[str, float]:
    """Exact cosines of all vectors against the time it takes to read them from memory once."""
    rows = np.random.default_rng(7).standard_normal((size, EMBEDDER.dimension)).astype(np.float32)
    index, query = VectorIndex(rows, "random", "1"), rows[0].copy()
    flat = rows.ravel()
    took: dict[str, list[float]] = {"vectors ms": [], "read ms": []}
    for _ in range(30):
        for name, work in (("vectors ms", lambda: index.scores(query)), ("read ms", flat.max)):
            start = process_time()
            work()
            took[name].append((process_time() - start) * 1000)
    best = {name: min(times) for name, times in took.items()}  # whatever else runs makes it only longer
    return {name: round(each, 3) for name, each in best.items()} | {
        "times": round(best["vectors ms"] / best["read ms"], 2)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=list(PEERS), default=list(PEERS))
    parser.add_argument(
        "--no-sets", action="store_true", help="keep R@5 and R@10 of the sets as measured before"
    )
    given = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        print("Set OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 to compare on one core.")
    data = places.further()
    if not (data / "dev" / "messages").is_dir():
        print(f"No data at '{data}': get LoCoMo and the document sets named above, and set WINNOW_BENCH")
        return
    names = ["winnow", *(name for name in given.only if name != "winnow")]
    kept: Row = {"recall": {}, "sizes": {}} | places.measured("peers_of_history")
    for name in [] if given.no_sets else names:
        kept["recall"][name] = {
            each: quality(name, data / "dev" / "messages" / f"{each}.jsonl") for each in SETS
        }
        print(f"{name:<20} {kept['recall'][name]}", flush=True)
    asked = questions(data)
    for size in given.sizes:
        repeats = [repetition(names, size, data, asked) for _ in range(given.repeats)]
        kept["sizes"][str(size)] = {"vectors": reading(size)} | {
            name: figures(name, repeats, asked) for name in names
        }
        for name, row in kept["sizes"][str(size)].items():
            print(f"{size:>7} {name:<20} {row}", flush=True)
        places.keep("peers_of_history", kept)


if __name__ == "__main__":
    main()
