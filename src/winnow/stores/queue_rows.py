"""Jobs of a person in the queue of a PostgreSQL server (``winnow messages precompute --queue``)."""

from __future__ import annotations

import sqlalchemy as sa

from winnow.types.scope import Scope

TABLE = "winnow_queue.procrastinate_jobs"
_THERE = sa.text("SELECT to_regclass(:name) IS NOT NULL").bindparams(name=TABLE)
_THEIRS = "args->>'tenant' = :tenant AND args->>'user' = :user AND status::text"
_COUNT = {
    busy: sa.text(f"SELECT count(*) FROM {TABLE} WHERE {_THEIRS} {sign} 'doing'")  # noqa: S608 - names of ours
    for busy, sign in ((True, "="), (False, "<>"))
}
_DELETE = sa.text(f"DELETE FROM {TABLE} WHERE {_THEIRS} <> 'doing'")  # noqa: S608 - names of ours


def count(db: sa.Connection, scope: Scope, *, busy: bool = False) -> int:
    """How many there are that wait or have failed; ``busy``: that a worker is doing."""
    return int(db.scalar(_COUNT[busy], _whose(scope)) or 0) if _is_there(db) else 0


def forget(db: sa.Connection, scope: Scope) -> int:
    """Delete those that nobody is doing; how many there were. A job that is done is deleted by its worker."""
    return db.execute(_DELETE, _whose(scope)).rowcount if _is_there(db) else 0


def _is_there(db: sa.Connection) -> bool:
    return db.dialect.name == "postgresql" and bool(db.scalar(_THERE))


def _whose(scope: Scope) -> dict[str, str]:
    return {"tenant": scope.tenant, "user": scope.user}
