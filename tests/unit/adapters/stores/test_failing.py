"""A disk without room, a damaged page, a killed writer: an error that says what to do, and nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import check_store
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

IDA = Scope(user="ida")
PAGE = 4096
WRITER = """
import sys
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

store, SAID = SqlStore.open(sys.argv[1], FrozenClock()), "plums " * 300
if len(sys.argv) > 2:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
for n in range(100_000):
    try:
        run_blocking(store.storage.messages.add(Scope(user="ida"), [Message(f"m{n}", "user", SAID)]))
    except StoreError as error:
        print("error", error.hint, flush=True)
        break
    print(n, flush=True)
"""


async def _read(store: SqlStore) -> list[Message]:
    return [one async for page in store.storage.messages.stream(IDA) for one in page]


def messages(where: Path) -> list[Message]:
    """What the store holds, opened anew, after SQLite found all of it sound."""
    check_store(where)
    store = SqlStore.open(where, FrozenClock())
    found = run_blocking(_read(store))
    store.close()
    return found


def writer(*arguments: object) -> subprocess.Popen[str]:
    return started(WRITER, *arguments)


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LANG": "C.UTF-8"}
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], env=env, text=True, stdout=subprocess.PIPE
    )


def test_where_no_file_may_grow_any_more_it_is_said_and_what_was_kept_is_whole(tmp_path: Path) -> None:
    where = tmp_path / "winnow.db"
    SqlStore.open(where, FrozenClock()).close()
    told = writer(where, where.stat().st_size + 400_000).communicate(timeout=120)[0].splitlines()
    assert told[-1].startswith("error Make room")
    assert len(told) > 10
    assert {f"m{n}" for n in told[:-1]} == {one.id for one in messages(where)}


def test_on_a_full_disk_it_is_said_and_with_room_it_goes_on(tmp_path: Path) -> None:
    where = tmp_path / "winnow.db"
    store, pages = SqlStore.open(where, FrozenClock()), {"most": 0}

    @sa.event.listens_for(store._db.engine, "begin")
    def limit(db: sa.Connection) -> None:
        if pages["most"]:
            db.connection.driver_connection.execute(f"PRAGMA max_page_count={pages['most']}")  # type: ignore[union-attr]

    def add(n: int) -> None:
        run_blocking(store.storage.messages.add(IDA, [Message(f"m{n}", "user", "plums " * 3000)]))

    add(0)
    pages["most"] = 1  # SQLite takes it as: no more than there are
    with pytest.raises(StoreError, match="full") as caught:
        deque(map(add, range(1, 1000)), maxlen=0)
    assert "Make room" in caught.value.hint
    kept = run_blocking(_read(store))
    pages["most"] = 1_000_000
    add(5000)
    assert len(run_blocking(_read(store))) == len(kept) + 1
    store.close()


def test_a_killed_writer_loses_nothing_that_it_had_kept(tmp_path: Path) -> None:
    where = tmp_path / "winnow.db"
    SqlStore.open(where, FrozenClock()).close()
    process = writer(where)
    assert process.stdout is not None
    told = [process.stdout.readline().strip() for _ in range(30)]
    process.send_signal(signal.SIGKILL)
    with process:  # `communicate` would pass over the lines that are read ahead
        told += process.stdout.read().split()
    kept = {one.id for one in messages(where)}
    assert {f"m{n}" for n in told} <= kept
    assert len(kept) <= len(told) + 1


IMPORTER = """
import sys
from dataclasses import replace
from winnow.adapters.platforms import bundle
from winnow.adapters.platforms.registry import load_home
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

store, home = SqlStore.open(sys.argv[1], FrozenClock()), load_home(bundle.EXAMPLES_FOLDER / "home40").home
print("open", flush=True)
for n in range(10_000):
    devices = tuple(replace(d, name=f"{d.name} {n}") for d in home.devices)
    renamed = replace(home, name=str(n), devices=devices)
    run_blocking(store.storage.homes.save_home(Scope(home="home40"), renamed))
"""


@pytest.mark.slow
def test_a_killed_import_leaves_a_whole_home(tmp_path: Path) -> None:
    where, random, seen = tmp_path / "winnow.db", Random(7), set[str]()
    for _ in range(8):
        process = started(IMPORTER, where)
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        time.sleep(0.3 + random.random() / 2)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        store = SqlStore.open(where, FrozenClock())
        home = run_blocking(store.storage.homes.load_home(Scope(home="home40")))
        store.close()
        assert len(home.devices) > 40
        assert all(device.name.endswith(f" {home.name}") for device in home.devices)
        seen.add(home.name)
    assert len(seen) > 1


def test_a_damaged_page_is_an_error_that_says_what_to_do_and_never_fewer_rows(tmp_path: Path) -> None:
    where = tmp_path / "winnow.db"
    store = SqlStore.open(where, FrozenClock())
    said = [Message(f"m{n}", "user", f"plums {n} " * 50) for n in range(400)]
    run_blocking(store.storage.messages.add(IDA, said))
    store.close()
    whole, random, hints = where.read_bytes(), Random(1), set[str]()
    for n in range(40):
        damaged = bytearray(whole)
        at = random.randrange(1, len(whole) // PAGE) * PAGE
        damaged[at : at + PAGE] = random.choice((bytes(PAGE), random.randbytes(PAGE)))
        hurt = tmp_path / f"{n}.db"
        hurt.write_bytes(damaged)
        try:
            opened = SqlStore.open(hurt, FrozenClock())
            found = run_blocking(_read(opened))
        except StoreError as error:
            hints.add(error.hint)
        else:
            opened.close()
            assert [one.content for one in found] == [one.content for one in said]
    assert len(hints) == 1
    assert "put a backup in its place" in hints.pop()


def test_what_a_loss_of_power_may_take_is_as_it_is_told(tmp_path: Path) -> None:
    store = SqlStore.open(tmp_path / "winnow.db", FrozenClock())
    with store._db.read() as db:
        told = [db.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    store.close()
    assert told == ["wal", 1]  # NORMAL: docs/faults.md
