"""The audit log in the store: a chain for each home, to which entries are only added."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.audit_chain import (
    ArchiveError,
    AuditArchive,
    ChainVerifier,
    canonical_json,
    chain_entries,
    chain_root,
    json_digest,
    next_head,
)
from winnow.adapters.stores.database import Database, StoreTable, asks, reads, writes
from winnow.adapters.stores.schema import audit, chains, of_home, of_tenant, scope_parameters, upsert_into
from winnow.adapters.stores.validation import check_length
from winnow.errors import Phrase, StoreError
from winnow.ports.stores import Clock
from winnow.types.receipt import AuditEntry, ChainHead, ChainVerification, Record
from winnow.types.scope import Scope

PAGE_ENTRIES = 2000
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
class AuditSettings:
    """How audit logs are kept."""

    key: bytes = field(default=b"", repr=False)
    """What entries are sealed with; empty: they hang on each other, and anybody could write others."""
    max_entries: int = 0
    """Entries of a home from which on the older half is archived by itself; 0: never."""
    folder: Path | None = None
    """Where archives are."""

    def archive(self, head: ChainHead) -> AuditArchive:
        """The archives of that chain. Raises StoreError."""
        if self.folder is None:
            raise StoreError(
                "This store has no folder for archives of the audit log.",
                hint="Open it by the settings: winnow audit rotate.",
            )
        return AuditArchive(self.folder, head.name)


class AuditTable(StoreTable):
    """The ``Audit`` of a store."""

    def __init__(self, db: Database, clock: Clock, ledger: AuditSettings) -> None:
        super().__init__(db, clock)
        self._ledger = ledger

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:
        """Add these, all or none; the last entry. Raises StoreError, ValueError without any."""
        if not records:
            raise ValueError("nothing to append")
        check_length((scope.tenant, scope.home, *(record.act for record in records)))
        last, kept = await self._append(scope, records)
        if 0 < self._ledger.max_entries < kept and records[-1].kind == "ended":
            try:
                await self.rotate(scope, self._ledger.max_entries // 2)
            except StoreError as error:
                # What was done is done: that the older half could not be archived is no error of it.
                warnings.warn(error.message, stacklevel=1)
        return last

    @writes(alone="home")
    def _append(self, db: sa.Connection, scope: Scope, records: Sequence[Record]) -> tuple[AuditEntry, int]:
        """The last entry, and how many the chain has that are not archived."""
        before = _head(db, scope)
        if before is None and db.execute(_LAST, scope_parameters(scope, most=1)).first():
            raise StoreError(
                Phrase("The audit log of {home} was tampered with: its head is gone.", home=scope.home),
                hint="Look at it: winnow audit verify. Begin a new one: winnow home delete ID --with-audit.",
            )
        number, after = (before.number, before.hash) if before else (0, chain_root(scope))
        entries = chain_entries(records, number, after, self._ledger.key)
        belongs = {"tenant": scope.tenant, "home_id": scope.home}
        rows = [
            {
                **belongs,
                "number": entry.number,
                **{name: getattr(entry.record, name) for name in ("at", "user", "kind", "act")},
                "body": canonical_json(entry.record.body),
                "previous": entry.previous,
                "hash": entry.hash,
            }
            for entry in entries
        ]
        db.execute(sa.insert(audit), rows)
        head = next_head(entries, before, scope)
        self._write_head(db, scope, head)
        return entries[-1], head.entry_count

    @reads
    def entries(
        self, db: sa.Connection, scope: Scope, after: int = 0, limit: int = 100
    ) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order, those of archives too as far as their files can be read."""
        head, found = _head(db, scope), list[AuditEntry]()
        if head and after < head.first - 1:
            archived = self._ledger.archive(head).read(head.first, after, skip_damaged=True)
            found = list(islice(archived, limit))
        rows = db.execute(_AFTER, scope_parameters(scope, after=after, most=limit - len(found))).mappings()
        return (*found, *map(_entry, rows))

    @asks
    def last(self, db: sa.Connection, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first, as far as they are not archived."""
        return tuple(map(_entry, db.execute(_LAST, scope_parameters(scope, most=limit)).mappings()))[::-1]

    @asks
    def of_act(self, db: sa.Connection, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
        """The entries of one act that are not archived, in order."""
        return tuple(map(_entry, db.execute(_OF_ACT, scope_parameters(scope, of_act=act)).mappings()))

    @reads
    def verification(self, db: sa.Connection, scope: Scope, expected: str = "") -> ChainVerification:
        """Whether the chain holds, from first to last."""
        row = db.execute(_HEAD, scope_parameters(scope)).mappings().first()
        head, look = _head_of(row) if row else None, ChainVerifier(scope, self._ledger.key, expected)
        if head and head.first > 1:
            self._look_aside(look, head)
        after = 0
        while (
            rows := db.execute(_AFTER, scope_parameters(scope, after=after, most=PAGE_ENTRIES))
            .mappings()
            .all()
        ):
            look.check_entries(map(_entry, rows))
            after = rows[-1]["number"]
        if row and head and row["seal"] not in (_seal(scope, head, key) for key in (self._ledger.key, b"")):
            look.note("head", head.number, head.number)
        return look.result(head)

    def _look_aside(self, look: ChainVerifier, head: ChainHead) -> None:
        """Look at the archived ones; from a file on that is not here or damaged, at those that are not."""
        try:
            look.check_entries(self._ledger.archive(head).read(head.first))
        except (ArchiveError, StoreError):
            look.skip_archived(head)
        else:
            if look.number < head.first - 1:
                look.skip_archived(head)

    @reads
    def heads(self, db: sa.Connection, scope: Scope) -> tuple[ChainHead, ...]:
        """Where each chain of the tenant ends, by home; of one whose head is gone only the home."""
        heads = {
            head.home: head for head in map(_head_of, db.execute(_HEADS, scope_parameters(scope)).mappings())
        }
        for home in db.execute(_HOMES, scope_parameters(scope)).scalars():
            heads.setdefault(home, ChainHead(home, "", 1, "", 0, ""))
        return tuple(head for _, head in sorted(heads.items()))

    @writes(alone="home")
    def rotate(self, db: sa.Connection, scope: Scope, keep: int) -> int:
        """Archive all but the latest ``keep`` entries; how many those are."""
        head = _head(db, scope)
        many = head.entry_count - max(0, keep) if head else 0
        if head is None or many <= 0:
            return 0
        rows = db.execute(_AFTER, scope_parameters(scope, after=head.first - 1, most=many)).mappings()
        entries = [_entry(row) for row in rows]
        if not entries:
            return 0
        last = entries[-1]
        # Written aside first, deleted then: whenever this ends, each entry is somewhere.
        self._ledger.archive(head).write(entries)
        db.execute(_ARCHIVED, scope_parameters(scope, first=last.number + 1))
        self._write_head(db, scope, replace(head, first=last.number + 1, after=last.hash))
        return len(entries)

    @writes(alone="home")
    def forget(self, db: sa.Connection, scope: Scope) -> int:
        """Delete the chain with its archives; how many entries it had."""
        head = _head(db, scope)
        db.execute(_FORGET, scope_parameters(scope))
        db.execute(_FORGET_HEAD, scope_parameters(scope))
        if head and head.first > 1:
            self._ledger.archive(head).forget()
        return head.number if head else 0

    def _write_head(self, db: sa.Connection, scope: Scope, head: ChainHead) -> None:
        row: dict[str, Any] = asdict(head) | {"tenant": scope.tenant, "home_id": scope.home}
        del row["home"]
        db.execute(upsert_into(db, chains), {**row, "seal": _seal(scope, head, self._ledger.key)})


def _head(db: sa.Connection, scope: Scope) -> ChainHead | None:
    row = db.execute(_HEAD, scope_parameters(scope)).mappings().first()
    return _head_of(row) if row else None


def _head_of(row: sa.RowMapping) -> ChainHead:
    fields = {name: row[name] for name in ("name", "first", "after", "number", "hash")}
    return ChainHead(row["home_id"], **fields)


def _seal(scope: Scope, head: ChainHead, key: bytes) -> str:
    return json_digest([scope.tenant, *asdict(head).values()], key)


def _entry(row: sa.RowMapping) -> AuditEntry:
    """The entry of a row; of a body that is no JSON any more, something that fits no hash."""
    try:
        body = json.loads(row["body"])
    except ValueError:
        body = None
    stored = body if isinstance(body, dict) else {"unreadable": row["body"]}
    record = Record(row["at"], row["user"], row["kind"], row["act"], stored)
    return AuditEntry(row["number"], record, row["previous"], row["hash"])
