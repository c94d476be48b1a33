from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from winnow.ports import Storage
from winnow.stores.memory import memory_storage
from winnow.stores.store import Store
from winnow.testing import FrozenClock


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """Every storage there is."""
    if request.param == "memory":
        yield memory_storage(FrozenClock())
        return
    sqlite = request.param == "sqlite"
    where = tmp_path / "winnow.db" if sqlite else request.getfixturevalue("postgres_store")
    store = Store.open(where, FrozenClock())
    yield store.storage
    store.close()
