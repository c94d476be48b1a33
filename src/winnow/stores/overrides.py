"""What people said of the things of their homes, in the store."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from winnow.ports import Clock
from winnow.stores import codec
from winnow.stores.database import Database
from winnow.stores.homes import raise_version
from winnow.stores.schema import key, overrides, whose, within
from winnow.types.override import Override
from winnow.types.scope import Scope

_SAID = sa.select(overrides).where(within(overrides))
_FORGET = sa.delete(overrides).where(within(overrides))


class OverrideTable:
    """The ``Overrides`` of a store."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def said(self, scope: Scope) -> tuple[Override, ...]:
        """What was said of the scope's home, by the id of the thing."""
        return await self._db.reading(_said, scope)

    async def say(self, scope: Scope, said: Sequence[Override]) -> None:
        """Put these in the place of all that was said; the home's version rises when they differ."""
        await self._db.writing(_say, scope, tuple(said), self._clock.now())


def _said(db: sa.Connection, scope: Scope) -> tuple[Override, ...]:
    """By thing, as Python orders texts: a server may have an order of its own."""
    told = (codec.part(Override, dict(row)) for row in db.execute(_SAID, whose(scope)).mappings())
    return tuple(sorted(told, key=lambda override: override.thing_id))


def _say(db: sa.Connection, scope: Scope, said: tuple[Override, ...], now: float) -> None:
    said = tuple(sorted(said, key=lambda o: o.thing_id))
    if said == _said(db, scope):
        return
    db.execute(_FORGET, whose(scope))
    if said:
        belongs = key(overrides, scope)
        db.execute(sa.insert(overrides), [{**belongs, **codec.row(o)} for o in said])
    raise_version(db, scope, now)
