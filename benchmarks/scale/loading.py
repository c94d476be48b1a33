"""The talks into Winnow's own store, and into a table as a host application has one."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import sqlalchemy as sa

from benchmarks.chats import chat, chats, name, sizes
from benchmarks.scale.databases import bytes_of, settled, store_at
from winnow.adapters.stores.schema import row_chunks
from winnow.adapters.stores.store import SqlStore
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.types.message import HostColumns, HostTable, Message
from winnow.types.scope import Scope

TENANTS = 100
"""Persons are spread over as many."""
ROWS = 5000
"""Rows of the host's table written at a time."""


def host_rows(collation: str | None = None) -> sa.Table:
    """A table of messages as a host has one; ``collation`` is that of the columns that say whose a row is."""
    whose = sa.Text(collation=collation)
    return sa.Table(
        "chat_messages",
        sa.MetaData(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("team", whose, nullable=False),
        sa.Column("user_id", whose, nullable=False),
        sa.Column("thread_id", sa.Text),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.Index("chat_messages_of_user", "team", "user_id", "created_at"),
    )


HOST = host_rows()


def scope_of(number: int) -> Scope:
    """Whose rows the person of that number may see."""
    return Scope(f"tenant-{number % TENANTS:03d}", name(number))


def host_table(url: str) -> HostTable:
    """How the host's table is mapped."""
    columns = HostColumns(tenant="team", conversation="thread_id", edited_at="updated_at")
    return HostTable(url, HOST.name, columns=columns)


def load_store(url: str, persons: int, total: int) -> dict[str, Any]:
    """All talks through the port, one person at a time: seconds, bytes on disk."""
    store = SqlStore.open(store_at(url), SystemClock())
    seconds = 0.0
    for number, one in enumerate(chats(persons, total)):
        start = perf_counter()
        run_blocking(store.storage.messages.add(scope_of(number), one.messages))
        seconds += perf_counter() - start
    store.close()
    return _told(url, seconds, total)


def load_host(url: str, persons: int, total: int) -> dict[str, Any]:
    """All talks into the host's table: seconds, bytes on disk."""
    engine = sa.create_engine(url)
    HOST.create(engine)
    rows = (
        _row(scope_of(number), message)
        for number, one in enumerate(chats(persons, total))
        for message in one.messages
    )
    seconds = 0.0
    for some in row_chunks(rows, ROWS):
        start = perf_counter()
        with engine.begin() as db:
            db.execute(sa.insert(HOST), some)
        seconds += perf_counter() - start
    engine.dispose()
    return _told(url, seconds, total)


def _row(scope: Scope, message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "team": scope.tenant,
        "user_id": scope.user,
        "thread_id": message.conversation,
        "role": message.role,
        "content": message.content,
        "created_at": message.at,
        "updated_at": message.at,
    }


def _told(url: str, seconds: float, total: int) -> dict[str, Any]:
    settled(url)
    sizes_on_disk = bytes_of(url)
    return {
        "seconds": round(seconds, 1),
        "messages_per_second": round(total / seconds),
        "bytes": sum(sizes_on_disk.values()),
        "bytes_per_message": round(sum(sizes_on_disk.values()) / total, 1),
        "tables": {table: size for table, size in sizes_on_disk.items() if size > total},
    }


def text_bytes(persons: int, total: int) -> float:
    """Bytes of a message's text in UTF-8, on average of every tenth person's."""
    some = [chat(number, size) for number, size in enumerate(sizes(persons, total)) if not number % 10]
    lengths = [len(message.content.encode()) for one in some for message in one.messages]
    return round(sum(lengths) / len(lengths), 1)
