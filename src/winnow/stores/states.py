"""What devices reported when their home was imported, beside the home."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

import sqlalchemy as sa

from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.stores.chunks import chunks
from winnow.stores.database import Database, StoreTable, reads
from winnow.stores.schema import THE_HOME, homes, key, of_tenant, states, whose, within
from winnow.types.scope import Scope
from winnow.types.state import Snapshot

KEPT = 32
"""Homes whose states are kept at hand; the one not read for longest goes first."""
_CHUNK = 2000
"""Rows written at a time."""
_VERSION = sa.select(homes.c.version).where(THE_HOME)
_HOMES = sa.select(homes.c.id).where(of_tenant(homes))
_STATES = sa.select(states).where(within(states))


class StateTable(StoreTable):
    """The ``States`` of a store. They change with an import alone, so each version of a home is read once."""

    def __init__(self, db: Database, clock: Clock) -> None:
        super().__init__(db, clock)
        self._kept: OrderedDict[tuple[str, str], tuple[int, Snapshot]] = OrderedDict()

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """What was stored of these devices, or of all."""
        place = scope.tenant, scope.home
        known = self._kept.pop(place, None)
        self._kept[place] = await self._current(scope, known)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        snapshot = self._kept[place][1]
        return snapshot.about(refs) if refs else snapshot

    @reads
    def _current(
        self, db: sa.Connection, scope: Scope, known: tuple[int, Snapshot] | None
    ) -> tuple[int, Snapshot]:
        """The home's version and its states: those already ``known``, where they are of that version."""
        version = db.scalar(_VERSION, whose(scope))
        if version is None:
            raise HomeNotFound(scope.home, sorted(db.scalars(_HOMES, whose(scope))))
        if known is not None and known[0] == version:
            return known
        rows = db.execute(_STATES, whose(scope)).mappings().all()
        if not rows:
            return version, Snapshot()
        snapshot = Snapshot(
            {row["device_id"]: row["reported"] for row in rows},
            rows[0]["read_at"],  # an import has one moment and one source
            rows[0]["source"],
            frozenset(row["device_id"] for row in rows if not row["online"]),
        )
        return version, snapshot


def save_states(db: sa.Connection, scope: Scope, snapshot: Snapshot) -> None:
    """Store what the devices of a new home report; those of the one before went with it."""
    belongs = {**key(states, scope), "read_at": snapshot.read_at, "source": snapshot.source}
    rows = (
        {**belongs, "device_id": i, "reported": dict(snapshot.of(i)), "online": snapshot.online(i)}
        for i in dict.fromkeys([*snapshot.values, *sorted(snapshot.offline)])
    )
    for part in chunks(rows, _CHUNK):
        db.execute(sa.insert(states), part)
