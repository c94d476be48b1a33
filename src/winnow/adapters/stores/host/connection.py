"""Read-only connections to a host's database, the vector types of pgvector, and database errors as ours."""

from __future__ import annotations

import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from winnow.adapters.stores.connection import readable
from winnow.errors import ConfigError, Phrase, Problem, StoreBusy, StoreError, install_hint

# pgvector's types, so that a column of them is known by name and dimension.


class VectorType(sa.types.UserDefinedType[str]):
    """``vector(n)``: numbers of 4 bytes; as text both ways."""

    name = "vector"
    cache_ok = True

    def __init__(self, dimension: int = 0) -> None:
        self.length = dimension

    def get_col_spec(self, **_kw: Any) -> str:
        """``vector(3)``; without its number where the column takes any."""
        return f"{self.name}({self.length})" if self.length else self.name


class HalfVectorType(VectorType):
    """``halfvec(n)``: numbers of 2 bytes."""

    name = "halfvec"
    cache_ok = True


class SchemaType(sa.types.UserDefinedType[str]):
    """A type by its name in its schema, which need not be one that is searched."""

    cache_ok = True

    def __init__(self, name: str, schema: str) -> None:
        self.name, self.schema = name, schema

    def get_col_spec(self, **_kw: Any) -> str:
        """``"extensions".vector``."""
        return f'"{self.schema}".{self.name}'


def register_vector_types(dialect: sa.Dialect) -> None:
    """Let this dialect of PostgreSQL recognise them when it describes a table."""
    known = {kind.name: kind for kind in (VectorType, HalfVectorType)}
    dialect.ischema_names = {**dialect.ischema_names, **known}  # type: ignore[attr-defined]


DRIVERS = {"sqlite": "pysqlite", "postgresql": "psycopg", "mysql": "pymysql", "mariadb": "pymysql"}
"""Kind of database -> what speaks to it, whatever driver the host's own URL names: theirs may be an
asynchronous one."""
_EXTRAS = {"psycopg": "postgres", "pymysql": "mysql"}
_SECRET = ("password", "passwd", "pwd", "secret", "token", "sslkey")
_WAIT = 5.0
"""Seconds for a host that writes to its SQLite file."""
HASH_FUNCTION = "winnow_hash"
"""Name of the function that SQLite lacks: the checksum of two values."""


class HostDatabase:
    """A host's database, only ever read: SQLite, PostgreSQL, MySQL or MariaDB.

    Nothing connects before the first ``read``. Raises ConfigError for a URL that is none of these, StoreError
    where the library for it is not installed.
    """

    def __init__(self, url: str) -> None:
        self.url = usable_url(url)
        self.kind = "mysql" if self.url.get_backend_name() == "mariadb" else self.url.get_backend_name()
        self.engine = _engine(self.url)
        weakref.finalize(self, self.engine.dispose)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """One transaction that cannot write. Raises StoreError, without any password."""
        with translate_errors(self.url), self.engine.connect() as db, db.begin():
            yield db

    @property
    def busy(self) -> int:
        """Connections that somebody reads from."""
        return int(getattr(self.engine.pool, "checkedout", lambda: 0)())

    def close(self) -> None:
        """Let go of every connection."""
        self.engine.dispose()


def usable_url(url: str) -> sa.URL:
    """The URL with the driver that is used here. Raises ConfigError, which never repeats it."""
    modern = "postgresql://" + url.removeprefix("postgres://") if url.startswith("postgres://") else url
    try:
        parsed = sa.make_url(modern)
    except (ArgumentError, ValueError):  # both would show the password
        raise ConfigError(
            [Problem("", "messages.url", "is not a URL of a database, such as sqlite:///app.db")]
        ) from None
    kind = parsed.get_backend_name()
    if kind not in DRIVERS:
        kinds = tuple(name for name in DRIVERS if name != "mariadb")
        told = Phrase("{kind} cannot be read; one of {kinds} can", kind=kind, kinds=kinds)
        raise ConfigError([Problem("", "messages.url", told)])
    if kind == "sqlite" and parsed.database in {None, "", ":memory:"}:
        raise ConfigError([Problem("", "messages.url", "names no file")])
    return parsed.set(drivername=f"{kind}+{DRIVERS[kind]}")


def url_without_secrets(url: sa.URL) -> str:
    """The URL as people know it and may see it."""
    query = {k: "***" if any(s in k.lower() for s in _SECRET) else v for k, v in url.query.items()}
    plain = url.set(drivername=url.get_backend_name(), query=query)
    return plain.render_as_string(hide_password=True)


@contextmanager
def translate_errors(url: sa.URL) -> Iterator[None]:
    """Errors of the database and of its driver as ours: the one place that knows them."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        message = str(cause.args[-1]) if cause.args else ""  # before it may stand a number
        why = (message.strip().splitlines() or [type(error).__name__])[0]
        if url.password:
            why = why.replace(url.password, "***")
        kind = StoreBusy if "database is locked" in why else StoreError
        raise kind(
            Phrase("{url} cannot be read: {why}", url=url_without_secrets(url), why=why),
            hint="Check that the database runs, the URL, and that its user may read the table.",
        ) from None  # the statement and the URL stand in what the library says


def _engine(url: sa.URL) -> sa.Engine:
    kind = url.get_backend_name()
    if kind == "sqlite":
        return _sqlite(Path((url.database or "").removeprefix("file:")))
    try:
        return _postgresql(url) if kind == "postgresql" else _mysql(url)
    except ModuleNotFoundError as error:
        raise StoreError(
            Phrase(
                "{url} needs the library {name}, which is not installed.",
                url=url_without_secrets(url),
                name=error.name,
            ),
            hint=install_hint(_EXTRAS[DRIVERS[kind]]),
        ) from error


def _sqlite(path: Path) -> sa.Engine:
    engine = readable(path, _WAIT)

    @sa.event.listens_for(engine, "connect")
    def _hashes(dbapi: Any, _record: object) -> None:
        def checksum(first: object, second: object) -> int:
            return zlib.crc32(f"{first}:{second}".encode("utf-8", "surrogatepass"))

        dbapi.create_function(HASH_FUNCTION, 2, checksum, deterministic=True)

    return engine


def _postgresql(url: sa.URL) -> sa.Engine:
    """Every transaction begins as one that reads.

    A setting of the connection would stay with it behind a pool such as PgBouncer, and so would the prepared
    statements of the driver, whose plans would also be those for everybody instead of for this person.
    """
    engine = sa.create_engine(
        url,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"prepare_threshold": None},
        execution_options={"postgresql_readonly": True},
    )
    register_vector_types(engine.dialect)
    return engine


def _mysql(url: sa.URL) -> sa.Engine:
    """Every transaction of the connection only reads.

    One that merely begins so would not do: MariaDB ends it where a table is made or dropped, and goes on.
    """
    engine = sa.create_engine(
        url, pool_pre_ping=True, hide_parameters=True, connect_args={"charset": "utf8mb4"}
    )

    @sa.event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: object) -> None:
        with dbapi.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION READ ONLY")

    return engine
