"""Messages of a host's own table, behind the port ``Messages``, however their content is stored."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cached_property
from threading import Lock
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from winnow.adapters.stores.host.column_mapping import mapped_columns, role_names, word_list
from winnow.adapters.stores.host.connection import HostDatabase
from winnow.adapters.stores.host.row_queries import IdValue, RowQueries, cached_until_written
from winnow.language.clocks import Clocks
from winnow.ports.services import run_aside
from winnow.types.message import HistoryVersion, HostTable, Message
from winnow.types.scope import Scope

# What was said in one row, however the host keeps it: as text, as parts in JSON, as JSON around a text.

_MAX_DEPTH = 8
"""Levels of JSON that are looked into."""


def content_text(value: object, *, encoded: bool = False) -> str:
    """The text of a stored content; empty where nothing was said (a tool call, a picture)."""
    return text_of(decode_content(value, encoded=encoded))


def decode_content(value: object, *, encoded: bool = False) -> object:
    """A stored content with its JSON read; what a person wrote in brackets stays as it is.

    ``encoded``: that a text is JSON for certain, since its column is.
    """
    if isinstance(value, bytes | bytearray | memoryview):
        return decode_content(bytes(value).decode("utf-8", "replace"), encoded=encoded)
    if not isinstance(value, str):
        return value
    if encoded:
        return json.loads(value)
    if value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if _wraps(parsed) else value


def text_of(content: object) -> str:
    """The text of a content that was opened."""
    return "\n".join(_texts(content, _MAX_DEPTH)).strip()


def speaker_of(content: object) -> str:
    """Who said it, as the JSON around a text may tell; empty: it does not."""
    told = (content.get("role") or content.get("type")) if isinstance(content, Mapping) else ""
    return told if isinstance(told, str) else ""


def _wraps(value: object) -> bool:
    """Whether JSON looks like an envelope of a text and not like JSON that somebody sent."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, Mapping) and "type" in part for part in value)
    known = {*word_list("texts"), *word_list("around")}
    return isinstance(value, Mapping) and bool(value) and set(value) <= known


def _texts(value: Any, depth: int) -> Iterator[str]:
    """The texts of a content, in order."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part, depth - 1)
    elif depth and isinstance(value, Mapping) and _is_text_part(value):
        held = next((value[name] for name in word_list("texts") if value.get(name)), None)
        yield from _texts(held, depth - 1)


def _is_text_part(part: Mapping[str, Any]) -> bool:
    """Whether a part is text, or an envelope of it, by its type."""
    return str(part.get("type") or "").lower() in word_list("said")


_UUID_BYTES = 16


class HostMessages:
    """The ``Messages`` of a host's table. Nothing is ever written to it.

    The database is asked for the first time when something is read; the table is then looked at once. Raises
    ConfigError where the mapping does not fit it, StoreError.
    """

    def __init__(self, table: HostTable) -> None:
        self.table = table
        self.database = HostDatabase(table.url)
        self._clocks = Clocks(table.timezone, table.stored_timezone)
        self._roles = {**role_names(), **table.roles}
        self._skipped = frozenset(table.skip_roles)

    async def stamp(self, scope: Scope) -> HistoryVersion:
        """The number of rows, and beside it the newest time, the newest edit and a checksum.

        One statement. Where the table says when a row was edited, an edit that does not set that time stays
        unseen; elsewhere the checksum is of all contents. A change of a role alone is never seen.
        """

        def read() -> HistoryVersion:
            whose = self.rows.whose(scope) if scope.user else None
            if whose is None:
                return HistoryVersion(0)
            with self.database.read() as db:
                if self.database.kind != "sqlite":
                    return self._stamp_of(db, whose)
                key = tuple(sorted(whose.items()))
                return cached_until_written(db, key, lambda: self._stamp_of(db, whose))

        return await run_aside(read)

    def _stamp_of(self, db: sa.Connection, whose: Mapping[str, IdValue]) -> HistoryVersion:
        count, *rest = db.execute(self.rows.stamp, whose).one()
        return HistoryVersion(count, "|".join("" if part is None else str(part) for part in rest))

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """All messages of the user, oldest first, of one moment, at most ``size`` in memory at a time.

        Rows without a text (tool calls, pictures) and those of ``skip_roles`` are left out.
        """
        with closing(_PageIterator(self._pages(scope, size))) as pages:
            while (page := await run_aside(pages.next)) is not None:
                yield page

    async def users(self, scope: Scope) -> Mapping[str, int]:
        """User -> number of rows, of the whole tenant, by name."""

        def read() -> dict[str, int]:
            if (asked := self.rows.users(scope)) is None:
                return {}
            with self.database.read() as db:
                counts = {id_text(user): int(count) for user, count in db.execute(*asked)}
            return dict(sorted(counts.items()))

        return await run_aside(read)

    def close(self) -> None:
        """Let go of every connection."""
        self.database.close()

    @cached_property
    def rows(self) -> RowQueries:
        """How the table is asked. Raises ConfigError, StoreError."""
        with self.database.read() as db:
            return RowQueries(self.table, mapped_columns(db, self.table), self.database.kind)

    def _pages(self, scope: Scope, size: int) -> Iterator[Sequence[Message]]:
        """The messages, by a cursor of the server, so that no more than a page is held here."""
        whose = self.rows.whose(scope) if scope.user else None
        if whose is None:
            return
        paged = {"yield_per": size}
        with (
            self.database.read() as db,
            db.execute(self.rows.messages(), whose, execution_options=paged) as result,
        ):
            for page in result.partitions(size):
                if told := [message for row in page if (message := self._message(row)) is not None]:
                    yield told

    def _message(self, row: Any) -> Message | None:
        """The message of a row, where something was said in it by somebody who counts."""
        key, role, stored, at, conversation = row
        # Contents may come as the text of JSON; the driver of PostgreSQL reads it itself.
        encoded = self.rows.columns["content"].kind == "json" and self.database.kind != "postgresql"
        content, speaker = decode_content(stored, encoded=encoded), id_text(role)
        if not speaker:
            # The JSON around the text may tell who said it, where that is a role that is known.
            around = speaker_of(content)
            known = {*self._roles, *self._roles.values(), *self._skipped}
            speaker = around if around.lower() in known else ""
        speaker = self._roles.get(speaker, self._roles.get(speaker.lower(), speaker)) or "user"
        text = "" if speaker in self._skipped else text_of(content)
        if not text:
            return None
        return Message(id_text(key), speaker, text, self._clocks.moment(at), id_text(conversation))


class _PageIterator:
    """A generator whose steps are taken in several threads, one after the other."""

    def __init__(self, pages: Iterator[Sequence[Message]]) -> None:
        self._pages, self._lock = pages, Lock()

    def next(self) -> Sequence[Message] | None:
        """The next page; None: that was all."""
        with self._lock:
            return next(self._pages, None)

    def close(self) -> None:
        """End the generator, once a step that is under way in a thread nobody waits for is done."""
        with self._lock:
            self._pages.close()  # type: ignore[attr-defined]


def id_text(value: object) -> str:
    """An id of any type as text; empty for none."""
    if value is None:
        return ""
    if isinstance(value, bytes | bytearray | memoryview):
        raw = bytes(value)
        return str(UUID(bytes=raw)) if len(raw) == _UUID_BYTES else raw.hex()
    if isinstance(value, float | Decimal) and value == int(value):
        return str(int(value))
    return str(value)
