"""Connections to a store: SQLite in a file or in memory, PostgreSQL on a server, and their errors as ours."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import blake2b
from math import ceil
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from winnow.errors import Phrase, StoreBusy, StoreError, install_hint

# Where a store is: a file, or a database of a PostgreSQL server.

POSTGRESQL_DRIVER = "postgresql+psycopg"
SERVER_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
"""Ways to begin the URL of a server; all mean the one driver."""
EXAMPLE_URL = "postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True, slots=True)
class StorePlace:
    """``str`` of it may be shown to anybody: it holds no password."""

    url: sa.URL = field(repr=False)

    @property
    def in_memory(self) -> bool:
        """Whether it is this process, and nothing outlives it."""
        return self.url.database == MEMORY

    @property
    def file(self) -> Path | None:
        """The file; None: a server."""
        return None if self.url.drivername == POSTGRESQL_DRIVER else Path(self.url.database or "")

    def __str__(self) -> str:
        """The file's path, or the server's address without options; a password is ***."""
        if self.file is not None:
            return str(self.file)
        return self.url.set(drivername="postgresql", query={}).render_as_string()

    def without_secrets(self, text: str) -> str:
        """The text of an error without what must not be shown."""
        secrets = [self.url.password, *(v for k, v in self.url.query.items() if "password" in k)]
        for secret in (str(s) for s in secrets if s):
            text = text.replace(secret, "***")
        return text


def store_place(where: Path | str) -> StorePlace:
    """The place of a path or a URL. Raises StoreError, which does not repeat the URL."""
    if isinstance(where, Path) or "://" not in where:
        return StorePlace(sa.URL.create("sqlite", database=str(where)))
    try:
        url = sa.make_url(where)
    except (ArgumentError, ValueError):
        raise StoreError("The URL of the store cannot be read.", hint=_example()) from None
    if url.drivername in SERVER_SCHEMES:
        return StorePlace(url.set(drivername=POSTGRESQL_DRIVER))
    if url.drivername == "sqlite" and url.database:
        return StorePlace(sa.URL.create("sqlite", database=url.database))
    raise StoreError(Phrase("A store cannot be kept in {kind}.", kind=url.drivername), hint=_example())


def _example() -> Phrase:
    return Phrase("Give the path of a file, or {example}.", example=EXAMPLE_URL)


BUSY_STATES = frozenset({"55P03", "40001", "40P01", "57014", "53300"})
"""SQLSTATEs of what passes by itself: a lock not had in time, a deadlock, too many connections."""
READ_ONLY_STATE, NOT_ALLOWED_STATE = "25006", "42501"
READ_ONLY_FILE = "Make the data folder writable, or choose another with WINNOW_HOME."
FULL_FILE = "Make room on that disk, and do it again; what was stored before is whole."
READ_ONLY_SERVER = "Name the server that may be written in WINNOW_STORE, not a copy of it."


@contextmanager
def translate_errors(place: StorePlace) -> Iterator[None]:
    """What the database says within, as a StoreError."""
    try:
        yield
    except PoolTimeout as error:
        raise busy_error(place) from error
    except DBAPIError as error:
        why = str(error.orig)
        if isinstance(error, IntegrityError):
            store_error = StoreError(
                Phrase("The home cannot be stored: {why}.", why=place.without_secrets(why)),
                hint="Two things of one kind share an id; ids must be unique.",
            )
        elif place.file is not None:
            if not isinstance(error, OperationalError):
                store_error = _unusable_error(place, why, _recovery_hint(place))
            elif "locked" in why or "busy" in why:
                store_error = busy_error(place)
            elif "full" in why or "disk I/O" in why:
                store_error = _unusable_error(place, why, FULL_FILE)
            else:
                store_error = _unusable_error(place, why, "Check the path and its permissions.")
        else:
            store_error = _server_error(place, error)
        raise store_error from error
    except SQLAlchemyError as error:
        raise _unusable_error(place, str(error), _recovery_hint(place)) from error


def busy_error(place: StorePlace) -> StoreBusy:
    """Somebody else is writing."""
    return StoreBusy(
        Phrase("{path} is being written by another process.", path=place), hint="Try again in a moment."
    )


def read_only_error(place: StorePlace) -> StoreError:
    """Nothing can be written there."""
    return StoreError(
        Phrase("{path} may only be read, so nothing can be stored.", path=place),
        hint=READ_ONLY_SERVER if place.file is None else READ_ONLY_FILE,
    )


def _server_error(place: StorePlace, error: DBAPIError) -> StoreError:
    why = str(error.orig)
    state = getattr(error.orig, "sqlstate", None)
    if state in BUSY_STATES:
        return busy_error(place)
    if state == READ_ONLY_STATE:
        return read_only_error(place)
    if state == NOT_ALLOWED_STATE:
        return _unusable_error(place, why, "Give that user the right to make and change tables there.")
    if state is None and isinstance(error, OperationalError):
        unreachable = StoreError(
            Phrase("Cannot reach the store {path}: {why}.", path=place, why=_first_line(place, why)),
            hint="Check that the server runs, and the address, user and database in WINNOW_STORE.",
        )
        unreachable.retryable = True
        return unreachable
    return _unusable_error(place, why, _recovery_hint(place))


def _unusable_error(place: StorePlace, why: str, hint: str) -> StoreError:
    return StoreError(
        Phrase("Cannot use the store {path}: {why}.", path=place, why=_first_line(place, why)), hint=hint
    )


def _first_line(place: StorePlace, why: str) -> str:
    """The first line of it, without what must not be shown."""
    return place.without_secrets(why.strip().partition("\n")[0].rstrip("."))


def _recovery_hint(place: StorePlace) -> str:
    if place.file is not None:
        return "Keep a copy of the file; put a backup in its place, or begin with another: WINNOW_STORE."
    return "Check that nobody else changed the tables in that database."


# A database of a PostgreSQL server: how it is connected to, and how its writers wait for each other.

POSTGRES_EXTRA = "postgres"
KEPT_CONNECTIONS, MAX_MORE_CONNECTIONS = 5, 15
"""Kept open, and opened beside them while many wait."""
PREPARE_OPTION = "prepare_threshold"
"""Option of a URL, ``none`` where a pooler between gives each transaction another connection."""
_WAIT = sa.text("SELECT set_config('lock_timeout', :wait, true)")
_ALONE = sa.text("SELECT pg_advisory_xact_lock(:key)")


def postgresql_engine(url: sa.URL, wait: float) -> sa.Engine:
    """Connections to the database, none of which is opened yet. Raises StoreError."""
    # What the URL says goes first. The driver takes no less than 2 seconds to connect.
    ours = {"application_name": "winnow", "connect_timeout": max(2, ceil(wait))}
    arguments: dict[str, object] = {name: value for name, value in ours.items() if name not in url.query}
    if PREPARE_OPTION in url.query:
        times = str(url.query[PREPARE_OPTION])
        arguments[PREPARE_OPTION] = int(times) if times.isdecimal() else None
    try:
        return sa.create_engine(
            url.difference_update_query([PREPARE_OPTION]),
            connect_args=arguments,
            pool_size=KEPT_CONNECTIONS,
            max_overflow=MAX_MORE_CONNECTIONS,
            pool_timeout=max(1.0, wait),
            pool_pre_ping=True,  # a server that was started anew is no error
            hide_parameters=True,  # what persons said has no place in a log of errors
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            Phrase("PostgreSQL needs a driver that is not installed: {name}.", name=error.name),
            hint=install_hint(POSTGRES_EXTRA),
        ) from error


def lock_parts(db: sa.Connection, parts: tuple[str, ...], wait: float) -> None:
    """Keep all who name the same parts from writing until this transaction ends.

    Raises an error of the database where another has not ended within ``wait`` seconds.
    """
    db.execute(_WAIT, {"wait": f"{max(1, ceil(wait * 1000))}ms"})
    db.execute(_ALONE, {"key": lock_number(parts)})


def lock_number(parts: tuple[str, ...]) -> int:
    """A number of 64 bits for these parts. Two that share one only wait for each other needlessly."""
    made = blake2b(digest_size=8, person=b"winnow")
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8) + data)
    return int.from_bytes(made.digest(), signed=True)


# One SQLite file, and how it is connected to.

MEMORY = ":memory:"
"""Place of a store that ends with the process."""
WRITES_OPTION = "winnow_write"
"""Option of a connection whose transactions write."""


def sqlite_engine(path: Path, wait: float) -> sa.Engine:
    """SQLite with write-ahead log, foreign keys, and transactions that begin when SQLAlchemy says so.

    What is deleted is overwritten. In memory there is one connection for all threads, which take turns.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            Phrase("Cannot create the folder {folder}: {why}.", folder=path.parent, why=error.strerror),
            hint="Choose another with WINNOW_HOME.",
        ) from error
    dialect, compiled = sqlite_dialect()
    where, pool = (path, sa.StaticPool) if str(path) == MEMORY else (path.absolute(), sa.QueuePool)
    connect: Any = partial(sqlite3.connect, where, wait, isolation_level=None, check_same_thread=False)
    engine = sa.Engine(
        pool(connect, dialect=dialect),
        dialect,
        sa.URL.create("sqlite", database=str(path)),
        execution_options={"compiled_cache": compiled},
        hide_parameters=True,  # what persons said has no place in a log of errors
    )

    @sa.event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: object) -> None:
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL", "secure_delete=ON"):
            dbapi.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(db: sa.Connection) -> None:
        db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get(WRITES_OPTION) else "BEGIN")

    return engine


