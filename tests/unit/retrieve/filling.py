"""What a worker of a test does with a range of users: a store, a server on this machine, little patience."""

from __future__ import annotations

import asyncio
import os
from functools import cache
from pathlib import Path

from winnow.adapters.models.openai import OpenAIEmbedder, configured_endpoint
from winnow.adapters.models.vector_cache import CachedVectors
from winnow.adapters.stores.store import SqlStore
from winnow.errors import WinnowError
from winnow.ports.stores import Storage, SystemClock
from winnow.retrieve.embedding_batches import EmbeddingLimits
from winnow.retrieve.precompute import (
    EmbeddingPace,
    EmbeddingProgress,
    EmbeddingWork,
    RangeResult,
    UserRange,
    embed_ahead,
)
from winnow.types.scope import Scope

PACE = EmbeddingPace(EmbeddingLimits(texts=8, concurrency=1), lease=1.0)
"""A request that a killed worker left behind is given up after a second."""


def opened(store: str) -> Storage:
    """The store."""
    return SqlStore.open(Path(store), SystemClock()).storage


def work(store: str, url: str) -> EmbeddingWork:
    """Everything a range needs, over a store and the server at that URL."""
    storage = opened(store)
    maker = CachedVectors(
        OpenAIEmbedder(configured_endpoint(url), "stand-in"), storage.vectors, limits=PACE.limits
    )
    return EmbeddingWork(storage.messages, storage.vectors, storage.claims, maker, SystemClock())


_work = cache(work)


def fill(task: UserRange) -> RangeResult:
    """As ``winnow messages backfill`` does it; the store and the server stand in the environment."""
    scopes = [Scope(task.tenant, user) for user in task.users]
    here = _work(os.environ["TEST_STORE"], os.environ["TEST_SERVER"])
    try:
        return RangeResult(task, asyncio.run(embed_ahead(here, scopes, PACE)))
    except WinnowError as error:
        return RangeResult(task, EmbeddingProgress(), error.message, error.hint)
