"""Vectors of texts in the store."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from winnow.ports import Clock
from winnow.stores.chunks import chunks
from winnow.stores.database import Database
from winnow.stores.dialect import upsert
from winnow.stores.given import fitting
from winnow.stores.schema import key, of_tenant, vectors, whose
from winnow.types.scope import Scope
from winnow.types.space import Space

if TYPE_CHECKING:
    from winnow.ports import Floats

_THESE = of_tenant(vectors) & vectors.c.key.in_(sa.bindparam("keys", expanding=True))
_SPACE = sa.and_(*(vectors.c[name] == sa.bindparam(name) for name in ("space", "version", "dimension")))
_GET = sa.select(vectors.c.key, vectors.c.vector, vectors.c.checksum).where(_THESE, _SPACE)
_FORGET, _FORGET_ALL = sa.delete(vectors).where(_THESE), sa.delete(vectors).where(of_tenant(vectors))


class VectorTable:
    """The ``Vectors`` of a store."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats]:
        """Those that are there and whole; a row that does not fit its checksum is as good as none."""
        return await self._db.reading(_get, scope, space, keys)

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Keep these, in the place of those of the same keys. ValueError: not of the space's dimension."""
        rows = [_row(text, space, made) for text, made in sorted(vectors.items())]
        if rows:
            await self._db.writing(_put, scope, rows, self._clock.now())

    async def forget(self, scope: Scope, keys: Collection[str] | None = None) -> int:
        """Delete these vectors of the tenant in every space, or all; how many there were."""
        return await self._db.writing(_forget, scope, None if keys is None else list(dict.fromkeys(keys)))


def _row(text: str, space: Space, vector: Floats) -> dict[str, object]:
    data = fitting(space, vector).tobytes()
    return {**_columns(space), "key": text, "vector": data, "checksum": _checksum(text, data)}


def _columns(space: Space) -> dict[str, object]:
    return {"space": space.name, "version": space.version, "dimension": space.dimension}


def _checksum(text: str, data: bytes) -> int:
    """Also of the key, so that one text's vector is not taken for another's."""
    return zlib.crc32(data, zlib.crc32(text.encode("utf-8", "surrogatepass")))


def _get(db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str]) -> dict[str, Floats]:
    import numpy as np

    found: dict[str, Floats] = {}
    for part in chunks(dict.fromkeys(keys)):
        for text, data, checksum in db.execute(_GET, whose(scope, keys=part, **_columns(space))):
            if len(data) == 4 * space.dimension and _checksum(text, data) == checksum:
                found[text] = np.frombuffer(data, "<f4")
    return found


def _put(db: sa.Connection, scope: Scope, rows: Sequence[Mapping[str, object]], now: float) -> None:
    """In the order of their keys, so that two writers never wait for each other."""
    insert, belongs = upsert(db, vectors), {**key(vectors, scope), "made_at": now}
    for part in chunks(rows):
        db.execute(insert, [{**belongs, **row} for row in part])


def _forget(db: sa.Connection, scope: Scope, keys: Sequence[str] | None) -> int:
    if keys is None:
        return db.execute(_FORGET_ALL, whose(scope)).rowcount
    return sum(db.execute(_FORGET, whose(scope, keys=part)).rowcount for part in chunks(keys))
