"""A real MySQL or MariaDB for tests, where ``WINNOW_TEST_MYSQL`` names one: an empty database of a test.

There is no server of it that comes as a Python package; without one, the tests that ask for it are skipped.
``WINNOW_TEST_MYSQL=mysql://root@127.0.0.1:3306``: somebody who may create databases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest
import sqlalchemy as sa

NAMED = os.environ.get("WINNOW_TEST_MYSQL", "")
"""Read before a test's own environment begins."""


@pytest.fixture(scope="session")
def mysql_server() -> sa.URL:
    """The server that the environment names."""
    if not NAMED:
        pytest.skip("WINNOW_TEST_MYSQL names no server")
    return sa.make_url(NAMED).set(drivername="mysql+pymysql")


@pytest.fixture
def mysql(mysql_server: sa.URL) -> Iterator[sa.URL]:
    """An empty database that is gone after the test."""
    name = f"test_{uuid4().hex[:12]}"
    _run(mysql_server, f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    yield mysql_server.set(database=name)
    _run(mysql_server, f"DROP DATABASE {name}")


def _run(url: sa.URL, statement: str) -> None:
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        db.exec_driver_sql(statement)
