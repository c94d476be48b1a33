"""Messages of a host's own table, behind the port ``Messages``, however their content is stored."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar
from uuid import UUID

import sqlalchemy as sa

from winnow.adapters.stores.host.column_mapping import (
    HostColumn,
    TableLink,
    mapped_columns,
    role_names,
    word_list,
)
from winnow.adapters.stores.host.connection import HASH_FUNCTION, HostDatabase
from winnow.errors import Phrase, StoreError
from winnow.language.clocks import Clocks
from winnow.ports.services import run_aside
from winnow.types.message import HistoryVersion, HostTable, Message
from winnow.types.scope import DEFAULT_TENANT, Scope

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


# Queries for the rows of exactly one person in a host's table.

# Whose a row is: a column compared with an id exactly, whatever its type and collation make of equality.

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_HEX = 32
"""Length of a UUID written without hyphens, as Django and SQLAlchemy keep it where there is no such type."""
_RANGE = {"sqlite": 1 << 63, "postgresql": 1 << 63, "mysql": 1 << 64}
"""Kind of database -> what its whole numbers stay below."""
IdValue = str | int | bytes | UUID


class IdColumn:
    """A column that holds an id, and how one of ``kind``'s databases is asked for exactly that id."""

    def __init__(self, column: HostColumn, kind: str, name: str) -> None:
        self.column, self.kind, self.name = column, kind, name

    def value(self, text: str) -> IdValue | None:
        """The id as it stands in the column; None: no row can have it."""
        if not text or "\0" in text or not _encodable(text):
            return None
        if self.kind == "sqlite" and self.column.kind != "bytes":
            return self._text_value(text)
        return _VALUES.get(self.column.kind, IdColumn._text_value)(self, text)

    def matches(self) -> sa.ColumnElement[bool]:
        """That a row has the id bound under ``name``, or leads to one that has."""
        same = _MATCHES[self.kind](self)
        return self.column.link.leads_to(same) if self.column.link else same

    def grouping(self) -> tuple[sa.ColumnElement[Any], sa.ColumnElement[Any]]:
        """How the ids of rows are told, and what rows are grouped by so that ids stay as exactly apart."""
        column, kind = self.column.sql, self.column.kind
        if self.kind == "sqlite" and kind != "bytes":
            text = sa.collate(sa.cast(column, sa.Text), "BINARY")
            return text, text
        if self.kind == "mysql" and kind not in {"integer", "number", "bytes"}:
            return sa.func.max(column), _utf8_bytes(column)
        if self.kind == "postgresql" and kind == "text":  # char(n) pads
            return sa.cast(column, sa.Text), sa.cast(column, sa.Text)
        return column, column

    def _text_value(self, text: str) -> str:
        fixed = self.column.kind == "text" and self.column.length == _HEX
        return UUID(text).hex if fixed and _UUID.fullmatch(text) else text

    def _whole(self, text: str) -> int | None:
        limit = _RANGE[self.kind]
        return int(text) if _WHOLE.fullmatch(text) and -limit <= int(text) < limit else None

    def _uuid(self, text: str) -> UUID | None:
        return UUID(text) if _UUID.fullmatch(text) else None

    def _bytes(self, text: str) -> bytes | None:
        return UUID(text).bytes if _UUID.fullmatch(text) else None

    def _sqlite(self) -> sa.ColumnElement[bool]:
        """The first half goes by the index; the second has no affinity and no collation of the column."""
        column = self.column.sql
        if self.column.kind == "bytes":
            return column == self._bound(sa.LargeBinary())
        same = sa.cast(column, sa.Text) == sa.collate(self._bound(sa.Text()), "BINARY")
        return sa.and_(column == self._bound(sa.Text()), same)

    def _postgresql(self) -> sa.ColumnElement[bool]:
        """The second half of a text knows no collation and no ``citext``."""
        column, kind = self.column.sql, self.column.kind
        if typed := _TYPES.get(kind):
            return column == self._bound(typed)
        same = sa.collate(sa.cast(column, sa.Text), "C") == self._bound(sa.Text())
        return sa.and_(column == self._bound(sa.Text()), same) if kind == "text" else same

    def _mysql(self) -> sa.ColumnElement[bool]:
        """The second half of a text compares bytes: no collation, no padding, no ``?`` for what is lacking.

        In the first half the id is as the column is encoded and ordered: MySQL compares no two that differ.
        """
        column, kind = self.column.sql, self.column.kind
        if kind in {"integer", "number", "bytes"}:
            return column == self._bound(_TYPES[kind])
        bound = self._bound(sa.String())
        known = self.column
        alike = sa.collate(_in_charset(bound, known.charset), known.collation) if known.charset else bound
        return sa.and_(column == alike, _utf8_bytes(column) == _utf8_bytes(bound))

    def _bound(self, kind: Any) -> sa.BindParameter[Any]:
        return sa.bindparam(self.name, type_=kind)


