"""The statements that read one person's rows of a mapped table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import sqlalchemy as sa

from winnow.errors import Phrase, StoreError
from winnow.stores.host.connect import HASH
from winnow.stores.host.identity import Identity, Value
from winnow.stores.host.reflect import Column, Link
from winnow.stores.host.words import listed
from winnow.types.history import HostTable
from winnow.types.scope import DEFAULT, Scope

READ = ("id", "role", "content", "created_at", "conversation")
"""What a message is made of, in this order."""
ORDER = ("created_at", "id")
"""What rows are ordered by; ids alone where nothing tells when."""
_FLAGGED = tuple("123456789")
_CHECKSUMS = {
    "sqlite": lambda first, second: sa.func.sum(getattr(sa.func, HASH)(first, second)),
    "postgresql": lambda first, second: sa.func.sum(
        sa.func.hashtextextended(sa.func.concat(first, ":", second), 0)
    ),
    "mysql": lambda first, second: sa.func.sum(sa.func.crc32(sa.func.concat_ws(":", first, second))),
}
"""Kind of database -> the sum of a checksum of two values over all rows, in any order."""


class Rows:
    """The rows of a mapped table as a database of that ``kind`` is asked for them.

    ``found``: field of ``Columns`` -> the column that is there, for those that are mapped.
    """

    def __init__(self, table: HostTable, found: Mapping[str, Column], kind: str) -> None:
        self.table, self.found, self.kind = table, found, kind
        self.source = sa.table(table.table, schema=table.schema or None)
        self._user = Identity(found["user"], kind, "user")
        self._tenant = Identity(found["tenant"], kind, "tenant") if "tenant" in found else None

    def whose(self, scope: Scope) -> Mapping[str, Value] | None:
        """What is bound to reach the rows of the scope's user; None: there can be none. Raises StoreError."""
        bound = {"user": self._user.value(scope.user), **self._of_tenant(scope)}
        return None if None in bound.values() else {k: v for k, v in bound.items() if v is not None}

    def messages(self) -> sa.Select[Any]:
        """What a message is made of, oldest first as far as is known; what the table has not is empty."""
        there = [self.found.get(name) for name in READ]
        read = [value_of(column, self.kind) if column else sa.literal_column("''") for column in there]
        return self._of(*read).order_by(*(self.sql(name) for name in ORDER if name in self.found))

    @cached_property
    def stamp(self) -> sa.Select[Any]:
        """Number, newest time and edit, and a checksum: of ids, and of contents where nothing tells edits.

        Made once: every question asks it, and making it takes longer than running it for a few rows.
        """
        edited = self.found.get("edited_at")
        checked = _CHECKSUMS[self.kind](self.sql("id"), sa.literal("") if edited else self.sql("content"))
        newest = (self.found.get(name) for name in ("created_at", "edited_at"))
        latest = (sa.cast(sa.func.max(column.sql), sa.Text) if column else sa.null() for column in newest)
        return self._of(sa.func.count(), *latest, checked)

    def owned(self) -> sa.ColumnElement[bool]:
        """That a row is the user's and of the tenant."""
        mine = self._user.matches()
        return sa.and_(mine, self._tenant.matches()) if self._tenant else mine

    def mine(self) -> sa.ColumnElement[bool]:
        """That a row is the user's, of the tenant, and not deleted."""
        return sa.and_(self.owned(), *self._alive())

    def users(self, scope: Scope) -> tuple[sa.Select[Any], Mapping[str, Value]] | None:
        """Each user of the tenant and the number of rows, and what is bound; None: there can be none."""
        bound = self._of_tenant(scope)
        if None in bound.values():
            return None
        conditions = [*([self._tenant.matches()] if self._tenant else []), *self._alive()]
        user, (told, exactly) = self.found["user"], self._user.apart()
        if user.link:
            counted = self._by_talk(user.link, told, conditions)
        else:
            counted = sa.select(told, sa.func.count()).select_from(self.source).where(*conditions)
        found = counted.where(user.sql.is_not(None)).group_by(exactly)
        return found, {k: v for k, v in bound.items() if v is not None}

    def sql(self, name: str) -> sa.ColumnClause[Any]:
        """The column of that field."""
        return self.found[name].sql

    def _by_talk(
        self, link: Link, told: sa.ColumnElement[Any], conditions: list[sa.ColumnElement[bool]]
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
        deleted = self.found.get("deleted")
        return [_is_alive(deleted, self.table.deleted_values, self.kind)] if deleted else []

    def _of(self, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
        return sa.select(*columns).select_from(self.source).where(self.mine())

    def _of_tenant(self, scope: Scope) -> Mapping[str, Value | None]:
        if self._tenant:
            return {"tenant": self._tenant.value(scope.tenant)}
        if scope.tenant == DEFAULT:
            return {}
        raise StoreError(
            Phrase("The table {table} does not say which tenant its rows belong to.", table=self.table.table),
            hint="Map its column: messages.columns.tenant. Where user ids are unique, ask without a tenant.",
        )


def value_of(column: Column, kind: str) -> sa.ColumnElement[Any]:
    """What a column holds; NULL for times of PostgreSQL that no calendar of Python has, such as infinity."""
    if kind != "postgresql" or column.kind != "time":
        return column.sql
    first, last = (sa.literal_column(f"'{day}'", sa.DateTime) for day in ("0001-01-02", "9999-12-30"))
    return sa.case((column.sql.between(first, last), column.sql))


def _is_alive(column: Column, words: tuple[str, ...], kind: str) -> sa.ColumnElement[bool]:
    """That a row is not marked as deleted: by a flag, a number, a time or a word."""
    value = column.sql
    if column.kind == "flag" and kind == "postgresql":
        return value.is_not(sa.true())
    if column.kind in {"flag", "integer", "number"}:
        return sa.func.coalesce(value, 0) == sa.literal_column("0")
    if column.kind == "time":
        return value.is_(None)
    said = sa.func.coalesce(sa.func.lower(sa.func.trim(sa.cast(value, sa.Text))), "")
    return sa.and_(said.not_in(_gone(words)), sa.func.substr(said, 1, 1).not_in(_FLAGGED))


def is_gone(mark: str, words: tuple[str, ...] = ()) -> bool:
    """Whether a text in a column of marks means deleted: as it does in a statement."""
    said = mark.strip(" ").lower()
    return said in _gone(words) or said.startswith(_FLAGGED)


def _gone(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in (*listed("deleted"), *words))
