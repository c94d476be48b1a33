"""One question per person, of the source as an engine asks it: the first time, and again."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter, thread_time
from typing import Any

from benchmarks.chats import Chat, chat, sizes
from benchmarks.scale.databases import store_at
from benchmarks.scale.loading import host_table, scope_of
from benchmarks.scoring import percentile
from winnow.adapters.stores.store import memory_storage
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import open_embedder
from winnow.app.wiring.history import open_vectoriser
from winnow.ports.services import Embedder, run_blocking
from winnow.ports.stores import Messages, SystemClock
from winnow.retrieve.history.dense import BackgroundEmbedder, HistoryCache
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Search
from winnow.types.message import HistorySettings, HistoryVersion, Message
from winnow.types.scope import Scope

AGAIN = 3
"""Times each question is asked once its history is open."""
LIMIT = 10
BANDS = (100, 1000, 5000)
"""Sizes of histories that are told apart."""


@dataclass(frozen=True, slots=True)
class Run:
    """Which questions are asked, and of what."""

    url: str
    adapter: str
    """``store`` or ``host``."""
    persons: int
    messages: int
    asked: int
    draw: str = "persons"
    """``persons``: every person alike; ``messages``: who says more asks more."""
    anew: int = 0
    """Further times each question is asked of a source that knows nothing."""
    most_bytes: int = 0
    """What open histories may take; 0: what they may by default."""


class Timed:
    """``Messages`` that add up how long they take."""

    def __init__(self, below: Messages) -> None:
        self._below = below
        self.stamps = self.rows = 0.0
        """Seconds."""

    async def stamp(self, scope: Scope) -> HistoryVersion:
        """As below."""
        start = perf_counter()
        stamp = await self._below.stamp(scope)
        self.stamps += perf_counter() - start
        return stamp

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """As below."""
        start = perf_counter()
        async for page in self._below.stream(scope, size):
            self.rows += perf_counter() - start
            yield page
            start = perf_counter()
        self.rows += perf_counter() - start


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of one question, in milliseconds."""

    size: int
    first: float
    """As it happened, whatever else the machine had to do."""
    best: float
    """The best of ``anew`` further first questions and this one, each to a source that knows nothing."""
    first_cpu: float
    stamp: float
    rows: float
    again: tuple[float, ...]
    again_cpu: float
    """Of one of these."""
    found: bool
    own: bool
    """Whether all that was found is the person's."""


def drawn(run: Run) -> list[Chat]:
    """The persons who ask, in random order."""
    rng, counts = Random(f"asked {run.draw}"), sizes(run.persons, run.messages)
    if run.draw == "persons":
        numbers = rng.sample(range(run.persons), min(run.asked, run.persons))
    else:
        numbers = rng.choices(range(run.persons), counts, k=run.asked)
    return [chat(number, counts[number]) for number in dict.fromkeys(numbers)]


def asked(run: Run) -> dict[str, Any]:
    """Milliseconds of first and further questions, by size of the history; memory of the process."""
    messages = Timed(_messages(run))
    source, warming = _source(messages, run.most_bytes)
    _warm_up(source)
    people = drawn(run)
    gc.collect()
    before, most_held, answers = resident(), 0, []
    for one in people:
        answers.append(_answer(source, messages, warming, one, run.anew))
        most_held = max(most_held, source.histories.bytes)
    gc.collect()
    return {
        **_told(answers),
        "held": len(source.histories),
        "held_messages": sum(history.index.size for history in source.histories.cache.values()),
        "held_bytes": source.histories.bytes,
        "most_held_bytes": most_held,
        "bound_bytes": run.most_bytes or source.histories.cache.most_bytes,
        "rss_before": before,
        "rss_after": resident(),
    }


def _messages(run: Run) -> Messages:
    if run.adapter == "store":
        from winnow.adapters.stores.store import SqlStore

        return SqlStore.open(store_at(run.url), SystemClock()).storage.messages
    from winnow.adapters.stores.host.messages import HostMessages

    return HostMessages(host_table(run.url))


