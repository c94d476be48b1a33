"""Databases of hosts: each test may write to them, the code under test may not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa

from winnow.adapters.stores.host.messages import HostMessages
from winnow.types.message import Message
from winnow.types.scope import Scope


class Host:
    """An application's database and the application, which writes to it."""

    def __init__(self, url: sa.URL) -> None:
        self.address, self.kind = url, url.get_backend_name()
        self.engine = sa.create_engine(url, poolclass=sa.NullPool)

    @property
    def url(self) -> str:
        return self.address.render_as_string(hide_password=False)

    def run(self, *statements: str) -> None:
        with self.engine.begin() as db:
            for statement in statements:
                db.exec_driver_sql(statement)

    def make(self, table: sa.Table, rows: Sequence[Mapping[str, Any]] = ()) -> None:
        with self.engine.begin() as db:
            table.create(db)
            if rows:
                db.execute(sa.insert(table), rows)

    def dump(self, table: str) -> list[Any]:
        with self.engine.connect() as db:
            return sorted(map(repr, db.execute(sa.text(f"SELECT * FROM {table}"))))


@pytest.fixture(scope="session")
def one_postgres(postgres_server: sa.URL) -> sa.URL:
    """A database that tests empty and use again: making one takes sixty times as long."""
    name = f"hosts_{uuid4().hex[:12]}"
    engine = sa.create_engine(postgres_server, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as db:
        db.exec_driver_sql(f"CREATE DATABASE {name}")
    return postgres_server.set(database=name)


@pytest.fixture
def empty_postgres(one_postgres: sa.URL) -> sa.URL:
    """The same without a schema but an empty public one."""
    engine = sa.create_engine(one_postgres, poolclass=sa.NullPool)
    with engine.begin() as db:
        for schema in sa.inspect(db).get_schema_names():
            if schema != "information_schema":
                db.exec_driver_sql(f'DROP SCHEMA "{schema}" CASCADE')
        db.exec_driver_sql("CREATE SCHEMA public")
    return one_postgres


@pytest.fixture(params=["sqlite", "postgresql", "mysql"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        made = Host(sa.URL.create("sqlite", database=str(tmp_path / "host.db")))
    else:
        made = Host(
            request.getfixturevalue({"postgresql": "empty_postgres", "mysql": "mysql"}[request.param])
        )
    yield made
    made.engine.dispose()


def read(messages: HostMessages, user: str, size: int = 1000, tenant: str = "default") -> list[Message]:
    """All that is streamed for one user."""

    async def collected() -> list[Message]:
        return [m async for page in messages.stream(Scope(tenant, user=user), size) for m in page]

    return asyncio.run(collected())


def wall(text: str) -> datetime:
    """A time of the person's wall clock, which has no zone."""
    return datetime.fromisoformat(text)
