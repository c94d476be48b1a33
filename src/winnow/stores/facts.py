"""Facts of persons in the store."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from winnow.stores.chunks import chunks
from winnow.stores.database import Database
from winnow.stores.given import check, held
from winnow.stores.schema import facts, key, whose, within
from winnow.types.fact import Fact
from winnow.types.scope import Scope

TOLD = ("id", "text", "subject", "attribute", "value", "at", "credibility", "source")
"""What is said once and never changes."""
STANDING = ("status", "replaced_by", "reason")
"""What later statements change."""
_ALL = sa.select(*(facts.c[name] for name in TOLD + STANDING)).where(within(facts)).order_by(facts.c.position)
_THESE = within(facts) & facts.c.id.in_(sa.bindparam("ids", expanding=True))
_KNOWN = sa.select(facts.c.id).where(_THESE)
_LAST = sa.select(sa.func.max(facts.c.position)).where(within(facts))
_CHANGE = (
    sa.update(facts)
    .where(within(facts), facts.c.id == sa.bindparam("changed"))
    .values({name: sa.bindparam(f"new_{name}") for name in STANDING})
)
_FORGET, _FORGET_ALL = sa.delete(facts).where(_THESE), sa.delete(facts).where(within(facts))


class FactTable:
    """The ``Facts`` of a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def facts(self, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came."""
        return await self._db.asking(_facts, scope)

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""
        given = {fact.id: held(fact) for fact in facts}
        if given:
            check(scope, given)
            await self._db.writing(_keep, scope, given, alone="user")

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were."""
        these = None if ids is None else list(dict.fromkeys(ids))
        return await self._db.writing(_forget, scope, these, alone="user")


def _facts(db: sa.Connection, scope: Scope) -> Sequence[Fact]:
    return [Fact(*row) for row in db.execute(_ALL, whose(scope))]


def _keep(db: sa.Connection, scope: Scope, given: dict[str, Fact]) -> None:
    known = _known(db, scope, given)
    _insert(db, scope, [fact for fact in given.values() if fact.id not in known])
    changes = [_change(scope, given[id_]) for id_ in known]
    if changes:
        db.execute(_CHANGE, changes)


def _known(db: sa.Connection, scope: Scope, ids: Collection[str]) -> set[str]:
    parts = (db.scalars(_KNOWN, whose(scope, ids=part)) for part in chunks(ids))
    return {id_ for part in parts for id_ in part}


def _insert(db: sa.Connection, scope: Scope, fresh: Sequence[Fact]) -> None:
    if fresh:
        last = db.scalar(_LAST, whose(scope)) or 0
        db.execute(sa.insert(facts), [_row(scope, fact, n) for n, fact in enumerate(fresh, last + 1)])


def _row(scope: Scope, fact: Fact, position: int) -> dict[str, object]:
    said = {name: getattr(fact, name) for name in TOLD + STANDING}
    return {**key(facts, scope), "position": position, **said}


def _change(scope: Scope, fact: Fact) -> dict[str, object]:
    return whose(scope, changed=fact.id, **{f"new_{name}": getattr(fact, name) for name in STANDING})


def _forget(db: sa.Connection, scope: Scope, ids: Sequence[str] | None) -> int:
    if ids is None:
        return db.execute(_FORGET_ALL, whose(scope)).rowcount
    return sum(db.execute(_FORGET, whose(scope, ids=part)).rowcount for part in chunks(ids))
