"""Importing a home tells what changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.adapters.stores.store import SqlStore
from winnow.engine.home_import import import_home
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.types.home import Device, Home
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome, RenamedDevice, Snapshot

FLAT = Scope(home="flat")


def test_a_first_import_counts_what_it_stored(store: SqlStore, home: Home) -> None:
    report = run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    assert report.first
    assert report.version == 1
    stored = {"floors": 2, "rooms": 2, "devices": 2, "profiles": 1, "scenes": 1, "groups": 1}
    assert report.counts == {**stored, "parts": 0}
    assert report.added == report.removed == report.renamed == ()


def test_a_second_import_names_what_was_added_removed_and_renamed(store: SqlStore, home: Home) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    lamp = home.devices[0]
    report = run_blocking(
        import_home(
            FLAT,
            ImportedHome(
                replace(home, devices=(replace(lamp, name="阅读灯"), Device("d3", "新灯", "dimmer")))
            ),
            store.storage.homes,
        )
    )
    assert not report.first
    assert (report.added, report.removed) == (("d3",), ("d1",))
    assert report.renamed == (RenamedDevice("d2", "台灯", "阅读灯"),)


def test_the_same_home_again_changes_nothing_but_the_version(store: SqlStore, home: Home) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    report = run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    assert report.version == 2
    assert report.added == report.removed == report.renamed == ()


def test_a_device_that_can_do_or_tell_something_else_is_told(store: SqlStore, home: Home) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    profile = replace(home.profiles[0], id="other", commands=home.profiles[0].commands[:1])
    devices = tuple(replace(d, profile_id="other") for d in home.devices if d.id == "d1")
    devices += tuple(d for d in home.devices if d.id != "d1")
    changed = replace(home, profiles=(profile, *home.profiles), devices=devices)
    report = run_blocking(import_home(FLAT, ImportedHome(changed), store.storage.homes))
    assert (report.altered, report.same) == (("d1",), False)


def test_a_profile_that_is_called_otherwise_is_no_change(store: SqlStore, home: Home) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    profiles = tuple(replace(p, id=f"{p.id} 2") for p in home.profiles)
    devices = tuple(replace(d, profile_id=f"{d.profile_id} 2") for d in home.devices)
    again = replace(home, profiles=profiles, devices=devices)
    assert run_blocking(import_home(FLAT, ImportedHome(again), store.storage.homes)).same


def test_rooms_and_scenes_that_changed_are_told(store: SqlStore, home: Home) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    changed = replace(home, rooms=home.rooms[:1], scenes=())
    report = run_blocking(import_home(FLAT, ImportedHome(changed), store.storage.homes))
    assert report.rearranged == ("rooms", "scenes")


def test_a_failed_import_reports_nothing_and_changes_nothing(store: SqlStore, home: Home) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home), store.storage.homes))
    with pytest.raises(StoreError):
        run_blocking(
            import_home(FLAT, ImportedHome(replace(home, scenes=home.scenes * 2)), store.storage.homes)
        )
    assert run_blocking(store.storage.homes.list_homes(FLAT))[0].version == 1


def test_what_its_devices_report_is_stored_beside_it(store: SqlStore, home: Home, states: Snapshot) -> None:
    run_blocking(import_home(FLAT, ImportedHome(home, states), store.storage.homes))
    assert run_blocking(store.storage.states.read(FLAT)) == states
