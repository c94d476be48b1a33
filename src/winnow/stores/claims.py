"""What is being embedded at this moment, so that no two processes have the same text embedded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import uuid4

import sqlalchemy as sa

from winnow.stores.chunks import chunks
from winnow.stores.database import StoreTable, reads, writes
from winnow.stores.dialect import missing
from winnow.stores.schema import claims, key, of_tenant, whose
from winnow.types.claim import Claim
from winnow.types.scope import Scope
from winnow.types.space import Space

_MODEL = sa.and_(of_tenant(claims), *(claims.c[n] == sa.bindparam(f"of_{n}") for n in ("space", "version")))
_TAKEN = sa.select(claims).where(_MODEL).order_by(claims.c.batch, claims.c.position)
_BATCH = sa.and_(of_tenant(claims), claims.c.batch == sa.bindparam("of_batch"))
_RENEW = (
    sa.update(claims)
    .where(_BATCH, claims.c.until == sa.bindparam("before"))
    .values(until=sa.bindparam("now_until"))
)
_DROP = sa.delete(claims).where(_BATCH, claims.c.key.in_(sa.bindparam("keys", expanding=True)))
_SETTLE = sa.delete(claims).where(_MODEL, claims.c.key.in_(sa.bindparam("keys", expanding=True)))


class ClaimTable(StoreTable):
    """The ``Claims`` of a store."""

    @writes(alone="nobody")
    def take(self, db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str], until: float) -> Claim:
        """Claim those of the keys that nobody else has claimed, in their order."""
        claim = Claim(uuid4().hex, tuple(dict.fromkeys(keys)), until)
        belongs = {**key(claims, scope), "space": space.name, "version": space.version}
        rest = {"batch": claim.batch, "until": claim.until}
        rows = [{**belongs, **rest, "key": text, "position": n} for n, text in enumerate(claim.keys)]
        # In the order of their keys, so that two who claim the same never wait for each other.
        for part in chunks(sorted(rows, key=lambda row: str(row["key"]))):
            db.execute(missing(db, claims), part)
        ours = sa.select(claims.c.key).where(_BATCH)
        got = set(db.execute(ours, whose(scope, of_batch=claim.batch)).scalars())
        return Claim(claim.batch, tuple(text for text in claim.keys if text in got), until)

    @reads
    def taken(self, db: sa.Connection, scope: Scope, space: Space) -> Sequence[Claim]:
        """All claims of the tenant."""
        batches: dict[tuple[str, float], list[str]] = defaultdict(list)
        for row in db.execute(_TAKEN, whose(scope, of_space=space.name, of_version=space.version)).mappings():
            batches[row["batch"], row["until"]].append(row["key"])
        return [Claim(batch, tuple(keys), until) for (batch, until), keys in batches.items()]

    @writes(alone="nobody")
    def renew(self, db: sa.Connection, scope: Scope, claim: Claim, until: float) -> bool:
        """Prolong a claim; whether it was still as it is given."""
        facts = {"of_batch": claim.batch, "before": claim.until, "now_until": until}
        return db.execute(_RENEW, whose(scope, **facts)).rowcount > 0

    @writes(alone="nobody")
    def drop(self, db: sa.Connection, scope: Scope, claim: Claim) -> None:
        """Leave the texts that it names to whoever wants them."""
        for part in chunks(claim.keys):
            db.execute(_DROP, whose(scope, of_batch=claim.batch, keys=part))


def settle(db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str]) -> None:
    """The claims to these keys are over."""
    for part in chunks(keys):
        db.execute(_SETTLE, whose(scope, keys=part, of_space=space.name, of_version=space.version))
