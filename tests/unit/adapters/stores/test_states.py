"""What devices reported at an import stands beside the home: replaced with it, forgotten with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sqlalchemy as sa

from winnow.adapters.stores.store import SqlStore
from winnow.errors import HomeNotFound
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.home import Device, Home, LexiconEntry
from winnow.types.lru import LruCache
from winnow.types.scope import Scope
from winnow.types.state import Snapshot

FLAT, OTHER = Scope(home="flat"), Scope("other", home="flat")


def read(storage: Storage, scope: Scope = FLAT) -> Snapshot:
    return run_blocking(storage.states.read(scope))


def test_states_come_back_as_they_were_saved(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, states))
    assert read(storage) == states


def test_each_import_replaces_them_as_a_whole(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, states))
    run_blocking(storage.homes.save_home(FLAT, home, Snapshot({"d1": {"switch": False}})))
    assert (read(storage).values, read(storage).offline) == ({"d1": {"switch": False}}, frozenset())


def test_what_tells_no_moment_was_read_at_the_import(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, replace(states, read_at=None)))
    (info,) = run_blocking(storage.homes.list_homes(FLAT))
    assert read(storage).read_at == info.imported_at


def test_nothing_is_read_later_than_the_import(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, replace(states, read_at=9e9)))
    (info,) = run_blocking(storage.homes.list_homes(FLAT))
    assert read(storage).read_at == info.imported_at


def test_words_that_are_learned_leave_them_alone(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, states))
    run_blocking(storage.lexicon.save_entries(FLAT, [LexiconEntry(1, "小熊", "alias", "d1", "accepted")]))
    assert run_blocking(storage.homes.load_home(FLAT)).version == 2
    assert read(storage) == states


def test_they_go_with_their_home(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, states))
    run_blocking(storage.homes.delete_home(FLAT))
    with pytest.raises(HomeNotFound):
        read(storage)


def test_another_tenant_has_its_own(storage: Storage, home: Home, states: Snapshot) -> None:
    run_blocking(storage.homes.save_home(FLAT, home, states))
    with pytest.raises(HomeNotFound) as caught:
        read(storage, OTHER)
    assert caught.value.known == ()
    run_blocking(storage.homes.save_home(OTHER, home, Snapshot({"d1": {"switch": False}})))
    assert read(storage, OTHER).value("d1", "switch") is False
    assert read(storage) == states


def test_another_process_reads_the_newest(
    store: SqlStore, home: Home, states: Snapshot, reopen: Callable[[], SqlStore]
) -> None:
    run_blocking(store.storage.homes.save_home(FLAT, home, states))
    other = reopen().storage
    assert read(other) == states
    run_blocking(store.storage.homes.save_home(FLAT, home, Snapshot({"d1": {"switch": False}})))
    assert read(other).value("d1", "switch") is False


def test_a_version_is_read_from_the_file_once(store: SqlStore, home: Home, states: Snapshot) -> None:
    run_blocking(store.storage.homes.save_home(FLAT, home, states))
    read(store.storage)
    with store._db.write() as db:
        db.execute(sa.text("DELETE FROM states"))
    assert read(store.storage) == states


def test_only_the_homes_read_last_are_kept(
    store: SqlStore, home: Home, states: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.storage.states, "_kept", LruCache(1))
    for name in ("flat", "attic"):
        run_blocking(store.storage.homes.save_home(FLAT, replace(home, id=name), states))
        read(store.storage, Scope(home=name))
    with store._db.write() as db:
        db.execute(sa.text("DELETE FROM states"))
    assert read(store.storage, Scope(home="attic")) == states
    assert read(store.storage).values == {}


def test_many_devices_report(store: SqlStore) -> None:
    devices = tuple(Device(f"d{n}", f"灯{n}", "p") for n in range(4500))
    told = Snapshot({d.id: {"on": True} for d in devices}, 1.0, "neutral")
    run_blocking(store.storage.homes.save_home(FLAT, Home("flat", "big", "neutral", devices=devices), told))
    assert read(store.storage) == told
