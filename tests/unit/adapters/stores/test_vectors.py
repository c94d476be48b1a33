"""Rows of vectors that something else wrote to."""

from __future__ import annotations

import numpy as np
import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.conftest import both

from winnow.adapters.stores.schema import vectors
from winnow.adapters.stores.store import SqlStore
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope
from winnow.types.vector import Space

MINE, SPACE = Scope(), Space("table", "1", 2)


@both
@pytest.mark.parametrize(
    "damage",
    [
        {"vector": b"\0" * 8},
        {"vector": b"\0" * 4},
        {"vector": b""},
        {"checksum": 1},
        {"key": "b"},  # bytes of one text under the key of another
    ],
)
def test_a_damaged_row_is_told_apart_from_one_that_is_not_there(
    store: SqlStore, damage: dict[str, object]
) -> None:
    kept = store.storage.vectors
    run_blocking(kept.put(MINE, SPACE, {"a": np.array([0.6, 0.8], "f4")}))
    with store._db.write() as db:
        db.execute(sa.update(vectors).values(damage))
    key = str(damage.get("key", "a"))
    assert run_blocking(kept.get(MINE, SPACE, ["a", "b", "c"])) == {key: None}
    run_blocking(kept.put(MINE, SPACE, {key: np.array([0.6, 0.8], "f4")}))
    assert run_blocking(kept.get(MINE, SPACE, [key]))[key] is not None
