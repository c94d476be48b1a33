from __future__ import annotations

from collections.abc import Callable

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from winnow.errors import StoreError
from winnow.stores import migrate, schema
from winnow.stores.store import Store
from winnow.types.catalog import Home
from winnow.types.session import Session


def test_the_named_head_is_the_last_migration() -> None:
    assert migrate.newest() == schema.HEAD


def test_a_new_store_is_at_the_head(store: Store) -> None:
    assert store.revision() == schema.HEAD


def test_the_migrations_build_exactly_the_schema(store: Store) -> None:
    with store._db.read() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []


def test_every_part_of_a_home_has_its_home_first_in_the_key() -> None:
    for table in [*schema.PARTS.values(), schema.imports, *schema.REMEMBERED]:
        assert next(iter(table.primary_key.columns)).name == "home_id"


def test_a_store_of_the_first_revision_keeps_its_homes(
    store: Store, home: Home, reopen: Callable[[], Store]
) -> None:
    store.save_home(home)
    with store._db.write() as db:
        for table in schema.REMEMBERED:
            db.exec_driver_sql(f"DROP TABLE {table.name}")
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    store.close()
    again = reopen()
    assert again.revision() == schema.HEAD
    assert again.load_home("flat").devices == home.devices
    assert again.sessions.session("flat", "s") == Session()


def test_a_store_of_a_newer_winnow_is_refused(store: Store, reopen: Callable[[], Store]) -> None:
    with store._db.write() as db:
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError) as caught:
        reopen()
    assert "newer Winnow" in caught.value.hint
