"""What a store promises that lasts: it is all or nothing, and readers are not disturbed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.conftest import both

from winnow.adapters.stores.store import SqlStore
from winnow.errors import StoreBusy, StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.types.home import Device, Home
from winnow.types.message import Message
from winnow.types.scope import Scope

FLAT = Scope(home="flat")


@both
def test_homes_last_when_the_store_is_opened_again(
    store: SqlStore, home: Home, reopen: Callable[[], SqlStore]
) -> None:
    run_blocking(store.storage.homes.save_home(FLAT, home))
    store.close()
    assert run_blocking(reopen().storage.homes.load_home(FLAT)).devices == home.devices


@both
def test_a_failed_import_leaves_the_old_home_untouched(store: SqlStore, home: Home) -> None:
    run_blocking(store.storage.homes.save_home(FLAT, home))
    with pytest.raises(StoreError) as caught:
        run_blocking(
            store.storage.homes.save_home(
                FLAT, replace(home, name="新", devices=(home.devices[0], home.devices[0]))
            )
        )
    assert "id" in caught.value.hint
    assert run_blocking(store.storage.homes.load_home(FLAT)) == replace(home, version=1)


@both
def test_a_failed_first_import_leaves_nothing(store: SqlStore, home: Home) -> None:
    with pytest.raises(StoreError):
        run_blocking(store.storage.homes.save_home(FLAT, replace(home, rooms=(home.rooms[0], home.rooms[0]))))
    assert run_blocking(store.storage.homes.list_homes(FLAT)) == ()


@both
def test_a_reader_during_a_write_sees_the_old_version(
    store: SqlStore, home: Home, reopen: Callable[[], SqlStore]
) -> None:
    run_blocking(store.storage.homes.save_home(FLAT, home))
    reader = reopen()
    with store._db.write() as db:
        db.exec_driver_sql("DELETE FROM devices")
        db.exec_driver_sql("UPDATE homes SET version = 9")
        assert run_blocking(reader.storage.homes.load_home(FLAT)) == replace(home, version=1)
    assert run_blocking(reader.storage.homes.load_home(FLAT)).version == 9
    version = sa.text("SELECT version FROM homes")
    with reader._db.read() as seen:
        assert seen.scalar(version) == 9
        with store._db.write() as db:  # which ends while somebody reads
            db.exec_driver_sql("UPDATE homes SET version = 10")
        assert seen.scalar(version) == 9
    assert run_blocking(reader.storage.homes.load_home(FLAT)).version == 10


@both
def test_a_reader_keeps_its_moment_while_others_write(
    store: SqlStore, home: Home, reopen: Callable[[], SqlStore]
) -> None:
    run_blocking(store.storage.homes.save_home(FLAT, home))
    with reopen()._db.read() as moment:
        before = moment.exec_driver_sql("SELECT count(*) FROM devices").scalar()
        run_blocking(store.storage.homes.save_home(FLAT, replace(home, devices=())))
        assert moment.exec_driver_sql("SELECT count(*) FROM devices").scalar() == before == 2


@both
def test_a_second_writer_is_told_to_try_again(
    store: SqlStore, home: Home, reopen: Callable[[], SqlStore]
) -> None:
    other = reopen()
    with store._db.write("tenant", "default"), pytest.raises(StoreBusy) as caught:
        run_blocking(other.storage.homes.save_home(FLAT, home))
    assert caught.value.retryable
    assert run_blocking(other.storage.homes.save_home(FLAT, home)) == 1


def test_a_file_that_is_no_database_is_an_error_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "winnow.db"
    path.write_bytes(b"this is not a database, whatever its name says" * 100)
    with pytest.raises(StoreError, match=r"winnow\.db"):
        SqlStore.open(path, SystemClock())


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="Cannot create the folder"):
        SqlStore.open(tmp_path / "file" / "winnow.db", SystemClock())


@both
def test_many_devices_are_stored_in_order(store: SqlStore) -> None:
    devices = tuple(Device(f"d{n}", f"灯{n}", "p") for n in range(4500))
    run_blocking(store.storage.homes.save_home(FLAT, Home("big", "big", "neutral", devices=devices)))
    assert run_blocking(store.storage.homes.load_home(Scope(home="big"))).devices == devices


@both
def test_opening_a_current_store_needs_no_alembic(store: SqlStore, where: Path | str) -> None:
    code = (
        "import sys; from winnow.adapters.stores.store import SqlStore; "
        "from winnow.ports.stores import SystemClock; "
        "from winnow.ports.services import run_blocking; from winnow.types.scope import Scope; "
        f"store = SqlStore.open({str(where)!r}, SystemClock()); "
        "run_blocking(store.storage.homes.list_homes(Scope())); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@both
def test_what_a_person_said_stands_in_no_error(store: SqlStore) -> None:
    with store._db.write() as db:
        db.exec_driver_sql("CREATE UNIQUE INDEX one_role ON messages (role)")
    said = [Message(name, "user", "I like plums.") for name in "mn"]
    with pytest.raises(StoreError) as caught:
        run_blocking(store.storage.messages.add(Scope(user="ida"), said))
    assert "INSERT INTO messages" in str(caught.value.__cause__)
    assert "plums" not in f"{caught.value} {caught.value.__cause__}"
