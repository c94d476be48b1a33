"""What people said of the things of their homes, in the store."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from winnow.stores import codec
from winnow.stores.database import StoreTable, reads, writes
from winnow.stores.homes import raise_version
from winnow.stores.schema import key, overrides, whose, within
from winnow.types.override import Override
from winnow.types.scope import Scope

_SAID = sa.select(overrides).where(within(overrides))
_FORGET = sa.delete(overrides).where(within(overrides))


class OverrideTable(StoreTable):
    """The ``Overrides`` of a store."""

    @reads
    def said(self, db: sa.Connection, scope: Scope) -> tuple[Override, ...]:
        """What was said of the scope's home, by the id of the thing."""
        return _said(db, scope)

    @writes()
    def say(self, db: sa.Connection, scope: Scope, said: Sequence[Override]) -> None:
        """Put these in the place of all that was said; the home's version rises when they differ."""
        in_order = tuple(sorted(said, key=lambda override: override.thing_id))
        if in_order == _said(db, scope):
            return
        db.execute(_FORGET, whose(scope))
        if in_order:
            belongs = key(overrides, scope)
            db.execute(sa.insert(overrides), [{**belongs, **codec.row(o)} for o in in_order])
        raise_version(db, scope, self._clock.now())


def _said(db: sa.Connection, scope: Scope) -> tuple[Override, ...]:
    """By thing, as Python orders texts: a server may have an order of its own."""
    stored = (codec.part(Override, dict(row)) for row in db.execute(_SAID, whose(scope)).mappings())
    return tuple(sorted(stored, key=lambda override: override.thing_id))
