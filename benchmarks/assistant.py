"""One person's assistant: notes, a public collection, facts told, and turns by writers who saw no code.

    python -m benchmarks.assistant [--turns FILE]

``benchmarks/data/assistant`` holds the documents and, a file a writer, turns with what each needs: whether
anything is to be looked up, which tier answers, and a string of the answer. Each turn goes through the one
call, ``engine.retrieve``; the answer must stand in the messages to be sent.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import winnow
from benchmarks import places
from winnow.app.config.settings import load_settings
from winnow.app.wiring.documents import open_fact_extractor
from winnow.app.wiring.engine import open_builtin_embedder, open_store
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.retrieve.documents.document_reader import DocumentDefaults
from winnow.retrieve.documents.index import segment_of
from winnow.retrieve.documents.ingest import DocumentLibrary, IngestRequest, add_documents
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

DATA = places.DATA / "assistant"
USER = "me"
Row = Mapping[str, Any]


def add_both(storage: Storage, folder: Path) -> None:
    """Add the documents of ``folder``: ``private`` for the user, ``public/DOMAIN`` for everybody."""
    mine = DocumentLibrary(Scope(user=USER), "private", storage.documents, segment_of)
    run_blocking(add_documents(mine, IngestRequest(str(folder / "private"))))
    everybodys = DocumentLibrary(Scope(), "public", storage.documents, segment_of)
    for domain in sorted((folder / "public").iterdir()):
        defaults = DocumentDefaults(domain=domain.name)
        run_blocking(add_documents(everybodys, IngestRequest(str(domain), defaults)))


def filled(folder: Path) -> winnow.Engine:
    """An engine over a new store that holds the person's documents, the public ones, and what was told."""
    settings = load_settings({"WINNOW_HOME": str(folder), "WINNOW_REMEMBER": "false"})
    storage = open_store(settings).storage
    add_both(storage, DATA)
    keeper = open_fact_extractor(storage, open_builtin_embedder())
    for fact in places.rows(DATA / "facts.jsonl"):
        run_blocking(keeper.extract(Scope(user=USER), fact["text"], datetime.fromisoformat(fact["at"])))
    return winnow.open(settings=settings)


def answered(engine: winnow.Engine, row: Row) -> dict[str, Any]:
    """What one turn was given."""
    began = time.perf_counter()
    found = engine.sync.retrieve(Utterance(row["turn"], history=tuple(row["history"]), user=USER))
    ms = (time.perf_counter() - began) * 1000
    context = found.context
    assert context is not None, "a turn with an engine of its own has messages"
    given = plain(" ".join(str(message.get("content", "")) for message in context.messages))
    return {
        **row,
        "asked": [step.what for step in found.gate if step.chosen == "asked"],
        "there": bool(row["answer"]) and plain(row["answer"]) in given,
        "tokens": context.token_count,
        "data": context.usage["knowledge"].used if context.usage else 0,
        "ms": ms,
    }


def plain(text: str) -> str:
    """Letters and digits only, as answers are compared."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).lower())


MEASURES: Mapping[str, tuple[Callable[[Row], bool], Callable[[Row], bool]]] = {
    "looked up where needed": (lambda r: r["needs_lookup"], lambda r: bool(r["asked"])),
    "nothing looked up where nothing is needed": (lambda r: not r["needs_lookup"], lambda r: not r["asked"]),
    "answer in the messages": (lambda r: bool(r["answer"]), lambda r: r["there"]),
    "answer in the messages, private": (lambda r: r["tier"] == "private", lambda r: r["there"]),
    "answer in the messages, facts": (lambda r: r["tier"] == "facts", lambda r: r["there"]),
    "answer in the messages, public": (lambda r: r["tier"] == "public", lambda r: r["there"]),
    "answer in the messages, zh": (lambda r: bool(r["answer"]) and r["lang"] == "zh", lambda r: r["there"]),
    "answer in the messages, en": (lambda r: bool(r["answer"]) and r["lang"] == "en", lambda r: r["there"]),
    "public asked where it answers": (lambda r: r["tier"] == "public", lambda r: "public" in r["asked"]),
    "public spared where private answers": (
        lambda r: r["tier"] in {"private", "facts"},
        lambda r: "public" not in r["asked"],
    ),
    "within 4,000 tokens": (lambda r: True, lambda r: r["tokens"] <= 4000),
}
"""Name -> of which turns, and what is right."""


def measured(turns: Sequence[Row]) -> Iterator[tuple[str, float | None, int]]:
    """Name, percentage (of tokens: the mean), number of turns."""
    for name, (counts, right) in MEASURES.items():
        of = [row for row in turns if counts(row)]
        yield name, round(100 * sum(map(right, of)) / len(of), 1) if of else None, len(of)
    asked = [row["data"] for row in turns if row["answer"]]
    yield "tokens of data where something answers", round(mean(asked), 1), len(asked)


def main() -> None:
    """Print the figures of each file of turns."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=Path)
    given = parser.parse_args()
    kept: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        engine = filled(Path(folder))
        for path in [given.turns] if given.turns else sorted(DATA.glob("turns.*.jsonl")):
            turns = [answered(engine, row) for row in places.rows(path)]
            kept[path.stem] = {name: share for name, share, _ in measured(turns)}
            ms = np.percentile([row["ms"] for row in turns], [50, 95])
            print(f"{path.name}: {len(turns)} turns, p50 {ms[0]:.0f} ms, p95 {ms[1]:.0f} ms")
            for name, share, count in measured(turns):
                print(f"   {name:45} {share} ({count})")
    if not given.turns:
        places.keep("assistant", kept)


if __name__ == "__main__":
    main()
