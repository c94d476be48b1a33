"""What is said one way to SQLite and another way to PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

if TYPE_CHECKING:
    from sqlalchemy.dialects.postgresql import Insert


def upsert(db: sa.Connection, table: sa.Table) -> sa.Insert:
    """Rows in the place of those of the same keys."""
    made = _insert(db, table)
    keys = [column.name for column in table.primary_key.columns]
    rest = {column.name: made.excluded[column.name] for column in table.c if column.name not in keys}
    return made.on_conflict_do_update(index_elements=keys, set_=rest)


def missing(db: sa.Connection, table: sa.Table) -> sa.Insert:
    """Rows of keys that are not there yet; the others stay as they are."""
    return _insert(db, table).on_conflict_do_nothing()


def _insert(db: sa.Connection, table: sa.Table) -> Insert:
    if db.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    return insert(table)
