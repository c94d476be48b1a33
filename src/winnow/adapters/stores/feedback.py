"""Feedback and counts in the store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from winnow.adapters.stores.database import StoreTable, asks, check_person, writes
from winnow.adapters.stores.schema import (
    accounts,
    feedback,
    in_scope,
    of_tenant,
    row_chunks,
    scope_columns,
    scope_parameters,
    totals,
)
from winnow.types.feedback import MAX_ACCOUNTS, Account, Feedback, Total
from winnow.types.scope import Scope

_THESE = feedback.c.id.in_(sa.bindparam("ids", expanding=True))
_ORDER = (feedback.c.at, feedback.c.id)
_GIVEN = {
    True: sa.select(feedback).where(in_scope(feedback)).order_by(*_ORDER),
    False: sa.select(feedback).where(of_tenant(feedback)).order_by(*_ORDER),
}
"""Whether a user is named -> what is theirs, or everybody's of the tenant."""
_FORGET = {
    True: sa.delete(feedback).where(in_scope(feedback)),
    False: sa.delete(feedback).where(of_tenant(feedback)),
}
_TOTALS = sa.select(totals.c.name, totals.c.count, totals.c.sum).where(of_tenant(totals))
_MORE = (
    sa.update(totals)
    .where(of_tenant(totals), totals.c.name == sa.bindparam("named"))
    .values(count=totals.c.count + 1, sum=totals.c.sum + sa.bindparam("more"))
)
_THEIRS = sa.select(accounts.c.account).where(in_scope(accounts))
_ONE = _THEIRS.where(accounts.c.id == sa.bindparam("retrieval"))
_LAST = _THEIRS.order_by(accounts.c.at.desc(), accounts.c.id.desc()).limit(1)
_OLD = (
    sa.select(accounts.c.id)
    .where(in_scope(accounts))
    .order_by(accounts.c.at.desc(), accounts.c.id.desc())
    .offset(MAX_ACCOUNTS)
)
_DROP_OLD = sa.delete(accounts).where(
    in_scope(accounts), accounts.c.id.in_(sa.bindparam("old", expanding=True))
)
_DROP = {
    True: sa.delete(accounts).where(in_scope(accounts)),
    False: sa.delete(accounts).where(of_tenant(accounts)),
}
_DROP_TOTALS = sa.delete(totals).where(of_tenant(totals))


class FeedbackTable(StoreTable):
    """The ``FeedbackBook`` of a store."""

    @writes(alone="nobody")
    def keep(self, db: sa.Connection, scope: Scope, given: Feedback) -> None:
        """Keep it for the scope's user, who must be named. Raises StoreError."""
        check_person(scope, (given.id,))
        row = {**scope_columns(feedback, scope), "id": given.id, "at": given.at, "given": given.data()}
        db.execute(sa.insert(feedback), row)

    @asks
    def feedback(self, db: sa.Connection, scope: Scope) -> Sequence[Feedback]:
        """All of it, oldest first."""
        rows = db.execute(_GIVEN[bool(scope.user)], scope_parameters(scope)).mappings()
        return [Feedback.of({**row["given"], "user": row["user"]}) for row in rows]

    @writes()
    def forget(self, db: sa.Connection, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these, or all; how many there were."""
        statement = _FORGET[bool(scope.user)]
        if ids is None:
            return db.execute(statement, scope_parameters(scope)).rowcount
        these, parts = statement.where(_THESE), row_chunks(dict.fromkeys(ids))
        return sum(db.execute(these, scope_parameters(scope, ids=part)).rowcount for part in parts)


class CountTable(StoreTable):
    """The ``Counts`` of a store."""

    @writes()
    def count(
        self,
        db: sa.Connection,
        scope: Scope,
        figures: Mapping[str, float],
        account: Account | None = None,
    ) -> None:
        """Add one turn to the totals; its account takes the place of the oldest of the user."""
        known = {row.name for row in db.execute(_TOTALS, scope_parameters(scope))}
        more = [
            scope_parameters(scope, named=name, more=value)
            for name, value in figures.items()
            if name in known
        ]
        if more:
            db.execute(_MORE, more)
        belongs = scope_columns(totals, scope)
        fresh = [
            {**belongs, "name": name, "count": 1, "sum": value}
            for name, value in figures.items()
            if name not in known
        ]
        if fresh:
            db.execute(sa.insert(totals), fresh)
        if account is None:
            return
        row = {
            **scope_columns(accounts, scope),
            "id": account.id,
            "at": account.at,
            "account": account.data(),
        }
        db.execute(sa.insert(accounts), row)
        if old := db.scalars(_OLD, scope_parameters(scope)).all():
            db.execute(_DROP_OLD, scope_parameters(scope, old=old))

    @asks
    def totals(self, db: sa.Connection, scope: Scope) -> Mapping[str, Total]:
        """Name of a figure -> what was counted of it, of all users of the tenant."""
        rows = db.execute(_TOTALS, scope_parameters(scope)).all()
        return {name: Total(count, sum_) for name, count, sum_ in sorted(rows)}

    @asks
    def account(self, db: sa.Connection, scope: Scope, retrieval: str = "") -> Account | None:
        """The user's account of that retrieval, or of the last one."""
        found = db.scalar(_ONE if retrieval else _LAST, scope_parameters(scope, retrieval=retrieval))
        return None if found is None else Account.of(found)

    @writes()
    def forget(self, db: sa.Connection, scope: Scope) -> int:
        """Delete the accounts of the scope's user, or all the tenant's and the totals; how many accounts."""
        if not scope.user:
            db.execute(_DROP_TOTALS, scope_parameters(scope))
        return db.execute(_DROP[bool(scope.user)], scope_parameters(scope)).rowcount
