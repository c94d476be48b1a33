"""SQL for whoever looks after a server, run on one."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.postgres import shown

from winnow.adapters.stores import partitions as distribution
from winnow.adapters.stores import schema
from winnow.adapters.stores.partitions import PartitionBy
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

STUB = """
CREATE FUNCTION create_distributed_table(name text, by text, colocate_with text DEFAULT 'default')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_index i WHERE i.indrelid = name::regclass AND i.indisunique AND NOT EXISTS (
      SELECT FROM pg_attribute a
      WHERE a.attrelid = i.indrelid AND a.attname = by AND a.attnum = ANY(i.indkey))
  ) THEN RAISE 'a unique index of % lacks %', name, by; END IF;
  IF EXISTS (
    SELECT FROM pg_constraint c WHERE c.conrelid = name::regclass AND c.contype = 'f' AND NOT EXISTS (
      SELECT FROM pg_attribute a
      WHERE a.attrelid = c.conrelid AND a.attname = by AND a.attnum = ANY(c.conkey))
  ) THEN RAISE 'a foreign key of % lacks %', name, by; END IF;
  CREATE TABLE IF NOT EXISTS spread (name text);
  INSERT INTO spread VALUES (name);
END $$
"""
"""Refuses what Citus refuses: a key without the column that rows are spread by."""
EMPTIED = """
CREATE FUNCTION truncate_local_data_after_distributing_table(emptied text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM spread WHERE name = emptied) THEN RAISE '% is not distributed', emptied; END IF;
  CREATE TABLE IF NOT EXISTS emptied_too (name text);
  INSERT INTO emptied_too VALUES (emptied);
END $$
"""
"""Refuses a table that is not distributed yet."""


def run(where: str, statements: Iterable[str]) -> None:
    engine = sa.create_engine(where, poolclass=sa.NullPool)
    with engine.begin() as db:
        for statement in statements:
            db.exec_driver_sql(statement.replace("%", "%%"))


def test_tables_made_by_hand_are_those_of_a_store(postgres: sa.URL) -> None:
    run(shown(postgres), distribution.create_tables())
    store = SqlStore.open(shown(postgres), FrozenClock())
    with store._db.read() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []
    store.close()


@pytest.mark.parametrize("by", ["tenant", "user"])
def test_partitions_keep_the_rows_and_change_nothing_for_those_who_use_them(
    postgres_store: str, by: PartitionBy
) -> None:
    store = SqlStore.open(postgres_store, FrozenClock())
    messages = store.storage.messages
    scopes = [Scope(f"t{n}", user=f"u{n}") for n in range(12)]
    for scope in scopes:
        run_blocking(messages.add(scope, [Message("m", "user", f"from {scope.user}")]))
    stamps = [run_blocking(messages.stamp(scope)) for scope in scopes]
    store.close()
    run(postgres_store, distribution.partition_tables(4, by))
    store = SqlStore.open(postgres_store, FrozenClock())
    messages = store.storage.messages
    assert [run_blocking(messages.stamp(scope)) for scope in scopes] == stamps
    assert run_blocking(messages.add(scopes[0], [Message("n", "user", "more")])) == 1
    assert run_blocking(messages.forget(scopes[1])) == 1
    with store._db.read() as db:
        filled = [db.scalar(sa.text(f"SELECT count(*) FROM messages_{n}")) for n in range(4)]
        assert (sum(filled), len([n for n in filled if n]) > 1) == (12, True)
        names = {index["name"] for index in sa.inspect(db).get_indexes("messages")}
        assert names == {"messages_in_time", "messages_by_position"}
    store.close()


def test_nothing_keeps_the_tables_from_being_spread_by_tenant(postgres_store: str) -> None:
    run(postgres_store, [STUB, EMPTIED, *distribution.distribute_tables()])
    engine = sa.create_engine(postgres_store, poolclass=sa.NullPool)
    with engine.connect() as db:
        spread = list(db.scalars(sa.text("SELECT name FROM spread")))
        emptied = list(db.scalars(sa.text("SELECT name FROM emptied_too")))
    assert sorted(emptied) == sorted(spread)
    assert set(spread) == {table.name for table in schema.metadata.sorted_tables}
    assert spread.index("homes") < spread.index("devices")
