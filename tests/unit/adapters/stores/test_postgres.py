"""What is different on a server: who waits for whom, and how its faults are told."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.postgres import shown

from winnow.adapters.stores.connection import lock_number, store_place
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreBusy, StoreError
from winnow.ports.services import run_blocking
from winnow.types.home import Home
from winnow.types.message import Message
from winnow.types.scope import Scope

FLAT, IDA, JO = Scope(home="flat"), Scope(user="ida"), Scope(user="jo")
SECRET = "s3cr3t-öß"


@pytest.fixture
def where(postgres_store: str) -> str:
    return postgres_store


@pytest.fixture
def again(where: str) -> Iterator[Callable[[], SqlStore]]:
    """The store, opened once more by a process that hardly waits."""
    opened: list[SqlStore] = []

    def once_more() -> SqlStore:
        opened.append(SqlStore.open(where, FrozenClock(), wait=0.05))
        return opened[-1]

    yield once_more
    for each in opened:
        each.close()


def test_a_new_database_gets_its_tables_from_whoever_comes_first(postgres: sa.URL) -> None:
    async def opened() -> SqlStore:
        return await asyncio.to_thread(SqlStore.open, shown(postgres), FrozenClock())

    async def all_at_once() -> list[SqlStore]:
        return await asyncio.gather(*(opened() for _ in range(4)))

    stores = asyncio.run(all_at_once())
    assert len({store.revision() for store in stores}) == 1
    for store in stores:
        store.close()


def test_writers_of_one_tenant_wait_for_each_other_and_those_of_another_do_not(
    store: SqlStore, again: Callable[[], SqlStore], home: Home
) -> None:
    with store._db.write("tenant", "default"):
        with pytest.raises(StoreBusy):
            run_blocking(again().storage.homes.save_home(FLAT, home))
        assert run_blocking(again().storage.homes.save_home(Scope("other", home="flat"), home)) == 1


def test_who_writes_down_messages_of_one_person_does_not_hold_up_another(
    store: SqlStore, again: Callable[[], SqlStore]
) -> None:
    said = [Message("m1", "user", "I moved to Leeds.")]
    with store._db.write("user", "default", "ida"):
        with pytest.raises(StoreBusy):
            run_blocking(again().storage.messages.add(IDA, said))
        assert run_blocking(again().storage.messages.add(JO, said)) == 1
    assert run_blocking(again().storage.messages.add(IDA, said)) == 1


def test_many_writers_of_one_history_lose_nothing(where: str) -> None:
    patient = SqlStore.open(where, FrozenClock(), wait=10)
    messages = patient.storage.messages
    said = [[Message(f"{n}.{i}", "user", "x") for i in range(3)] for n in range(8)]

    async def all_at_once() -> list[int]:
        return await asyncio.gather(*(messages.add(IDA, part) for part in said))

    assert asyncio.run(all_at_once()) == [3] * 8
    assert run_blocking(messages.stamp(IDA)).count == 24
    patient.close()


def test_locks_of_different_names_are_different() -> None:
    names = [
        ("a",),
        ("a", ""),
        ("", "a"),
        ("a", "b"),
        ("ab",),
        ("user", "t", "u"),
        ("tenant", "t"),
        ("\ud800",),
    ]
    assert len({lock_number(name) for name in names}) == len(names)
    assert all(-(2**63) <= lock_number(name) < 2**63 for name in names)


def test_a_connection_that_was_cut_is_made_again(store: SqlStore, postgres_server: sa.URL) -> None:
    run_blocking(store.storage.messages.users(IDA))
    engine = sa.create_engine(postgres_server, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as other:
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
        other.execute(sa.text(cut), {"name": store._db.place.url.database})
    assert run_blocking(store.storage.messages.users(IDA)) == {}


@pytest.mark.parametrize(("told", "threshold"), [("none", None), ("3", 3)])
def test_statements_are_prepared_as_the_url_says(where: str, told: str, threshold: int | None) -> None:
    opened = SqlStore.open(f"{where}&prepare_threshold={told}&application_name=notes", FrozenClock())
    with opened._db.read() as db:
        assert getattr(db.connection.dbapi_connection, "prepare_threshold", "?") == threshold
        assert db.scalar(sa.text("SELECT current_setting('application_name')")) == "notes"
    opened.close()


def test_a_reader_that_may_not_write_is_told_so(store: SqlStore, where: str) -> None:
    copy = SqlStore.open(f"{where}&options=-cdefault_transaction_read_only%3Don", FrozenClock())
    assert run_blocking(copy.storage.messages.users(IDA)) == {}
    with pytest.raises(StoreError, match="may only be read") as caught:
        run_blocking(copy.storage.messages.add(IDA, [Message("m", "user", "x")]))
    assert "WINNOW_STORE" in caught.value.hint
    copy.close()


def test_a_user_without_rights_is_told_which_are_missing(postgres: sa.URL) -> None:
    engine = sa.create_engine(postgres, poolclass=sa.NullPool)
    with engine.begin() as db:
        db.exec_driver_sql("DROP ROLE IF EXISTS winnow_guest")
        db.exec_driver_sql("CREATE ROLE winnow_guest LOGIN")
    with pytest.raises(StoreError) as caught:
        SqlStore.open(shown(postgres.set(username="winnow_guest")), FrozenClock())
    assert "right" in caught.value.hint
    with engine.begin() as db:
        db.exec_driver_sql("DROP ROLE winnow_guest")


def test_a_server_that_is_not_there_is_an_error_that_may_pass_and_shows_no_password() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(StoreError, match=f"127.0.0.1:{port}/notes") as caught:
        SqlStore.open(f"postgresql://ida:{SECRET}@127.0.0.1:{port}/notes", FrozenClock(), wait=0.1)
    assert caught.value.retryable
    assert SECRET[:6] not in f"{caught.value} {caught.value.hint}"  # not in its form within a URL either


def test_a_database_that_is_not_there_is_named(postgres_server: sa.URL) -> None:
    with pytest.raises(StoreError, match="nowhere") as caught:
        SqlStore.open(shown(postgres_server.set(database="nowhere")), FrozenClock())
    assert "database in WINNOW_STORE" in caught.value.hint


@pytest.mark.parametrize(
    ("url", "told"),
    [
        (f"postgresql://ida:{SECRET}@db.example:5433/notes", "postgresql://ida:***@db.example:5433/notes"),
        (f"postgres://db.example/notes?password={SECRET}", "postgresql://db.example/notes"),
        (f"postgresql+psycopg:///notes?host=/run&sslpassword={SECRET}", "postgresql:///notes"),
    ],
)
def test_the_name_of_a_place_holds_no_password(url: str, told: str) -> None:
    place = store_place(url)
    assert (str(place), SECRET in repr(place)) == (told, False)
    assert place.without_secrets(f"no entry for {SECRET}") == "no entry for ***"


@pytest.mark.parametrize(
    "url", [f"mysql://ida:{SECRET}@h/notes", f"postgresql://ida:{SECRET}@h:port/notes", "sqlite://"]
)
def test_a_url_that_is_no_store_is_an_error_that_does_not_repeat_it(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        store_place(url)
    assert SECRET not in str(caught.value)
    assert "postgresql://" in caught.value.hint


def test_a_file_may_be_given_as_a_url_too(tmp_path: Path) -> None:
    assert store_place(f"sqlite:///{tmp_path}/notes.db").file == store_place(tmp_path / "notes.db").file


def test_without_the_driver_it_is_said_what_to_install() -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from winnow.adapters.stores.store import SqlStore\n"
        "from winnow.adapters.testing.fakes import FrozenClock\n"
        "from winnow.errors import StoreError\n"
        "try: SqlStore.open('postgresql://h/notes', FrozenClock())\n"
        "except StoreError as error: print(error.hint)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert 'pip install ".[postgres]"' in ran.stdout
