"""Whose a row is: a column compared with an id exactly, whatever its type and collation make of equality.

Where a collation or a conversion says so, databases take ``ALICE`` and ``alice `` for ``alice``, and ``007``
for 7. For an id that somebody else may have chosen that is a hole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from winnow.stores.host.reflect import Column

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_HEX = 32
"""Length of a UUID written without hyphens, as Django and SQLAlchemy keep it where there is no such type."""
_RANGE = {"sqlite": 1 << 63, "postgresql": 1 << 63, "mysql": 1 << 64}
"""Kind of database -> what its whole numbers stay below."""
Value = str | int | bytes | UUID


class Identity:
    """A column that holds an id, and how one of ``kind``'s databases is asked for exactly that id."""

    def __init__(self, column: Column, kind: str, name: str) -> None:
        self.column, self.kind, self.name = column, kind, name

    def value(self, text: str) -> Value | None:
        """The id as it stands in the column; None: no row can have it."""
        if not text or "\0" in text or not _encodable(text):
            return None
        if self.kind == "sqlite" and self.column.kind != "bytes":
            return self._written(text)
        return _VALUES.get(self.column.kind, Identity._written)(self, text)

    def matches(self) -> sa.ColumnElement[bool]:
        """That a row has the id bound under ``name``, or leads to one that has."""
        same = _MATCHES[self.kind](self)
        return self.column.link.reached(same) if self.column.link else same

    def apart(self) -> tuple[sa.ColumnElement[Any], sa.ColumnElement[Any]]:
        """How the ids of rows are told, and what rows are grouped by so that ids stay as exactly apart."""
        column, kind = self.column.sql, self.column.kind
        if self.kind == "sqlite" and kind != "bytes":
            text = sa.collate(sa.cast(column, sa.Text), "BINARY")
            return text, text
        if self.kind == "mysql" and kind not in {"integer", "number", "bytes"}:
            return sa.func.max(column), _octets(column)
        if self.kind == "postgresql" and kind == "text":  # char(n) pads
            return sa.cast(column, sa.Text), sa.cast(column, sa.Text)
        return column, column

    def _written(self, text: str) -> str:
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
        return sa.and_(column == self._alike(bound), _octets(column) == _octets(bound))

    def _alike(self, bound: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """The id in the encoding and the order of the column."""
        known = self.column
        return sa.collate(_in(bound, known.charset), known.collation) if known.charset else bound

    def _bound(self, kind: Any) -> sa.BindParameter[Any]:
        return sa.bindparam(self.name, type_=kind)


_VALUES: dict[str, Callable[[Identity, str], Value | None]] = {
    "integer": Identity._whole,
    "number": Identity._whole,
    "uuid": Identity._uuid,
    "bytes": Identity._bytes,
}
_MATCHES: dict[str, Callable[[Identity], sa.ColumnElement[bool]]] = {
    "sqlite": Identity._sqlite,
    "postgresql": Identity._postgresql,
    "mysql": Identity._mysql,
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


def _octets(value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """The bytes of a text in UTF-8, whatever encoding its column has."""
    return sa.cast(_in(value, "utf8mb4"), sa.BINARY)


def _in(value: sa.ColumnElement[Any], charset: str) -> sa.ColumnElement[Any]:
    """A text in another encoding; ``charset`` is one of the database's names."""
    return sa.func.convert(value.op("USING")(sa.literal_column(charset)))
