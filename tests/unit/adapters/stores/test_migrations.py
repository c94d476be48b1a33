from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from tests.postgres import shown
from tests.unit.adapters.stores.conftest import both

from winnow.adapters.stores import migrate, schema
from winnow.adapters.stores.database import Database
from winnow.adapters.stores.store import SqlStore
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.home import Home, Lesson, LexiconEntry, Override
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import Question, Turn, Utterance

ANNA = Scope(user="anna", home="flat", session="s")
OTHER = Scope("other", user="anna", home="flat", session="s")
DARK = Snapshot({"d1": {"switch": "off"}, "d2": {}}, source="neutral", offline=frozenset({"d2"}))


@pytest.fixture
def empty(request: pytest.FixtureRequest, where: Path | str, tmp_path: Path) -> Iterator[Database]:
    """A database without tables, of the kind of the test's store."""
    server = isinstance(where, str)
    made = Database(shown(request.getfixturevalue("postgres")) if server else tmp_path / "empty.db", 1.0)
    yield made
    made.close()


def test_the_named_head_is_the_last_migration() -> None:
    scripts = ScriptDirectory.from_config(migrate.alembic_config())
    assert scripts.get_current_head() == schema.SCHEMA_REVISION


def test_a_new_store_is_at_the_head(store: SqlStore) -> None:
    assert store.revision() == schema.SCHEMA_REVISION


@both
def test_the_migrations_build_exactly_the_tables_of_a_new_store(empty: Database, store: SqlStore) -> None:
    with empty.write("schema") as db:
        migrate.upgrade(db)
        assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []
        by_steps = shape(db)
    with store._db.read() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []
        assert shape(db) == by_steps


def shape(db: sa.Connection) -> dict[str, object]:
    """Tables as the database describes them, without what columns are filled with where nothing is told."""
    seen = sa.inspect(db)
    return {
        name: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(name)],
            seen.get_pk_constraint(name)["constrained_columns"],
            seen.get_indexes(name),
            seen.get_unique_constraints(name),
            [{**hangs, "name": ""} for hangs in seen.get_foreign_keys(name)],
        )
        for name in seen.get_table_names()
    }


def test_every_key_begins_with_the_tenant_and_goes_on_with_the_home_or_the_user() -> None:
    second_of = {
        "homes": "id",
        "messages": "user",
        "histories": "user",
        "facts": "user",
        **dict.fromkeys(("shelves", "documents", "passages", "segments", "marks"), "user"),
        **dict.fromkeys(("feedback", "accounts"), "user"),
        "totals": "name",
        "removals": "number",
        "access_keys": "digest",
        "vectors": "key",
        "spaces": "space",
        "claims": "space",
    }
    for table in schema.metadata.sorted_tables:
        first, second, *_ = [column.name for column in table.primary_key.columns]
        assert (first, second) == ("tenant", second_of.get(table.name, "home_id"))
        for hangs in table.foreign_key_constraints:
            assert hangs.column_keys[0] == hangs.elements[0].column.name == "tenant"
        for one_of_a_kind in table.constraints:
            if isinstance(one_of_a_kind, sa.UniqueConstraint):
                assert one_of_a_kind.columns[0].name == "tenant"


def test_a_store_of_a_newer_winnow_is_refused(store: SqlStore, reopen: Callable[[], SqlStore]) -> None:
    with store._db.write() as db:
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError) as caught:
        reopen()
    assert "newer Winnow" in caught.value.hint


def fill(storage: Storage, scope: Scope, home: Home, states: Snapshot = DARK) -> None:
    """A row in every table, in the name of that tenant."""
    said = Utterance("开灯", home=scope.home, user=scope.user, session=scope.session, tenant=scope.tenant)
    run_blocking(storage.homes.save_home(scope, home, states))
    question = Question("q1", scope.home, 1, said, 5.0, "mark")
    run_blocking(storage.sessions.note(scope, [Turn("user", "开灯", ("d1",))], question))
    run_blocking(storage.habits.use(scope, ["d1", "d2"]))
    run_blocking(storage.lexicon.log(scope, [Lesson("小熊", "target", "d1", "light", "on")]))
    run_blocking(storage.lexicon.save_entries(scope, [LexiconEntry(1, "小熊", "alias", "d1", "accepted")]))
    run_blocking(
        storage.overrides.save_overrides(scope, [Override("d1", "夜灯", ("小夜灯",), reach="named")])
    )


def everything(storage: Storage, scope: Scope) -> list[object]:
    """All that is known to that scope."""
    talk = run_blocking(storage.sessions.session(scope)), run_blocking(storage.lexicon.lessons(scope))
    return [*lasting(storage, scope), *talk]


def lasting(storage: Storage, scope: Scope) -> list[object]:
    """The same without what a person said of late."""
    asked = (
        storage.homes.list_homes(scope),
        storage.homes.load_home(scope),
        storage.states.read(scope),
        storage.habits.usage(scope),
        storage.lexicon.entries(scope),
    )
    return [run_blocking(one) for one in asked]
