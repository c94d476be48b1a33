"""Use by person in the store."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from winnow.stores.database import StoreTable, reads, writes
from winnow.stores.schema import key, usage, whose, within
from winnow.types.scope import Scope
from winnow.types.usage import Usage

_USAGE = sa.select(usage.c.device_id, usage.c.count, usage.c.last_used).where(within(usage))
_MORE = (
    sa.update(usage)
    .where(within(usage), usage.c.device_id.in_(sa.bindparam("used", expanding=True)))
    .values(count=usage.c.count + 1, last_used=sa.bindparam("now"))
)


class HabitTable(StoreTable):
    """The ``Habits`` of a store."""

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:
        """Count one more use of each device, now."""
        if device_ids:
            await self._count(scope, tuple(dict.fromkeys(device_ids)))

    @writes()
    def _count(self, db: sa.Connection, scope: Scope, device_ids: Sequence[str]) -> None:
        """One more for those counted before, the first for the others."""
        now = self._clock.now()
        known = {row.device_id for row in db.execute(_USAGE, whose(scope))}
        if again := [i for i in device_ids if i in known]:
            db.execute(_MORE, whose(scope, used=again, now=now))
        first = {**key(usage, scope), "count": 1, "last_used": now}
        if fresh := [{**first, "device_id": i} for i in device_ids if i not in known]:
            db.execute(sa.insert(usage), fresh)

    @reads
    def usage(self, db: sa.Connection, scope: Scope) -> Usage:
        """All counts of the scope's user."""
        rows = db.execute(_USAGE, whose(scope)).all()
        return Usage({i: count for i, count, _ in rows}, {i: last for i, _, last in rows})
