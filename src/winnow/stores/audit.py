"""The audit log in the store: a chain for each home, to which entries are only added."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from winnow.errors import Phrase, StoreError
from winnow.stores.archive import Archive, ArchiveError
from winnow.stores.chain import Look, chained, digest, head_after, json_of, root
from winnow.stores.database import Database
from winnow.stores.dialect import upsert
from winnow.stores.given import check_length
from winnow.stores.schema import audit, chains, of_home, of_tenant, whose
from winnow.types.audit import AuditEntry, ChainHead, Record, Verified
from winnow.types.scope import Scope

PAGE = 2000
"""Entries read at a time."""
_AFTER = (
    sa.select(audit)
    .where(of_home(audit), audit.c.number > sa.bindparam("after"))
    .order_by(audit.c.number)
    .limit(sa.bindparam("most"))
)
_LAST = sa.select(audit).where(of_home(audit)).order_by(audit.c.number.desc()).limit(sa.bindparam("most"))
_OF_ACT = (
    sa.select(audit).where(of_home(audit), audit.c.act == sa.bindparam("of_act")).order_by(audit.c.number)
)
_HEAD = sa.select(chains).where(of_home(chains))
_HEADS = sa.select(chains).where(of_tenant(chains))
_HOMES = sa.select(audit.c.home_id).where(of_tenant(audit)).distinct()
_ARCHIVED = sa.delete(audit).where(of_home(audit), audit.c.number < sa.bindparam("first"))
_FORGET, _FORGET_HEAD = sa.delete(audit).where(of_home(audit)), sa.delete(chains).where(of_home(chains))


@dataclass(frozen=True, slots=True)
class Ledger:
    """How audit logs are kept."""

    key: bytes = field(default=b"", repr=False)
    """What entries are sealed with; empty: they hang on each other, and anybody could write others."""
    keep: int = 0
    """Entries of a home from which on the older half is archived by itself; 0: never."""
    folder: Path | None = None
    """Where archives are."""

    def archive(self, head: ChainHead) -> Archive:
        """The archives of that chain. Raises StoreError."""
        if self.folder is None:
            raise StoreError(
                "This store has no folder for archives of the audit log.",
                hint="Open it by the settings: winnow audit rotate.",
            )
        return Archive(self.folder, head.name)


class AuditTable:
    """The ``Audit`` of a store."""

    def __init__(self, db: Database, ledger: Ledger) -> None:
        self._db, self._ledger = db, ledger

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:
        """Add these, all or none; the last entry. Raises StoreError, ValueError without any."""
        if not records:
            raise ValueError("nothing to append")
        check_length((scope.tenant, scope.home, *(record.act for record in records)))
        last, kept = await self._db.writing(_append, scope, records, self._ledger, alone="home")
        if 0 < self._ledger.keep < kept and records[-1].kind == "ended":
            await self._rotated(scope)
        return last

    async def entries(self, scope: Scope, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order, those of archives too as far as their files can be read."""
        return await self._db.reading(_entries, scope, self._ledger, after, limit)

    async def last(self, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first, as far as they are not archived."""
        return (await self._db.asking(_last, scope, limit))[::-1]

    async def of_act(self, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
        """The entries of one act that are not archived, in order."""
        return await self._db.asking(_of_act, scope, act)

    async def verified(self, scope: Scope, expected: str = "") -> Verified:
        """Whether the chain holds, from first to last."""
        return await self._db.reading(_verified, scope, self._ledger, expected)

    async def heads(self, scope: Scope) -> tuple[ChainHead, ...]:
        """Where each chain of the tenant ends, by home; of one whose head is gone only the home."""
        return await self._db.reading(_heads, scope)

    async def rotate(self, scope: Scope, keep: int) -> int:
        """Archive all but the latest ``keep`` entries; how many those are."""
        return await self._db.writing(_rotate, scope, self._ledger, keep, alone="home")

    async def forget(self, scope: Scope) -> int:
        """Delete the chain with its archives; how many entries it had."""
        return await self._db.writing(_forget, scope, self._ledger, alone="home")

    async def _rotated(self, scope: Scope) -> None:
        """Archive the older half. What was done is done: that it could not be archived is no error of it."""
        try:
            await self.rotate(scope, self._ledger.keep // 2)
        except StoreError as error:
            warnings.warn(error.message, stacklevel=1)


def _append(
    db: sa.Connection, scope: Scope, records: Sequence[Record], ledger: Ledger
) -> tuple[AuditEntry, int]:
    before = _head(db, scope)
    if before is None:
        _expect_none(db, scope)
    number, after = (before.number, before.hash) if before else (0, root(scope))
    entries = chained(records, number, after, ledger.key)
    db.execute(sa.insert(audit), [_row(scope, entry) for entry in entries])
    head = head_after(entries, before, scope)
    _write_head(db, scope, head, ledger.key)
    return entries[-1], head.kept


def _expect_none(db: sa.Connection, scope: Scope) -> None:
    """Raises StoreError where there are entries without a head: nothing can be hung on them."""
    if db.execute(_LAST, whose(scope, most=1)).first():
        raise StoreError(
            Phrase("The audit log of {home} was tampered with: its head is gone.", home=scope.home),
            hint="Look at it: winnow audit verify. Begin a new one: winnow home delete ID --with-audit.",
        )


def _entries(
    db: sa.Connection, scope: Scope, ledger: Ledger, after: int, limit: int
) -> tuple[AuditEntry, ...]:
    head, found = _head(db, scope), list[AuditEntry]()
    if head and after < head.first - 1:
        for entry in ledger.archive(head).read(head.first, after, skip_damaged=True):
            if len(found) == limit:
                return tuple(found)
            found.append(entry)
    rows = db.execute(_AFTER, whose(scope, after=after, most=limit - len(found))).mappings()
    return (*found, *(_entry(row) for row in rows))


def _last(db: sa.Connection, scope: Scope, limit: int) -> tuple[AuditEntry, ...]:
    return tuple(_entry(row) for row in db.execute(_LAST, whose(scope, most=limit)).mappings())


def _of_act(db: sa.Connection, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
    return tuple(_entry(row) for row in db.execute(_OF_ACT, whose(scope, of_act=act)).mappings())


def _verified(db: sa.Connection, scope: Scope, ledger: Ledger, expected: str) -> Verified:
    row = db.execute(_HEAD, whose(scope)).mappings().first()
    head, look = _head_of(row) if row else None, Look(scope, ledger.key, expected)
    if head and head.first > 1:
        _look_aside(look, ledger, head)
    after = 0
    while rows := db.execute(_AFTER, whose(scope, after=after, most=PAGE)).mappings().all():
        look.see(_entry(each) for each in rows)
        after = rows[-1]["number"]
    if row and head and row["seal"] not in (_seal(scope, head, key) for key in (ledger.key, b"")):
        look.note("head", head.number, head.number)
    return look.over(head)


def _look_aside(look: Look, ledger: Ledger, head: ChainHead) -> None:
    """Look at the archived ones; where a file is not here or damaged, the rest is looked at from there on."""
    try:
        look.see(ledger.archive(head).read(head.first))
    except (ArchiveError, StoreError):
        look.skipped(head)
        return
    if look.number < head.first - 1:
        look.skipped(head)


def _heads(db: sa.Connection, scope: Scope) -> tuple[ChainHead, ...]:
    heads = {head.home: head for head in map(_head_of, db.execute(_HEADS, whose(scope)).mappings())}
    for home in db.execute(_HOMES, whose(scope)).scalars():
        heads.setdefault(home, ChainHead(home, "", 1, "", 0, ""))
    return tuple(head for _, head in sorted(heads.items()))


def _rotate(db: sa.Connection, scope: Scope, ledger: Ledger, keep: int) -> int:
    """Written aside first, deleted then: whenever this ends, each entry is somewhere."""
    head = _head(db, scope)
    many = head.kept - max(0, keep) if head else 0
    if head is None or many <= 0:
        return 0
    entries = [_entry(row) for row in _rows(db, scope, head.first - 1, many)]
    if not entries:
        return 0
    last = entries[-1]
    ledger.archive(head).write(entries)
    db.execute(_ARCHIVED, whose(scope, first=last.number + 1))
    _write_head(db, scope, replace(head, first=last.number + 1, after=last.hash), ledger.key)
    return len(entries)


def _rows(db: sa.Connection, scope: Scope, after: int, many: int) -> Iterable[sa.RowMapping]:
    return db.execute(_AFTER, whose(scope, after=after, most=many)).mappings()


def _forget(db: sa.Connection, scope: Scope, ledger: Ledger) -> int:
    head = _head(db, scope)
    db.execute(_FORGET, whose(scope))
    db.execute(_FORGET_HEAD, whose(scope))
    if head and head.first > 1:
        ledger.archive(head).forget()
    return head.number if head else 0


def _head(db: sa.Connection, scope: Scope) -> ChainHead | None:
    row = db.execute(_HEAD, whose(scope)).mappings().first()
    return _head_of(row) if row else None


def _head_of(row: sa.RowMapping) -> ChainHead:
    told = {name: row[name] for name in ("name", "first", "after", "number", "hash")}
    return ChainHead(row["home_id"], **told)


def _write_head(db: sa.Connection, scope: Scope, head: ChainHead, key: bytes) -> None:
    told: dict[str, Any] = asdict(head) | {"tenant": scope.tenant, "home_id": scope.home}
    del told["home"]
    db.execute(upsert(db, chains), {**told, "seal": _seal(scope, head, key)})


def _seal(scope: Scope, head: ChainHead, key: bytes) -> str:
    return digest([scope.tenant, *asdict(head).values()], key)


def _row(scope: Scope, entry: AuditEntry) -> dict[str, object]:
    record = entry.record
    told = {name: getattr(record, name) for name in ("at", "user", "kind", "act")}
    belongs = {"tenant": scope.tenant, "home_id": scope.home, "number": entry.number}
    return {
        **belongs,
        **told,
        "body": json_of(record.body),
        "previous": entry.previous,
        "hash": entry.hash,
    }


def _entry(row: sa.RowMapping) -> AuditEntry:
    """The entry of a row; of a body that is no JSON any more, something that fits no hash."""
    try:
        body = json.loads(row["body"])
    except ValueError:
        body = None
    told = body if isinstance(body, dict) else {"unreadable": row["body"]}
    record = Record(row["at"], row["user"], row["kind"], row["act"], told)
    return AuditEntry(row["number"], record, row["previous"], row["hash"])