def _source(messages: Messages, most_bytes: int) -> tuple[HistorySource, BackgroundEmbedder]:
    """As wired by default: the built-in table, nothing kept of its vectors."""
    table = _table()
    settings = Settings(Path())
    vectoriser = open_vectoriser(HistorySettings(), settings, memory_storage(SystemClock()).vectors, table)
    warming = BackgroundEmbedder(vectoriser)
    source = HistorySource(messages, table, vectoriser, warming=warming)
    if most_bytes:
        source.histories = HistoryCache(messages, table, most_bytes=most_bytes)
    return source, warming


@cache
def _table() -> Embedder:
    return open_embedder()


def _warm_up(source: HistorySource) -> None:
    """Libraries, tables and connections are loaded before anything is timed."""
    for text in ("what did I say about the lamp?", "我上次说灯怎么了？"):
        run_blocking(source(Search(text), scope_of(0), LIMIT))


def _answer(
    source: HistorySource, messages: Timed, warming: BackgroundEmbedder, one: Chat, anew: int
) -> Answer:
    scope, search = scope_of(int(one.messages[0].id.split("-")[0])), Search(one.question)
    stamps, rows, cpu = messages.stamps, messages.rows, thread_time()
    start = perf_counter()
    found = run_blocking(source(search, scope, LIMIT))
    first, first_cpu = perf_counter() - start, thread_time() - cpu
    stamp, read = messages.stamps - stamps, messages.rows - rows
    best = min([first, *(_anew(messages, search, scope) for _ in range(anew))])
    warming.wait()  # whoever asks again does so later
    cpu = thread_time()
    again = tuple(_again(source, search, scope) for _ in range(AGAIN))
    again_cpu = (thread_time() - cpu) / AGAIN
    ids = [candidate.ref.id for candidate in found.candidates]
    return Answer(
        len(one.messages),
        1000 * first,
        1000 * best,
        1000 * first_cpu,
        1000 * stamp,
        1000 * read,
        again,
        1000 * again_cpu,
        one.about in ids,
        set(ids) <= {message.id for message in one.messages},
    )


def _anew(messages: Timed, search: Search, scope: Scope) -> float:
    """Seconds of a first question to another source."""
    source, warming = _source(messages, 0)
    start = perf_counter()
    run_blocking(source(search, scope, LIMIT))
    seconds = perf_counter() - start
    warming.wait()
    return seconds


def _again(source: HistorySource, search: Search, scope: Scope) -> float:
    start = perf_counter()
    run_blocking(source(search, scope, LIMIT))
    return 1000 * (perf_counter() - start)


def _told(answers: Sequence[Answer]) -> dict[str, Any]:
    bands = {
        f"up to {high}": [a for a in answers if low < a.size <= high]
        for low, high in zip((0, *BANDS), BANDS, strict=False)
    }
    return {
        "all": _figures(answers),
        "by_size": {name: _figures(some) for name, some in bands.items() if some},
        "found": round(100 * sum(a.found for a in answers) / len(answers), 1),
        "strangers": sum(not a.own for a in answers),
    }


def _figures(answers: Sequence[Answer]) -> Mapping[str, Any]:
    """Percentiles in milliseconds; where the time of a first question goes on average."""
    return {
        "persons": len(answers),
        "messages_p50": percentile([a.size for a in answers], 50),
        "messages_p95": percentile([a.size for a in answers], 95),
        **_percentiles("first", [a.first for a in answers]),
        **_percentiles("best", [a.best for a in answers]),
        **_percentiles("first_cpu", [a.first_cpu for a in answers]),
        **_percentiles("again", [ms for a in answers for ms in a.again]),
        **_percentiles("again_cpu", [a.again_cpu for a in answers]),
        "first_cpu_mean": _mean(a.first_cpu for a in answers),
        "again_cpu_mean": _mean(a.again_cpu for a in answers),
        "stamp_mean": _mean(a.stamp for a in answers),
        "rows_mean": _mean(a.rows for a in answers),
        "first_mean": _mean(a.first for a in answers),
    }


def _percentiles(name: str, values: Sequence[float]) -> dict[str, float | None]:
    return {f"{name}_p{share}": percentile(values, share) for share in (50, 95, 99)}


def _mean(values: Iterable[float]) -> float:
    all_of_them = list(values)
    return round(sum(all_of_them) / len(all_of_them), 3)


def resident() -> int:
    """Bytes of this process in memory, by Linux."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
