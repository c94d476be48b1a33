"""The chain of an audit log: every entry holds the hash of the one before."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from winnow.types.audit import AuditEntry, Record, Verified

FIRST = "0" * 64
"""What the first entry hangs on."""


def linked(record: Record, number: int, previous: str, key: bytes = b"") -> AuditEntry:
    """The record as the entry of that number after the one of that hash; ``key`` makes it unforgeable."""
    told = json.dumps([number, previous, asdict(record)], sort_keys=True, ensure_ascii=False, default=str)
    digest = hmac.new(key, told.encode(), "sha256") if key else hashlib.sha256(told.encode())
    return AuditEntry(number, record, previous, digest.hexdigest())


def verified(entries: Iterable[AuditEntry], key: bytes = b"") -> Verified:
    """Whether they are a whole chain, in order."""
    head, count, broken = FIRST, 0, list[str]()
    begun: dict[str, None] = {}
    for entry in entries:
        count += 1
        right = linked(entry.record, count, head, key)
        if entry != right:
            broken.append(f"{entry.number}")
        head = entry.hash
        _follow(entry.record, begun)
    return Verified(count, head, tuple(broken), tuple(begun))


def _follow(record: Record, begun: dict[str, None]) -> None:
    if record.kind == "begun":
        begun.setdefault(record.act)
    elif record.kind == "ended":
        begun.pop(record.act, None)


def chained(records: Sequence[Record], after: AuditEntry | None, key: bytes = b"") -> tuple[AuditEntry, ...]:
    """The entries of these records behind that one."""
    entries = list[AuditEntry]()
    for record in records:
        last = entries[-1] if entries else after
        entries.append(linked(record, last.number + 1 if last else 1, last.hash if last else FIRST, key))
    return tuple(entries)
