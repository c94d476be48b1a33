from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.stores import Storage


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """Every storage there is."""
    if request.param == "memory":
        yield memory_storage(FrozenClock())
        return
    sqlite = request.param == "sqlite"
    where = tmp_path / "winnow.db" if sqlite else request.getfixturevalue("postgres_store")
    store = SqlStore.open(where, FrozenClock())
    yield store.storage
    store.close()
