"""``python -m benchmarks.strategies``: the strategies of seed 003 by number of messages, cold and warm.

A real SQLite table of a host, read in place; vectors by the built-in table and by a server that answers after
50 to 200 ms. Cold: the first question to a history nobody opened. Warm: questions asked before, so that what
is left is Winnow's own work. New: questions nobody asked before, to an open history; with a server that is
its latency above all. Milliseconds of the source, all of it: the stamp of the table, vectors, ranking.
"""

from __future__ import annotations

import platform
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that it runs from anywhere

from benchmarks import places, tables
from benchmarks.chats import chat
from benchmarks.far_away import far_away
from benchmarks.scoring import percentile
from winnow import __version__
from winnow.adapters.stores.store import memory_storage
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.app.wiring.history import history_source
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Search
from winnow.types.message import HistorySettings, HostColumns, HostTable, Message
from winnow.types.scope import Scope

SIZES = (100, 500, 2000)
STRATEGIES = ("none", "lazy", "hybrid", "batch")
PERSONS = 5
QUESTIONS = 40
ROUNDS = 5
"""Times each warm question is asked; the quickest counts, since others use the machine too."""
TABLE = open_builtin_embedder()


@dataclass(frozen=True, slots=True)
class Person:
    """Whose history is asked, and what."""

    scope: Scope
    questions: tuple[str, ...]


def main() -> None:
    with TemporaryDirectory() as folder, far_away() as server:
        people = {size: written(Path(folder) / f"{size}.db", size) for size in SIZES}
        rows = list(_rows(Path(folder), people, server))
    data = {"winnow": __version__, "python": platform.python_version(), "persons": PERSONS, "rows": rows}
    places.keep("strategies", data)
    show(rows)


def _rows(folder: Path, people: Mapping[int, Sequence[Person]], server: str) -> Iterator[dict[str, Any]]:
    for where, size, strategy in product(("table", "server"), SIZES, STRATEGIES):
        if strategy == "none" and where == "server":
            continue  # no vector is asked for
        settings = configured(folder / f"{size}.db", strategy, server if where == "server" else "")
        opened = [measured(source(settings), person) for person in people[size]]
        row = {"vectors": where, "messages": size, "strategy": strategy, **together(opened)}
        print(row, file=sys.stderr)
        yield row


def written(path: Path, size: int) -> list[Person]:
    """A host's table with the messages of some persons, and what they are asked."""
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE messages (id TEXT PRIMARY KEY, user_id TEXT, role TEXT, content TEXT,"
            " created_at TEXT, conversation TEXT)"
        )
        db.execute("CREATE INDEX by_user ON messages (user_id, created_at)")
        found = [_person(db, number, size) for number in range(PERSONS)]
    db.close()
    return found


def _person(db: sqlite3.Connection, number: int, size: int) -> Person:
    one = chat(number, size)
    rows = [(m.id, one.user, m.role, m.content, str(m.at), m.conversation) for m in one.messages]
    db.executemany("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", rows)
    rng = Random(number)
    about = [rng.choice(one.messages) for _ in range(QUESTIONS * 2)]
    return Person(Scope(user=one.user), tuple(dict.fromkeys(_question(rng, m) for m in about)))


def _question(rng: Random, message: Message) -> str:
    """A few words of a message, in their order."""
    text = message.content
    words, between = (text.split(), " ") if text.isascii() else (list(text[:30]), "")
    first = rng.randrange(max(1, len(words) - 6))
    return between.join(words[first : first + 6]) + "?"


def configured(path: Path, strategy: str, server: str) -> HistorySettings:
    """One way to search, as a host would set it."""
    host = HostTable(f"sqlite:///{path}", columns=HostColumns(conversation="conversation"))
    model = {"embedding_model": "far-away", "api_url": server} if server else {}
    if strategy == "none":
        return HistorySettings(type="none", host=host)
    return HistorySettings(strategy=strategy, host=host, **model)  # type: ignore[arg-type]


def source(settings: HistorySettings) -> HistorySource:
    """A source that nobody asked anything yet."""
    return history_source(settings, Settings(Path("nowhere")), memory_storage(SystemClock()), TABLE)


@dataclass(frozen=True, slots=True)
class Times:
    """What one person's questions took, in milliseconds."""

    cold: float
    warm_up: float
    """Seconds until all vectors of a batch are ready."""
    new: tuple[float, ...]
    warm: tuple[float, ...]
    own: tuple[float, ...]
    """Of the warm ones: milliseconds of the processor, which others that use the machine do not lengthen."""


def measured(history: HistorySource, person: Person) -> Times:
    """One person's questions to a source nobody asked before."""
    first, *others = person.questions
    cold = _asked(history, person, first)
    start = perf_counter()
    history.outside.warming.wait()  # type: ignore[attr-defined]
    ready = perf_counter() - start
    new = [_asked(history, person, question) for question in others[: QUESTIONS // 2]]
    warm = [min(_asked(history, person, q) for _ in range(ROUNDS)) for q in others[: QUESTIONS // 2]]
    own = [_worked(history, person, question) for question in others[: QUESTIONS // 2]]
    return Times(cold, ready, tuple(new), tuple(warm), tuple(own))


def _worked(history: HistorySource, person: Person, question: str) -> float:
    start = thread_time()
    _asked(history, person, question)
    return (thread_time() - start) * 1000


def _asked(history: HistorySource, person: Person, question: str) -> float:
    start = perf_counter()
    found = run_blocking(history(Search(question), person.scope, 10))
    took = (perf_counter() - start) * 1000
    if found.degradations:
        raise RuntimeError(f"{question}: {found.degradations}")
    return took


def together(times: Sequence[Times]) -> dict[str, float | None]:
    """The figures of all persons."""
    new = [ms for one in times for ms in one.new]
    warm = [ms for one in times for ms in one.warm]
    return {
        "cold_p50": percentile([one.cold for one in times], 50),
        "cold_max": percentile([one.cold for one in times], 100),
        "warm_up_s": percentile([one.warm_up for one in times], 50),
        "new_p50": percentile(new, 50),
        "new_p95": percentile(new, 95),
        "warm_p50": percentile(warm, 50),
        "warm_p95": percentile(warm, 95),
        "own_p95": percentile([ms for one in times for ms in one.own], 95),
    }


def show(rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.console import Console

    Console(width=140).print(
        tables.terminal(
            "milliseconds", tables.STRATEGY_HEAD, tables.strategies(rows), tables.STRATEGY_COLUMNS
        )
    )


if __name__ == "__main__":
    main()
