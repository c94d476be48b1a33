"""Feedback and counts in the store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from winnow.stores.chunks import chunks
from winnow.stores.database import Database
from winnow.stores.given import check
from winnow.stores.schema import accounts, feedback, key, of_tenant, totals, whose, within
from winnow.types.feedback import KEPT_ACCOUNTS, Account, Feedback, Total
from winnow.types.scope import Scope

_THESE = feedback.c.id.in_(sa.bindparam("ids", expanding=True))
_ORDER = (feedback.c.at, feedback.c.id)
_GIVEN = {
    True: sa.select(feedback).where(within(feedback)).order_by(*_ORDER),
    False: sa.select(feedback).where(of_tenant(feedback)).order_by(*_ORDER),
}
"""Whether a user is named -> what is theirs, or everybody's of the tenant."""
_FORGET = {
    True: sa.delete(feedback).where(within(feedback)),
    False: sa.delete(feedback).where(of_tenant(feedback)),
}
_TOTALS = sa.select(totals.c.name, totals.c.count, totals.c.sum).where(of_tenant(totals))
_MORE = (
    sa.update(totals)
    .where(of_tenant(totals), totals.c.name == sa.bindparam("named"))
    .values(count=totals.c.count + 1, sum=totals.c.sum + sa.bindparam("more"))
)
_THEIRS = sa.select(accounts.c.account).where(within(accounts))
_ONE = _THEIRS.where(accounts.c.id == sa.bindparam("retrieval"))
_LAST = _THEIRS.order_by(accounts.c.at.desc(), accounts.c.id.desc()).limit(1)
_OLD = (
    sa.select(accounts.c.id)
    .where(within(accounts))
    .order_by(accounts.c.at.desc(), accounts.c.id.desc())
    .offset(KEPT_ACCOUNTS)
)
_DROP_OLD = sa.delete(accounts).where(
    within(accounts), accounts.c.id.in_(sa.bindparam("old", expanding=True))
)
_DROP = {
    True: sa.delete(accounts).where(within(accounts)),
    False: sa.delete(accounts).where(of_tenant(accounts)),
}
_DROP_TOTALS = sa.delete(totals).where(of_tenant(totals))


class FeedbackTable:
    """The ``FeedbackBook`` of a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def keep(self, scope: Scope, given: Feedback) -> None:
        """Keep it for the scope's user, who must be named. Raises StoreError."""
        check(scope, (given.id,))
        await self._db.writing(_keep, scope, given, alone="nobody")

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All of it, oldest first."""
        return await self._db.asking(_given, scope)

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these, or all; how many there were."""
        these = None if ids is None else list(dict.fromkeys(ids))
        return await self._db.writing(_forget, scope, these)


class CountTable:
    """The ``Counts`` of a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def count(self, scope: Scope, figures: Mapping[str, float], account: Account | None = None) -> None:
        """Add one turn to the totals; its account takes the place of the oldest of the user."""
        await self._db.writing(_count, scope, figures, account)

    async def totals(self, scope: Scope) -> Mapping[str, Total]:
        """Name of a figure -> what was counted of it, of all users of the tenant."""
        return await self._db.asking(_totals, scope)

    async def account(self, scope: Scope, retrieval: str = "") -> Account | None:
        """The user's account of that retrieval, or of the last one."""
        return await self._db.asking(_account, scope, retrieval)

    async def forget(self, scope: Scope) -> int:
        """Delete the accounts of the scope's user, or all the tenant's and the totals; how many accounts."""
        return await self._db.writing(_drop, scope)


def _keep(db: sa.Connection, scope: Scope, given: Feedback) -> None:
    row = {**key(feedback, scope), "id": given.id, "at": given.at, "given": given.data()}
    db.execute(sa.insert(feedback), row)


def _given(db: sa.Connection, scope: Scope) -> Sequence[Feedback]:
    rows = db.execute(_GIVEN[bool(scope.user)], whose(scope)).mappings()
    return [Feedback.of({**row["given"], "user": row["user"]}) for row in rows]


def _forget(db: sa.Connection, scope: Scope, ids: Sequence[str] | None) -> int:
    statement = _FORGET[bool(scope.user)]
    if ids is None:
        return db.execute(statement, whose(scope)).rowcount
    return sum(db.execute(statement.where(_THESE), whose(scope, ids=part)).rowcount for part in chunks(ids))


def _count(db: sa.Connection, scope: Scope, figures: Mapping[str, float], account: Account | None) -> None:
    known = _totals(db, scope)
    more = [whose(scope, named=name, more=value) for name, value in figures.items() if name in known]
    if more:
        db.execute(_MORE, more)
    rows = [_first(scope, name, value) for name, value in figures.items() if name not in known]
    if rows:
        db.execute(sa.insert(totals), rows)
    if account is not None:
        _remember(db, scope, account)


def _first(scope: Scope, name: str, value: float) -> dict[str, object]:
    return {**key(totals, scope), "name": name, "count": 1, "sum": value}


def _remember(db: sa.Connection, scope: Scope, account: Account) -> None:
    """Keep it in the place of what is too old."""
    row = {**key(accounts, scope), "id": account.id, "at": account.at, "account": account.data()}
    db.execute(sa.insert(accounts), row)
    old = db.scalars(_OLD, whose(scope)).all()
    if old:
        db.execute(_DROP_OLD, whose(scope, old=old))


def _totals(db: sa.Connection, scope: Scope) -> dict[str, Total]:
    rows = db.execute(_TOTALS, whose(scope)).all()
    return {name: Total(count, sum_) for name, count, sum_ in sorted(rows)}


def _account(db: sa.Connection, scope: Scope, retrieval: str) -> Account | None:
    if retrieval:
        found = db.scalar(_ONE, whose(scope, retrieval=retrieval))
    else:
        found = db.scalar(_LAST, whose(scope))
    return None if found is None else Account.of(found)


def _drop(db: sa.Connection, scope: Scope) -> int:
    if not scope.user:
        db.execute(_DROP_TOTALS, whose(scope))
    return db.execute(_DROP[bool(scope.user)], whose(scope)).rowcount
