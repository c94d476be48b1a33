"""Several processes make vectors of one store's messages: each text once, whichever database it is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest
import sqlalchemy as sa
from tests.vectors import CountingEmbedder

from winnow.adapters.models.vector_cache import CachedVectors
from winnow.adapters.stores.store import SqlStore
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.retrieve.embedding_batches import EmbeddingLimits
from winnow.retrieve.precompute import EmbeddingPace, EmbeddingProgress, EmbeddingWork, embed_ahead
from winnow.types.message import Message
from winnow.types.scope import Scope

TEXTS = 120
USERS = [Scope("t", name) for name in ("anna", "bert", "carla")]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], SqlStore]:
    """A store that each run opens for itself, as another process would."""
    if request.param == "sqlite":
        return lambda: SqlStore.open(tmp_path / "winnow.db", SystemClock(), wait=20.0)
    url: sa.URL = request.getfixturevalue("postgres")
    return lambda: SqlStore.open(url.render_as_string(hide_password=False), SystemClock(), wait=20.0)


def test_no_text_is_embedded_twice(opened: Callable[[], SqlStore]) -> None:
    """Users say the same in part, so that runs meet at the texts of different persons too."""
    store = opened()
    for n, user in enumerate(USERS):
        said = [Message(f"{i}", "user", f"said {i}") for i in range(n * 20, n * 20 + TEXTS)]
        run_blocking(store.storage.messages.add(user, said))
    embedder = CountingEmbedder()
    embedder.before = lambda texts: sleep(0.005)

    def run(number: int) -> EmbeddingProgress:
        mine = opened()
        maker = CachedVectors(embedder, mine.storage.vectors)
        work = EmbeddingWork(
            mine.storage.messages, mine.storage.vectors, mine.storage.claims, maker, SystemClock()
        )
        scopes = USERS[number % 3 :] + USERS[: number % 3]
        done = asyncio.run(embed_ahead(work, scopes, EmbeddingPace(EmbeddingLimits(7, concurrency=2))))
        maker.close()
        mine.close()
        return done

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(run, range(4)))
    assert Counter(embedder.texts).most_common(1)[0][1] == 1
    assert len(embedder.texts) == sum(progress.made for progress in done) == TEXTS + 40
    (space,) = run_blocking(store.storage.vectors.spaces(USERS[0]))
    assert run_blocking(store.storage.vectors.size(USERS[0], space)) == TEXTS + 40
    assert not run_blocking(store.storage.claims.active_claims(USERS[0], space))
    store.close()
