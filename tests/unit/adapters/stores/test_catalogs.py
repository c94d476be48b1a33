"""What every catalog promises, the file and the one in memory alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.errors import HomeNotFound
from winnow.ports.services import run_blocking
from winnow.ports.stores import Catalog, Storage
from winnow.types.home import Home
from winnow.types.scope import Scope

FLAT, ATTIC = Scope(home="flat"), Scope(home="attic")


@pytest.fixture
def homes(storage: Storage) -> Catalog:
    return storage.homes


def test_a_home_comes_back_as_it_was_saved(homes: Catalog, home: Home) -> None:
    run_blocking(homes.save_home(FLAT, home))
    assert run_blocking(homes.load_home(FLAT)) == replace(home, version=1)


def test_each_save_raises_the_version(homes: Catalog, home: Home) -> None:
    assert [run_blocking(homes.save_home(FLAT, home)) for _ in range(3)] == [1, 2, 3]
    assert run_blocking(homes.load_home(FLAT)).version == 3


def test_a_save_replaces_the_home_as_a_whole(homes: Catalog, home: Home) -> None:
    run_blocking(homes.save_home(FLAT, home))
    run_blocking(homes.save_home(FLAT, Home("flat", "空", "smartthings")))
    assert run_blocking(homes.load_home(FLAT)) == Home("flat", "空", "smartthings", version=2)


def test_a_version_is_never_used_twice_even_after_deleting(homes: Catalog, home: Home) -> None:
    run_blocking(homes.save_home(FLAT, home))
    run_blocking(homes.delete_home(FLAT))
    assert run_blocking(homes.save_home(FLAT, home)) == 2


def test_homes_are_listed_by_id_with_counts_and_times(homes: Catalog, home: Home) -> None:
    run_blocking(homes.save_home(FLAT, home))
    run_blocking(homes.save_home(FLAT, replace(home, id="attic", name="阁楼", devices=())))
    assert [(h.id, h.name, h.source, h.version, h.devices) for h in run_blocking(homes.list_homes(FLAT))] == [
        ("attic", "阁楼", "neutral", 1, 0),
        ("flat", "小家", "neutral", 1, 2),
    ]
    assert [h.imported_at for h in run_blocking(homes.list_homes(FLAT))] == [1002.0, 1001.0]


def test_two_homes_may_hold_devices_of_the_same_id(homes: Catalog, home: Home) -> None:
    run_blocking(homes.save_home(FLAT, home))
    run_blocking(homes.save_home(FLAT, replace(home, id="attic", devices=home.devices[:1])))
    assert len(run_blocking(homes.load_home(FLAT)).devices) == 2
    assert len(run_blocking(homes.load_home(ATTIC)).devices) == 1


def test_deleting_one_home_leaves_the_others(homes: Catalog, home: Home) -> None:
    run_blocking(homes.save_home(FLAT, home))
    run_blocking(homes.save_home(FLAT, replace(home, id="attic")))
    run_blocking(homes.delete_home(ATTIC))
    assert [h.id for h in run_blocking(homes.list_homes(FLAT))] == ["flat"]
    assert run_blocking(homes.load_home(FLAT)).devices == home.devices


@pytest.mark.parametrize("act", ["load_home", "delete_home"])
def test_an_unknown_home_is_an_error_that_names_the_known_ones(homes: Catalog, home: Home, act: str) -> None:
    run_blocking(homes.save_home(FLAT, home))
    with pytest.raises(HomeNotFound) as caught:
        run_blocking(getattr(homes, act)(Scope(home="palace")))
    assert caught.value.home_id == "palace"
    assert caught.value.known == ("flat",)
    assert "flat" in caught.value.hint
