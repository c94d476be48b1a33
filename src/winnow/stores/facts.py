"""Facts of persons in the store."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from winnow.stores.chunks import chunks
from winnow.stores.database import StoreTable, asks, writes
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


class FactTable(StoreTable):
    """The ``Facts`` of a store."""

    @asks
    def facts(self, db: sa.Connection, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came."""
        return [Fact(*row) for row in db.execute(_ALL, whose(scope))]

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""
        if facts:
            check(scope, (fact.id for fact in facts))
            await self._keep(scope, {fact.id: held(fact) for fact in facts})

    @writes(alone="user")
    def _keep(self, db: sa.Connection, scope: Scope, given: dict[str, Fact]) -> None:
        known = {id_ for part in chunks(given) for id_ in db.scalars(_KNOWN, whose(scope, ids=part))}
        last, belongs = db.scalar(_LAST, whose(scope)) or 0, key(facts, scope)
        fresh = [
            {**belongs, "position": n, **_values(fact, TOLD + STANDING)}
            for n, fact in enumerate((fact for fact in given.values() if fact.id not in known), last + 1)
        ]
        if fresh:
            db.execute(sa.insert(facts), fresh)
        changes = [whose(scope, changed=id_, **_values(given[id_], STANDING, "new_")) for id_ in known]
        if changes:
            db.execute(_CHANGE, changes)

    @writes(alone="user")
    def forget(self, db: sa.Connection, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were."""
        if ids is None:
            return db.execute(_FORGET_ALL, whose(scope)).rowcount
        parts = chunks(dict.fromkeys(ids))
        return sum(db.execute(_FORGET, whose(scope, ids=part)).rowcount for part in parts)


def _values(fact: Fact, names: Sequence[str], prefix: str = "") -> dict[str, object]:
    return {prefix + name: getattr(fact, name) for name in names}
