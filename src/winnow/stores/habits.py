"""Use by person in the store."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from winnow.ports import Clock
from winnow.stores.database import Database
from winnow.stores.schema import usage
from winnow.types.usage import Usage


class HabitTable:
    """The ``Habits`` of a store."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    def use(self, home_id: str, user: str, device_ids: Sequence[str]) -> None:
        """Count one more use of each device, now."""
        now = self._clock.now()
        rows = [
            {"home_id": home_id, "user": user, "device_id": i, "count": 1, "last_used": now}
            for i in dict.fromkeys(device_ids)
        ]
        if not rows:
            return
        more = insert(usage).on_conflict_do_update(
            index_elements=["home_id", "user", "device_id"],
            set_={"count": usage.c.count + 1, "last_used": now},
        )
        with self._db.write() as db:
            db.execute(more, rows)

    def usage(self, home_id: str, user: str) -> Usage:
        """All counts of one person."""
        wanted = sa.select(usage.c.device_id, usage.c.count, usage.c.last_used).where(
            usage.c.home_id == home_id, usage.c.user == user
        )
        with self._db.read() as db:
            rows = db.execute(wanted).all()
        return Usage({i: count for i, count, _ in rows}, {i: last for i, _, last in rows})
