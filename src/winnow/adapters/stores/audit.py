"""The audit log in the store: a chain for each home, to which entries are only added."""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import os
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.database import Database, StoreTable, asks, check_length, reads, writes
from winnow.adapters.stores.schema import audit, chains, of_home, of_tenant, scope_parameters, upsert_into
from winnow.errors import Phrase, StoreError
from winnow.ports.stores import Clock
from winnow.types.receipt import (
    AuditEntry,
    ChainHead,
    ChainVerification,
    Flaw,
    FlawKind,
    Record,
    UnfinishedAct,
    recorded_calls,
)
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


# The hash chain of an audit log, where each entry holds the hash of the one before, and its archives.

NAME_CHARS = 16
"""Characters of the hash of its first entry that a chain is called by."""


def chain_root(scope: Scope) -> str:
    """What the first entry of the scope's home hangs on: the chain of one home fits no other."""
    return json_digest(["winnow", scope.tenant, scope.home])


def json_digest(told: object, key: bytes = b"") -> str:
    """SHA-256 of a JSON value, as hex; with a key HMAC, which nobody else can make."""
    data = canonical_json(told).encode("utf-8", "surrogatepass")
    return hmac.new(key, data, "sha256").hexdigest() if key else hashlib.sha256(data).hexdigest()


def canonical_json(told: object) -> str:
    """The one text of a JSON value."""
    return json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def stored_record(record: Record) -> Record:
    """The record as it comes back: its body of JSON values alone."""
    return replace(record, at=float(record.at), body={str(k): _plain_json(v) for k, v in record.body.items()})


def _plain_json(value: object) -> object:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(k): _plain_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain_json(v) for v in value]
    return str(value)


def chain_entry(record: Record, number: int, previous: str, key: bytes = b"") -> AuditEntry:
    """The record as the entry of that number after the one of that hash; ``key`` makes it unforgeable."""
    told = [number, previous, record.at, record.user, record.kind, record.act, record.body]
    return AuditEntry(number, record, previous, json_digest(told, key))


def chain_entries(
    records: Sequence[Record], number: int, after: str, key: bytes = b""
) -> tuple[AuditEntry, ...]:
    """The entries of these records behind the one of that number and hash."""
    entries = list[AuditEntry]()
    for record in records:
        number += 1
        entries.append(chain_entry(stored_record(record), number, after, key))
        after = entries[-1].hash
    return tuple(entries)


def next_head(entries: Sequence[AuditEntry], before: ChainHead | None, scope: Scope) -> ChainHead:
    """The head of the chain once these are added."""
    last = entries[-1]
    if before is None:
        return ChainHead(
            scope.home, entries[0].hash[:NAME_CHARS], 1, entries[0].previous, last.number, last.hash
        )
    return replace(before, number=last.number, hash=last.hash)


def entry_line(entry: AuditEntry) -> str:
    """An entry as one line of JSON."""
    record = entry.record
    told = {name: getattr(record, name) for name in ("at", "user", "kind", "act", "body")}
    return canonical_json({"number": entry.number, **told, "previous": entry.previous, "hash": entry.hash})


def entry_of(told: Mapping[str, Any]) -> AuditEntry:
    """The entry of such a line. Raises KeyError."""
    record = Record(*(told[name] for name in ("at", "user", "kind", "act", "body")))
    return AuditEntry(told["number"], record, told["previous"], told["hash"])


