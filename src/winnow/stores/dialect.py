"""What is said one way to SQLite and another way to PostgreSQL."""

from __future__ import annotations

import sqlalchemy as sa


def upsert(db: sa.Connection, table: sa.Table) -> sa.Insert:
    """Rows in the place of those of the same keys."""
    if db.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    made = insert(table)
    keys = [column.name for column in table.primary_key.columns]
    rest = {column.name: made.excluded[column.name] for column in table.c if column.name not in keys}
    return made.on_conflict_do_update(index_elements=keys, set_=rest)