_VALUES: dict[str, Callable[[IdColumn, str], IdValue | None]] = {
    "integer": IdColumn._whole,
    "number": IdColumn._whole,
    "uuid": IdColumn._uuid,
    "bytes": IdColumn._bytes,
}
_MATCHES: dict[str, Callable[[IdColumn], sa.ColumnElement[bool]]] = {
    "sqlite": IdColumn._sqlite,
    "postgresql": IdColumn._postgresql,
    "mysql": IdColumn._mysql,
}
_TYPES: dict[str, sa.types.TypeEngine[Any]] = {
    "integer": sa.BigInteger(),
    "number": sa.Numeric(),
    "uuid": sa.Uuid(),
    "bytes": sa.LargeBinary(),
}


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _utf8_bytes(value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """The bytes of a text in UTF-8, whatever encoding its column has."""
    return sa.cast(_in_charset(value, "utf8mb4"), sa.BINARY)


def _in_charset(value: sa.ColumnElement[Any], charset: str) -> sa.ColumnElement[Any]:
    """A text in another encoding; ``charset`` is one of the database's names."""
    return sa.func.convert(value.op("USING")(sa.literal_column(charset)))


MESSAGE_FIELDS = ("id", "role", "content", "created_at", "conversation")
"""What a message is made of, in this order."""
ORDER_FIELDS = ("created_at", "id")
"""What rows are ordered by; ids alone where nothing tells when."""
_FLAGGED = tuple("123456789")
_CHECKSUMS = {
    "sqlite": lambda first, second: sa.func.sum(getattr(sa.func, HASH_FUNCTION)(first, second)),
    "postgresql": lambda first, second: sa.func.sum(
        sa.func.hashtextextended(sa.func.concat(first, ":", second), 0)
    ),
    "mysql": lambda first, second: sa.func.sum(sa.func.crc32(sa.func.concat_ws(":", first, second))),
}
"""Kind of database -> the sum of a checksum of two values over all rows, in any order."""


class RowQueries:
    """The rows of a mapped table as a database of that ``kind`` is asked for them.

    ``found``: field of ``Columns`` -> the column that is there, for those that are mapped.
    """

    def __init__(self, table: HostTable, found: Mapping[str, HostColumn], kind: str) -> None:
        self.table, self.columns, self.kind = table, found, kind
        self.source = sa.table(table.table, schema=table.schema or None)
        self._user = IdColumn(found["user"], kind, "user")
        self._tenant = IdColumn(found["tenant"], kind, "tenant") if "tenant" in found else None

    def whose(self, scope: Scope) -> Mapping[str, IdValue] | None:
        """What is bound to reach the rows of the scope's user; None: there can be none. Raises StoreError."""
        bound = {"user": self._user.value(scope.user), **self._of_tenant(scope)}
        return None if None in bound.values() else {k: v for k, v in bound.items() if v is not None}

    def messages(self) -> sa.Select[Any]:
        """What a message is made of, oldest first as far as is known; what the table has not is empty."""
        there = [self.columns.get(name) for name in MESSAGE_FIELDS]
        read = [value_of(column, self.kind) if column else sa.literal_column("''") for column in there]
        return self._of(*read).order_by(*(self.sql(name) for name in ORDER_FIELDS if name in self.columns))

    @cached_property
    def stamp(self) -> sa.Select[Any]:
        """Number, newest time and edit, and a checksum: of ids, and of contents where nothing tells edits.

        Made once: every question asks it, and making it takes longer than running it for a few rows.
        """
        edited = self.columns.get("edited_at")
        checked = _CHECKSUMS[self.kind](self.sql("id"), sa.literal("") if edited else self.sql("content"))
        newest = (self.columns.get(name) for name in ("created_at", "edited_at"))
        latest = (sa.cast(sa.func.max(column.sql), sa.Text) if column else sa.null() for column in newest)
        return self._of(sa.func.count(), *latest, checked)

    def owned_by_user(self) -> sa.ColumnElement[bool]:
        """That a row is the user's and of the tenant."""
        mine = self._user.matches()
        return sa.and_(mine, self._tenant.matches()) if self._tenant else mine

    def visible_to_user(self) -> sa.ColumnElement[bool]:
        """That a row is the user's, of the tenant, and not deleted."""
        return sa.and_(self.owned_by_user(), *self._alive())

    def users(self, scope: Scope) -> tuple[sa.Select[Any], Mapping[str, IdValue]] | None:
        """Each user of the tenant and the number of rows, and what is bound; None: there can be none."""
        bound = self._of_tenant(scope)
        if None in bound.values():
            return None
        conditions = [*([self._tenant.matches()] if self._tenant else []), *self._alive()]
        user, (told, exactly) = self.columns["user"], self._user.grouping()
        if user.link:
            counted = self._by_talk(user.link, told, conditions)
        else:
            counted = sa.select(told, sa.func.count()).select_from(self.source).where(*conditions)
        found = counted.where(user.sql.is_not(None)).group_by(exactly)
        return found, {k: v for k, v in bound.items() if v is not None}

    def sql(self, name: str) -> sa.ColumnClause[Any]:
        """The column of that field."""
        return self.columns[name].sql

    def _by_talk(
        self, link: TableLink, told: sa.ColumnElement[Any], conditions: list[sa.ColumnElement[bool]]
    ) -> sa.Select[Any]:
        """Each user and the number of rows: they are counted by talk, and talks stand beside their owners."""
        via: sa.ColumnClause[Any] = sa.column(link.via)
        number = sa.func.count().label("counted")
        talks = sa.select(via.label("talk"), number).select_from(self.source).where(*conditions).group_by(via)
        talk = talks.subquery("talks")
        there = sa.table(link.table, schema=link.schema or None)
        owned = sa.select(told, sa.func.sum(talk.c.counted)).select_from(there)
        return owned.join(talk, talk.c.talk == sa.column(link.key))

    def _alive(self) -> list[sa.ColumnElement[bool]]:
        """That a row is not deleted, where the table tells."""
        deleted = self.columns.get("deleted")
        return [_is_not_deleted(deleted, self.table.deleted_values, self.kind)] if deleted else []

    def _of(self, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
        return sa.select(*columns).select_from(self.source).where(self.visible_to_user())

    def _of_tenant(self, scope: Scope) -> Mapping[str, IdValue | None]:
        if self._tenant:
            return {"tenant": self._tenant.value(scope.tenant)}
        if scope.tenant == DEFAULT_TENANT:
            return {}
        raise StoreError(
            Phrase("The table {table} does not say which tenant its rows belong to.", table=self.table.table),
            hint="Map its column: messages.columns.tenant. Where user ids are unique, ask without a tenant.",
        )


def value_of(column: HostColumn, kind: str) -> sa.ColumnElement[Any]:
    """What a column holds; NULL for times of PostgreSQL that no calendar of Python has, such as infinity."""
    if kind != "postgresql" or column.kind != "time":
        return column.sql
    first, last = (sa.literal_column(f"'{day}'", sa.DateTime) for day in ("0001-01-02", "9999-12-30"))
    return sa.case((column.sql.between(first, last), column.sql))


def _is_not_deleted(column: HostColumn, words: tuple[str, ...], kind: str) -> sa.ColumnElement[bool]:
    """That a row is not marked as deleted: by a flag, a number, a time or a word."""
    value = column.sql
    if column.kind == "flag" and kind == "postgresql":
        return value.is_not(sa.true())
    if column.kind in {"flag", "integer", "number"}:
        return sa.func.coalesce(value, 0) == sa.literal_column("0")
    if column.kind == "time":
        return value.is_(None)
    said = sa.func.coalesce(sa.func.lower(sa.func.trim(sa.cast(value, sa.Text))), "")
    return sa.and_(said.not_in(_deleted_words(words)), sa.func.substr(said, 1, 1).not_in(_FLAGGED))


def is_deleted_mark(mark: str, words: tuple[str, ...] = ()) -> bool:
    """Whether a text in a column of marks means deleted: as it does in a statement."""
    said = mark.strip(" ").lower()
    return said in _deleted_words(words) or said.startswith(_FLAGGED)


def _deleted_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in (*word_list("deleted"), *words))


# What a SQLite file said last counts for as long as nobody wrote to it, which one number tells.

CachedResult = TypeVar("CachedResult")
MAX_CACHED_ANSWERS = 10_000
"""Answers kept by one connection."""


def cached_until_written(db: sa.Connection, key: Hashable, asked: Callable[[], CachedResult]) -> CachedResult:
    """What was answered before under this key, else what is asked now.

    The number is of the connection (``PRAGMA data_version``), and so is what is kept. Should somebody write
    between the number and the answer, the answer is kept under the older number and asked anew next time.
    """
    version = db.exec_driver_sql("PRAGMA data_version").scalar()
    kept = db.info.setdefault("winnow_unchanged", {})
    if kept.get("version") != version or len(kept) > MAX_CACHED_ANSWERS:
        kept.clear()
        kept["version"] = version
    if key not in kept:
        kept[key] = asked()
    found: CachedResult = kept[key]
    return found
