"""How fast and how well histories are searched, beside LangChain and LlamaIndex, on one embedder in one run.

    python -m benchmarks.peers_of_history [--sizes 1000 10000 100000]

``WINNOW_BENCH`` holds ``dev/messages/locomo.en*.jsonl`` and ``docs/*.docs.jsonl``, which come
from public data sets (LoCoMo, XQuAD, CMRC 2018, TREC CAsT, Cranfield, DSTC10, HowToCook) and are no part
of this repository; without them it says so and ends. The peers are in ``requirements.txt`` beside this file.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter

import numpy as np

from benchmarks import places
from benchmarks.peers_of_history.histories import Asked, history, questions
from benchmarks.peers_of_history.retrievers import DEPTH, Retrieve, langchain, llama_index
from benchmarks.peers_of_history.winnow_itself import recipe, words_and_vectors
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import VectorIndex
from winnow.types.message import Message

Build = Callable[[Sequence[Message], Embedder], Retrieve]
WAYS: dict[str, Build] = {
    "winnow": recipe,
    "winnow words+vectors": words_and_vectors,
    "langchain ensemble": langchain,
    "llamaindex fusion": llama_index,
}
SECONDS = 40.0
"""A way that is slow is asked fewer questions: as many as fit in this time, ten at least."""


def figures(build: Build, size: int, data: Path) -> dict[str, float]:
    """Seconds to build, milliseconds a question, and the share of the evidence among the first ten."""
    messages, asked = history(data, size), questions(data)
    start = perf_counter()
    retrieve = build(messages, StaticEmbedder())
    built = perf_counter() - start
    retrieve(asked[0].text)  # what is loaded at the first question is not counted
    took: list[float] = []
    found: list[float] = []
    for one in asked:
        start = perf_counter()
        ids = retrieve(one.text)
        took.append(perf_counter() - start)
        found.append(_recall(one, ids))
        if sum(took) > SECONDS and len(took) >= DEPTH:
            break
    return {
        "build s": round(built, 2),
        "ms p50": round(median(took) * 1000, 3),
        "ms p95": round(float(np.percentile(took, 95)) * 1000, 3),
        "R@10": round(100 * mean(found), 1),
        "questions": len(took),
    }


def _recall(one: Asked, ids: Sequence[str]) -> float:
    return len(one.evidence.intersection(ids[:DEPTH])) / len(one.evidence)


def reading(size: int) -> dict[str, float]:
    """Exact cosines of all vectors against the time it takes to read them from memory once."""
    embedder = StaticEmbedder()
    rows = np.random.default_rng(7).standard_normal((size, embedder.dimension)).astype(np.float32)
    index, query = VectorIndex(rows, "random", "1"), rows[0].copy()
    flat = rows.ravel()
    scored, read = _best(lambda: index.scores(query)), _best(flat.max)
    return {"vectors ms": round(scored, 3), "read ms": round(read, 3), "times": round(scored / read, 2)}


def _best(work: Callable[[], object], times: int = 30) -> float:
    """The median of some runs, in milliseconds."""
    took = []
    for _ in range(times):
        start = perf_counter()
        work()
        took.append(perf_counter() - start)
    return median(took) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--only", nargs="+", choices=list(WAYS), default=list(WAYS))
    told = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        print("Set OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 to compare on one core.")
    data = places.further()
    if not (data / "dev" / "messages").is_dir():
        print(f"No data at '{data}': get LoCoMo and the document sets named above, and set WINNOW_BENCH")
        return
    kept: dict[str, dict[str, dict[str, float]]] = {}
    for size in told.sizes:
        kept[str(size)] = {"vectors": reading(size)}
        print(f"{size:>7} vectors              {kept[str(size)]['vectors']}", flush=True)
        for name in told.only:
            kept[str(size)][name] = figures(WAYS[name], size, data)
            print(f"{size:>7} {name:<20} {kept[str(size)][name]}", flush=True)
    places.keep("peers_of_history", kept)


if __name__ == "__main__":
    main()
