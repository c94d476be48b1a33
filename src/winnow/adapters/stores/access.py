"""Keys of programs in the store."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from winnow.adapters.stores.database import StoreTable, asks, check_length, writes
from winnow.adapters.stores.schema import access_keys, of_tenant, scope_columns, scope_parameters
from winnow.types.scope import AccessKey, Scope

_ALL = sa.select(access_keys).where(of_tenant(access_keys)).order_by(access_keys.c.made_at)
_OF_DIGEST = of_tenant(access_keys) & (access_keys.c.digest == sa.bindparam("wanted"))
_ONE = sa.select(access_keys).where(_OF_DIGEST)
# A time only ever moves forward: whoever rotates a key that was revoked meanwhile cannot open it again.
_END = (
    sa.update(access_keys)
    .where(_OF_DIGEST, sa.or_(access_keys.c.ends_at.is_(None), access_keys.c.ends_at > sa.bindparam("at")))
    .values(ends_at=sa.bindparam("at"))
)


class AccessTable(StoreTable):
    """The ``AccessKeys`` of a store."""

    @asks
    def keys(self, db: sa.Connection, scope: Scope) -> Sequence[AccessKey]:
        """All of the tenant, oldest first, those that ended as well."""
        return [_key_of(row) for row in db.execute(_ALL, scope_parameters(scope)).mappings()]

    @asks
    def key(self, db: sa.Connection, scope: Scope, digest: str) -> AccessKey | None:
        """The tenant's key of that digest, even if it ended."""
        row = db.execute(_ONE, scope_parameters(scope, wanted=digest)).mappings().first()
        return _key_of(row) if row else None

    @writes()
    def add(self, db: sa.Connection, scope: Scope, key: AccessKey) -> None:
        """Keep it for the scope's tenant."""
        check_length((scope.tenant, key.digest, *key.users, *key.homes))
        row = {
            **scope_columns(access_keys, scope),
            "digest": key.digest,
            "name": key.name,
            "users": list(key.users),
            "homes": list(key.homes),
            "made_at": key.made_at,
            "ends_at": key.ends_at,
        }
        db.execute(sa.insert(access_keys), row)

    @writes()
    def end(self, db: sa.Connection, scope: Scope, digest: str, at: float) -> bool:
        """Let it end at that time; False: it is not there, or ends sooner."""
        return bool(db.execute(_END, scope_parameters(scope, wanted=digest, at=at)).rowcount)


def _key_of(row: sa.RowMapping) -> AccessKey:
    return AccessKey(**{**row, "users": tuple(row["users"]), "homes": tuple(row["homes"])})
