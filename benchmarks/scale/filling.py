"""A backfill on real processes: messages a second, with the built-in table and with a slow server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.chats import chats
from benchmarks.endpoint import endpoint
from benchmarks.scale.databases import store_at, tight
from winnow.adapters.models.vector_cache import CachedVectors
from winnow.adapters.stores.store import SqlStore
from winnow.app import precompute as backfilling
from winnow.app.wiring.engine import open_embedder
from winnow.language.tokens import count_tokens
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.retrieve.embedding_batches import EmbeddingLimits
from winnow.retrieve.precompute import (
    EmbeddingPace,
    EmbeddingWork,
    FillRange,
    RangeResult,
    UserRange,
    cluster,
    embed_ahead,
    run_backfill,
    user_ranges,
)
from winnow.types.scope import Scope

TENANT = Scope()
MODEL = "bench"
LATENCY = (0.05, 0.2)
"""Seconds of one answer, from the least to the most."""
SIZE = 1000
"""Messages of a range."""
PACE = EmbeddingPace(EmbeddingLimits(texts=100, concurrency=4), lease=20.0)


def talked(url: str, persons: int, total: int) -> dict[str, Any]:
    """One tenant's talks into the store: messages, texts that differ, tokens of these."""
    storage = SqlStore.open(store_at(url), SystemClock()).storage
    texts: set[str] = set()
    for chat in chats(persons, total, seed=1):
        run_blocking(storage.messages.add(Scope(TENANT.tenant, chat.user), chat.messages))
        texts.update(message.content for message in chat.messages)
    tokens = sum(map(count_tokens, texts))
    return {"messages": total, "texts": len(texts), "tokens_per_text": round(tokens / len(texts), 1)}


def forgotten(url: str) -> int:
    """Vectors of earlier runs deleted."""
    return run_blocking(SqlStore.open(store_at(url), SystemClock()).storage.vectors.forget(TENANT))


def by_table(url: str, workers: int) -> dict[str, Any]:
    """Vectors of the built-in table, which Winnow itself does not store: what all costs but a model."""
    with _environment({"SCALE_STORE": url}):
        return _timed(url, workers, fill_by_table, open_embedder().name)


def by_server(url: str, workers: int) -> dict[str, Any]:
    """Vectors of a server on this machine that answers slowly, as ``winnow messages backfill`` makes them."""
    with TemporaryDirectory() as home, endpoint(LATENCY) as (server, counted):
        told = f"vector_search:\n  dynamic:\n    embedding_model: {MODEL}\n    api_url: {server.url}\n"
        Path(home, "history.yaml").write_text(told, "utf-8")
        where = str(store_at(url))
        with _environment({"WINNOW_HOME": home, "WINNOW_STORE": where, "WINNOW_MODEL_SECONDS": "30"}):
            found = _timed(url, workers, backfilling.fill_range, MODEL)
        return found | {
            "texts_asked": counted.asked.total(),
            "asked_twice": counted.again,
            "embedded_twice": counted.twice,
            "latency_ms": [1000 * seconds for seconds in LATENCY],
        }


def _timed(url: str, workers: int, fill: FillRange, model: str) -> dict[str, Any]:
    storage = SqlStore.open(store_at(url), SystemClock()).storage
    wanted = list(user_ranges(TENANT.tenant, run_blocking(storage.messages.users(TENANT)), SIZE))
    with cluster("local", workers) as client:
        client.run(_ready)  # processes that have begun to work
        start = perf_counter()
        course = run_backfill(client, wanted, fill, lambda course: None)
        seconds = perf_counter() - start
    spaces = run_blocking(storage.vectors.spaces(TENANT))
    held = sum(run_blocking(storage.vectors.size(TENANT, space)) for space in spaces if space.name == model)
    return {
        "workers": workers,
        "ranges": course.ranges,
        "messages": course.messages,
        "made": course.progress.made,
        "calls": course.progress.calls,
        "held": held,
        "seconds": round(seconds, 2),
        "messages_per_second": round(course.messages / seconds),
        "texts_per_second": round(course.progress.made / seconds),
    }


def vector_bytes(url: str) -> dict[str, float]:
    """Bytes on disk of a stored vector with its keys, and of its numbers."""
    store = SqlStore.open(store_at(url), SystemClock())
    spaces = run_blocking(store.storage.vectors.spaces(TENANT))
    counts = {space: run_blocking(store.storage.vectors.size(TENANT, space)) for space in spaces}
    size = tight(url).get("vectors")
    if size is None:  # a file tells only what is gone when they are
        before = tight(url)["file"]
        run_blocking(store.storage.vectors.forget(TENANT))
        size = before - tight(url)["file"]
    numbers = sum(4 * space.dimension * count for space, count in counts.items())
    total = sum(counts.values())
    return {"bytes_per_vector": round(size / total, 1), "numbers_per_vector": round(numbers / total, 1)}


def _ready() -> int:
    open_embedder()
    return os.getpid()


@cache
def _work(url: str) -> EmbeddingWork:
    storage = SqlStore.open(store_at(url), SystemClock()).storage
    maker = CachedVectors(open_embedder(), storage.vectors, limits=PACE.limits)
    return EmbeddingWork(storage.messages, storage.vectors, storage.claims, maker, SystemClock())


def fill_by_table(task: UserRange) -> RangeResult:
    """What a worker does with a range, by the built-in table."""
    scopes = [Scope(task.tenant, user) for user in task.users]
    return RangeResult(task, asyncio.run(embed_ahead(_work(os.environ["SCALE_STORE"]), scopes, PACE)))


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Variables that processes started meanwhile inherit."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