class ChainVerifier:
    """A look through a chain, entry by entry in the order of their numbers."""

    def __init__(self, scope: Scope, key: bytes = b"", expected: str = "") -> None:
        self._key, self._expected = key, expected
        self.number = 0
        """Of the entry that was looked at last."""
        self._count, self._hash = 0, chain_root(scope)
        self._sealed, self._met = False, not expected
        self._flaws = list[Flaw]()
        self._open: dict[str, UnfinishedAct] = {}

    def check_entries(self, entries: Iterable[AuditEntry]) -> None:
        """Look at the next ones."""
        for entry in entries:
            self._count += 1
            if entry.number > self.number + 1:
                self.note("missing", self.number + 1, entry.number - 1)
            elif entry.number != self.number + 1 or entry.previous != self._hash:
                self.note("loose", entry.number, entry.number)
            if _is_hash_valid(entry, self._key):
                self._sealed = bool(self._key)
            # Entries of the time before there was a key are fine: those behind them seal them.
            elif not (self._key and _is_hash_valid(entry, b"")):
                self.note("altered", entry.number, entry.number)
            elif self._sealed:
                self.note("unsealed", entry.number, entry.number)
            self.number, self._hash = entry.number, entry.hash
            self._met = self._met or entry.hash == self._expected
            self._track_open_acts(entry.record)

    def note(self, kind: FlawKind, first: int, last: int) -> None:
        """What is wrong; the same of neighbours is told as one."""
        before = self._flaws[-1] if self._flaws else None
        if before and before.kind == kind and before.last == first - 1:
            self._flaws[-1] = replace(before, last=last)
        elif before != Flaw(kind, first, last):
            self._flaws.append(Flaw(kind, first, last))

    def skip_archived(self, head: ChainHead) -> None:
        """What is archived cannot be read: the rest is looked at from there on."""
        self.note("archive", self.number + 1, head.first - 1)
        self.continue_at(head)

    def continue_at(self, head: ChainHead) -> None:
        """Look at what is not archived alone."""
        self.number, self._hash = head.first - 1, head.after

    def result(self, head: ChainHead | None) -> ChainVerification:
        """What it comes to, beside the head that was kept."""
        if head and head.number > self.number:
            self.note("cut", self.number + 1, head.number)
        elif self._count and not (head and (head.number, head.hash) == (self.number, self._hash)):
            self.note("head", self.number, self.number)
        if self._key and self._count and not self._sealed:
            self.note("unsealed", 1, self.number)
        if not self._met:
            self.note("expected", 0, 0)
        return ChainVerification(self._count, self._hash, tuple(self._flaws), tuple(self._open.values()))

    def _track_open_acts(self, record: Record) -> None:
        """Which calls were begun and have not ended: what became of them is unknown."""
        if record.kind == "begun":
            calls = tuple(recorded_calls(record.body))
            self._open[record.act] = UnfinishedAct(record.act, record.at, record.user, calls)
        elif record.kind == "ended":
            self._open.pop(record.act, None)
        elif record.kind == "outcome" and record.act in self._open:
            left = list(self._open[record.act].calls)
            for done in recorded_calls(record.body):
                key = done.device_id, done.command_id
                same = (call for call in left if (call.device_id, call.command_id) == key)
                if (found := next(same, None)) is not None:
                    left.remove(found)
            self._open[record.act] = replace(self._open[record.act], calls=tuple(left))


def _is_hash_valid(entry: AuditEntry, key: bytes) -> bool:
    return chain_entry(entry.record, entry.number, entry.previous, key).hash == entry.hash


# Entries of a chain that were put aside: files of JSON lines, one behind the other.

ARCHIVE_SUFFIX = ".jsonl.gz"


class ArchiveError(Exception):
    """A file of an archive that cannot be read."""


class AuditArchive:
    """The files of one chain in its folder, each named by the number of its first entry."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder / name

    def write(self, entries: Sequence[AuditEntry]) -> Path:
        """Keep these; the file is whole, or not there at all. Raises StoreError."""
        path = self.folder / f"{entries[0].number:010d}{ARCHIVE_SUFFIX}"
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                with gzip.open(file, "wt", encoding="utf-8", errors="surrogatepass") as lines:
                    lines.writelines(f"{entry_line(entry)}\n" for entry in entries)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise StoreError(
                Phrase("Nothing can be archived in {folder}: {why}.", folder=self.folder, why=error.strerror),
                hint="Check the folder and its permissions, then: winnow audit rotate.",
            ) from error
        # The new name of the file must outlast a loss of power, where the system can do that.
        with suppress(OSError):
            here = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(here)
            finally:
                os.close(here)
        return path

    def read(self, end: int, after: int = 0, *, skip_damaged: bool = False) -> Iterator[AuditEntry]:
        """Entries after that number and before ``end``, in order, as far as their files are here.

        Raises ArchiveError for a damaged file; with ``skip_damaged`` what can be read of it is told instead.
        """
        files = sorted(
            (int(path.name.removesuffix(ARCHIVE_SUFFIX)), path)
            for path in self.folder.glob(f"[0-9]*{ARCHIVE_SUFFIX}")
        )
        ends = [*(first for first, _ in files[1:]), end]
        # Without any file there is an end but nothing to read.
        for (_, path), stop in zip(files, ends, strict=False):
            if stop <= after + 1:
                continue
            try:
                with gzip.open(path, "rt", encoding="utf-8", errors="surrogatepass") as lines:
                    for entry in (entry_of(json.loads(one)) for one in lines):
                        if after < entry.number < min(stop, end):
                            yield entry
            except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
                if not skip_damaged:
                    raise ArchiveError(path) from error

    def forget(self) -> None:
        """Delete them all."""
        shutil.rmtree(self.folder, ignore_errors=True)
