"""Vectors of texts in the store, and claims: which texts are being embedded at this moment."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

import sqlalchemy as sa

from winnow.adapters.stores.database import StoreTable, checked_vector, reads, writes
from winnow.adapters.stores.schema import (
    claims,
    insert_missing,
    of_tenant,
    removals,
    row_chunks,
    scope_columns,
    scope_parameters,
    spaces,
    upsert_into,
    vectors,
)
from winnow.types.scope import Scope, person_key
from winnow.types.vector import TALLY_FIELDS, Claim, Space, Tally

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

# What is being embedded at this moment, so that no two processes have the same text embedded.

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
        belongs = {**scope_columns(claims, scope), "space": space.name, "version": space.version}
        rest = {"batch": claim.batch, "until": claim.until}
        rows = [{**belongs, **rest, "key": text, "position": n} for n, text in enumerate(claim.keys)]
        # In the order of their keys, so that two who claim the same never wait for each other.
        for part in row_chunks(sorted(rows, key=lambda row: str(row["key"]))):
            db.execute(insert_missing(db, claims), part)
        ours = sa.select(claims.c.key).where(_BATCH)
        got = set(db.execute(ours, scope_parameters(scope, of_batch=claim.batch)).scalars())
        return Claim(claim.batch, tuple(text for text in claim.keys if text in got), until)

    @reads
    def active_claims(self, db: sa.Connection, scope: Scope, space: Space) -> Sequence[Claim]:
        """All claims of the tenant."""
        batches: dict[tuple[str, float], list[str]] = defaultdict(list)
        for row in db.execute(
            _TAKEN, scope_parameters(scope, of_space=space.name, of_version=space.version)
        ).mappings():
            batches[row["batch"], row["until"]].append(row["key"])
        return [Claim(batch, tuple(keys), until) for (batch, until), keys in batches.items()]

    @writes(alone="nobody")
    def renew(self, db: sa.Connection, scope: Scope, claim: Claim, until: float) -> bool:
        """Prolong a claim; whether it was still as it is given."""
        facts = {"of_batch": claim.batch, "before": claim.until, "now_until": until}
        return db.execute(_RENEW, scope_parameters(scope, **facts)).rowcount > 0

    @writes(alone="nobody")
    def drop(self, db: sa.Connection, scope: Scope, claim: Claim) -> None:
        """Leave the texts that it names to whoever wants them."""
        for part in row_chunks(claim.keys):
            db.execute(_DROP, scope_parameters(scope, of_batch=claim.batch, keys=part))


def settle(db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str]) -> None:
    """The claims to these keys are over."""
    for part in row_chunks(keys):
        db.execute(_SETTLE, scope_parameters(scope, keys=part, of_space=space.name, of_version=space.version))


_THESE = of_tenant(vectors) & vectors.c.key.in_(sa.bindparam("keys", expanding=True))
_SPACE = sa.and_(*(vectors.c[name] == sa.bindparam(name) for name in ("space", "version", "dimension")))
_GET = sa.select(vectors.c.key, vectors.c.vector, vectors.c.checksum).where(_THESE, _SPACE)
_HELD = sa.select(vectors.c.key).where(_THESE, _SPACE)
_SIZE = sa.select(sa.func.count()).select_from(vectors).where(of_tenant(vectors), _SPACE)
_AFTER = vectors.c.key > sa.bindparam("last")
_PAGE = (
    sa.select(vectors.c.key)
    .where(of_tenant(vectors), _SPACE, _AFTER)
    .order_by(vectors.c.key)
    .limit(sa.bindparam("size"))
)
_FORGET, _FORGET_ALL = sa.delete(vectors).where(_THESE), sa.delete(vectors).where(of_tenant(vectors))
_NO_SPACES = sa.delete(spaces).where(of_tenant(spaces))
_SPACES = sa.select(spaces).where(of_tenant(spaces))
_THE_SPACE = sa.and_(
    of_tenant(spaces), *(spaces.c[n] == sa.bindparam(f"of_{n}") for n in ("space", "version", "dimension"))
)
_TELL = (
    sa.update(spaces)
    .where(_THE_SPACE)
    .values({name: spaces.c[name] + sa.bindparam(f"more_{name}") for name in TALLY_FIELDS})
)


FORGOTTEN_SECONDS = 3600.0
"""Seconds for which no vector of a forgotten person is kept: who does not know yet may be making it."""
_FORGOTTEN = (
    sa.select(removals.c.number)
    .where(of_tenant(removals), removals.c.person == sa.bindparam("of_person"))
    .where(removals.c.at > sa.bindparam("since"))
    .limit(1)
)


class VectorTable(StoreTable):
    """The ``Vectors`` of a store."""

    @reads
    def get(
        self, db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str]
    ) -> Mapping[str, Floats | None]:
        """Those that are there; None for a row that does not fit its checksum."""
        import numpy as np

        found: dict[str, Floats | None] = {}
        for part in row_chunks(dict.fromkeys(keys)):
            for text, data, checksum in db.execute(
                _GET, scope_parameters(scope, keys=part, **_columns(space))
            ):
                whole = len(data) == 4 * space.dimension and _checksum(text, data) == checksum
                found[text] = np.frombuffer(data, "<f4") if whole else None
        return found

    @reads
    def stored_keys(
        self, db: sa.Connection, scope: Scope, space: Space, keys: Sequence[str]
    ) -> Collection[str]:
        """Which of the keys are there."""
        found: set[str] = set()
        for part in row_chunks(dict.fromkeys(keys)):
            found.update(db.execute(_HELD, scope_parameters(scope, keys=part, **_columns(space))).scalars())
        return found

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Keep these, in the place of those of the same keys. ValueError: not of the space's dimension."""
        rows = {text: checked_vector(space, vector).tobytes() for text, vector in sorted(vectors.items())}
        if rows:
            await self._put(scope, space, rows)

    @writes(alone="nobody")
    def _put(self, db: sa.Connection, scope: Scope, space: Space, rows: Mapping[str, bytes]) -> None:
        """In the order of their keys, so that two writers never wait for each other. Claims to them are over.

        A person's own vectors are not kept right after the person was forgotten.
        """
        now, person = self._clock.now(), person_key(scope.tenant, scope.user)
        if scope.user and db.scalar(
            _FORGOTTEN, scope_parameters(scope, of_person=person, since=now - FORGOTTEN_SECONDS)
        ):
            return
        insert = upsert_into(db, vectors)
        belongs = {**scope_columns(vectors, scope), "made_at": now, **_columns(space)}
        for part in row_chunks(rows):
            made = [{**belongs, "key": k, "vector": rows[k], "checksum": _checksum(k, rows[k])} for k in part]
            db.execute(insert, made)
        db.execute(insert_missing(db, spaces), {**scope_columns(spaces, scope), **_columns(space)})
        settle(db, scope, space, list(rows))

    @writes(alone="nobody")
    def forget(self, db: sa.Connection, scope: Scope, keys: Collection[str] | None = None) -> int:
        """Delete these vectors of the tenant in every space, or all and their spaces; how many there were."""
        if keys is None:
            db.execute(_NO_SPACES, scope_parameters(scope))
            return db.execute(_FORGET_ALL, scope_parameters(scope)).rowcount
        parts = row_chunks(dict.fromkeys(keys))
        return sum(db.execute(_FORGET, scope_parameters(scope, keys=part)).rowcount for part in parts)

    @reads
    def spaces(self, db: sa.Connection, scope: Scope) -> Mapping[Space, Tally]:
        """Each space the tenant has vectors of, and what was counted of it."""
        return {
            Space(row["space"], row["version"], row["dimension"]): Tally(**{n: row[n] for n in TALLY_FIELDS})
            for row in db.execute(_SPACES, scope_parameters(scope)).mappings()
        }

    @writes(alone="nobody")
    def tell(self, db: sa.Connection, scope: Scope, space: Space, tally: Tally) -> bool:
        """Add to what is counted of a space; False: the tenant has no vectors of it."""
        more = {f"more_{name}": getattr(tally, name) for name in TALLY_FIELDS}
        of = {f"of_{name}": value for name, value in _columns(space).items()}
        return db.execute(_TELL, scope_parameters(scope, **of, **more)).rowcount > 0

    @reads
    def size(self, db: sa.Connection, scope: Scope, space: Space) -> int:
        """How many vectors of the space the tenant has."""
        return db.scalar(_SIZE, scope_parameters(scope, **_columns(space))) or 0

    async def keys(self, scope: Scope, space: Space, size: int = 10_000) -> AsyncIterator[Sequence[str]]:
        """Every key of a space, at most ``size`` at a time, each page a moment of its own."""
        last = ""
        while page := await self._page(scope, space, last, size):
            yield page
            last = page[-1]

    @reads
    def _page(self, db: sa.Connection, scope: Scope, space: Space, last: str, size: int) -> list[str]:
        return list(
            db.execute(_PAGE, scope_parameters(scope, last=last, size=size, **_columns(space))).scalars()
        )


def _columns(space: Space) -> dict[str, object]:
    return {"space": space.name, "version": space.version, "dimension": space.dimension}


def _checksum(text: str, data: bytes) -> int:
    """Also of the key, so that one text's vector is not taken for another's."""
    return zlib.crc32(data, zlib.crc32(text.encode("utf-8", "surrogatepass")))
