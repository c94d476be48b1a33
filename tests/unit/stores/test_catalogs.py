"""What every catalog promises, the file and the one in memory alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.errors import HomeNotFound
from winnow.stores.memory import MemoryCatalog
from winnow.stores.store import Store
from winnow.types.catalog import Home

Catalog = Store | MemoryCatalog


def test_a_home_comes_back_as_it_was_saved(catalog: Catalog, home: Home) -> None:
    catalog.save_home(home)
    assert catalog.load_home("flat") == replace(home, version=1)


def test_each_save_raises_the_version(catalog: Catalog, home: Home) -> None:
    assert [catalog.save_home(home) for _ in range(3)] == [1, 2, 3]
    assert catalog.load_home("flat").version == 3


def test_a_save_replaces_the_home_as_a_whole(catalog: Catalog, home: Home) -> None:
    catalog.save_home(home)
    catalog.save_home(Home("flat", "空", "smartthings"))
    assert catalog.load_home("flat") == Home("flat", "空", "smartthings", version=2)


def test_a_version_is_never_used_twice_even_after_deleting(catalog: Catalog, home: Home) -> None:
    catalog.save_home(home)
    catalog.delete_home("flat")
    assert catalog.save_home(home) == 2


def test_homes_are_listed_by_id_with_counts_and_times(catalog: Catalog, home: Home) -> None:
    catalog.save_home(home)
    catalog.save_home(replace(home, id="attic", name="阁楼", devices=()))
    assert [(h.id, h.name, h.source, h.version, h.devices) for h in catalog.list_homes()] == [
        ("attic", "阁楼", "neutral", 1, 0),
        ("flat", "小家", "neutral", 1, 2),
    ]
    assert [h.imported_at for h in catalog.list_homes()] == [1002.0, 1001.0]


def test_two_homes_may_hold_devices_of_the_same_id(catalog: Catalog, home: Home) -> None:
    catalog.save_home(home)
    catalog.save_home(replace(home, id="attic", devices=home.devices[:1]))
    assert len(catalog.load_home("flat").devices) == 2
    assert len(catalog.load_home("attic").devices) == 1


def test_deleting_one_home_leaves_the_others(catalog: Catalog, home: Home) -> None:
    catalog.save_home(home)
    catalog.save_home(replace(home, id="attic"))
    catalog.delete_home("attic")
    assert [h.id for h in catalog.list_homes()] == ["flat"]
    assert catalog.load_home("flat").devices == home.devices


@pytest.mark.parametrize("act", ["load_home", "delete_home"])
def test_an_unknown_home_is_an_error_that_names_the_known_ones(
    catalog: Catalog, home: Home, act: str
) -> None:
    catalog.save_home(home)
    with pytest.raises(HomeNotFound) as caught:
        getattr(catalog, act)("palace")
    assert caught.value.home_id == "palace"
    assert caught.value.known == ("flat",)
    assert "flat" in caught.value.hint