@cache
def sqlite_dialect() -> tuple[sa.Dialect, sa.util.LRUCache[Any, Any]]:
    """What SQLite can do, and the statements of all stores of this process, each compiled once."""
    engine = sa.create_engine("sqlite://", poolclass=sa.NullPool)
    engine.connect().close()
    return engine.dialect, sa.util.LRUCache(500)


def is_read_only(path: Path) -> bool:
    """Whether the file is there and it or its folder, which holds SQLite's log, cannot be written."""
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def readable(path: Path, wait: float) -> sa.Engine:
    """Connections to the file that never write to it or beside it."""

    def connect() -> sqlite3.Connection:
        """SQLite opens a log beside the file even to read.

        Where it cannot, and no log has anything the file lacks, the file is taken as one that nobody changes;
        one that somebody holds is changing.
        """
        try:
            return _opened(path, "mode=ro", wait)
        except sqlite3.OperationalError as error:
            logs = [path.with_name(f"{path.name}-{kind}") for kind in ("wal", "journal")]
            if "locked" in str(error) or any(log.exists() and log.stat().st_size for log in logs):
                raise
            return _opened(path, "mode=ro&immutable=1", wait)

    return sa.create_engine(sa.URL.create("sqlite", database=str(path)), creator=connect)


def _opened(path: Path, how: str, wait: float) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    db = sqlite3.connect(uri, uri=True, timeout=wait, check_same_thread=False, isolation_level=None)
    db.execute("SELECT count(*) FROM sqlite_master")
    return db
