"""One SQLite file, and how it is connected to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from winnow.errors import Phrase, StoreError

WRITES = "winnow_write"
"""Option of a connection whose transactions write."""


def connectable(path: Path, wait: float) -> sa.Engine:
    """SQLite with write-ahead log, foreign keys, and transactions that begin when SQLAlchemy says so.

    What is deleted is overwritten.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            Phrase("Cannot create the folder {folder}: {why}.", folder=path.parent, why=error.strerror),
            hint="Choose another with WINNOW_HOME.",
        ) from error
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        connect_args={"timeout": wait},
        hide_parameters=True,  # what persons said has no place in a log of errors
    )

    @sa.event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: object) -> None:
        dbapi.isolation_level = None
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL", "secure_delete=ON"):
            dbapi.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(db: sa.Connection) -> None:
        db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get(WRITES) else "BEGIN")

    return engine
