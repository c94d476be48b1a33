"""What is being embedded at this moment, so that no two processes have the same text embedded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import uuid4

import sqlalchemy as sa

from winnow.stores.chunks import chunks
from winnow.stores.database import Database
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


class ClaimTable:
    """The ``Claims`` of a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def take(self, scope: Scope, space: Space, keys: Sequence[str], until: float) -> Claim:
        """Claim those of the keys that nobody else has claimed, in their order."""
        claim = Claim(uuid4().hex, tuple(dict.fromkeys(keys)), until)
        got = await self._db.writing(_take, scope, space, claim, alone="nobody")
        return Claim(claim.batch, tuple(text for text in claim.keys if text in got), until)

    async def taken(self, scope: Scope, space: Space) -> Sequence[Claim]:
        """All claims of the tenant."""
        return await self._db.reading(_taken, scope, space)

    async def renew(self, scope: Scope, claim: Claim, until: float) -> bool:
        """Prolong a claim; whether it was still as it is given."""
        return await self._db.writing(_renew, scope, claim, until, alone="nobody")

    async def drop(self, scope: Scope, claim: Claim) -> None:
        """Leave the texts that it names to whoever wants them."""
        await self._db.writing(_drop, scope, claim, alone="nobody")


def settle(db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str]) -> None:
    """The claims to these keys are over."""
    for part in chunks(keys):
        db.execute(_SETTLE, whose(scope, keys=part, **_model(space)))


def _model(space: Space) -> dict[str, object]:
    return {"of_space": space.name, "of_version": space.version}


def _take(db: sa.Connection, scope: Scope, space: Space, claim: Claim) -> set[str]:
    belongs = {**key(claims, scope), "space": space.name, "version": space.version}
    rest = {"batch": claim.batch, "until": claim.until}
    rows = [{**belongs, **rest, "key": text, "position": n} for n, text in enumerate(claim.keys)]
    for part in chunks(sorted(rows, key=lambda row: str(row["key"]))):
        db.execute(missing(db, claims), part)
    of = sa.select(claims.c.key).where(_BATCH)
    return set(db.execute(of, whose(scope, of_batch=claim.batch)).scalars())


def _renew(db: sa.Connection, scope: Scope, claim: Claim, until: float) -> bool:
    facts = {"of_batch": claim.batch, "before": claim.until, "now_until": until}
    return db.execute(_RENEW, whose(scope, **facts)).rowcount > 0


def _drop(db: sa.Connection, scope: Scope, claim: Claim) -> None:
    for part in chunks(claim.keys):
        db.execute(_DROP, whose(scope, of_batch=claim.batch, keys=part))


def _taken(db: sa.Connection, scope: Scope, space: Space) -> list[Claim]:
    batches: dict[tuple[str, float], list[str]] = defaultdict(list)
    for row in db.execute(_TAKEN, whose(scope, **_model(space))).mappings():
        batches[row["batch"], row["until"]].append(row["key"])
    return [Claim(batch, tuple(keys), until) for (batch, until), keys in batches.items()]
