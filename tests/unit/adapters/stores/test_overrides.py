"""What people say of their things: the same promises on disk and in memory."""

from __future__ import annotations

import pytest

from winnow.errors import HomeNotFound
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.home import Home, Override
from winnow.types.scope import Scope

FLAT, ATTIC = Scope(home="flat"), Scope(home="attic")
HEATER = Override("d2", "取暖器", ("小太阳",), ("heater",), "r1", "heat", "spoken")


def version(storage: Storage) -> int:
    return run_blocking(storage.homes.load_home(FLAT)).version


def test_what_was_said_comes_back_by_the_id_of_the_thing(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    run_blocking(storage.overrides.save_overrides(FLAT, [HEATER, Override("d1", reach="named")]))
    assert run_blocking(storage.overrides.overrides(FLAT)) == (Override("d1", reach="named"), HEATER)
    assert run_blocking(storage.overrides.overrides(ATTIC)) == ()


def test_a_home_of_which_something_else_was_said_is_another_version(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    before = version(storage)
    run_blocking(storage.overrides.save_overrides(FLAT, [HEATER]))
    run_blocking(storage.overrides.save_overrides(FLAT, [HEATER]))
    assert version(storage) == before + 1


def test_it_outlives_an_import_and_goes_with_its_home(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    run_blocking(storage.overrides.save_overrides(FLAT, [HEATER]))
    run_blocking(storage.homes.save_home(FLAT, home))
    assert run_blocking(storage.overrides.overrides(FLAT)) == (HEATER,)
    run_blocking(storage.homes.delete_home(FLAT))
    assert run_blocking(storage.overrides.overrides(FLAT)) == ()


def test_of_a_home_that_is_not_there_nothing_can_be_said(storage: Storage) -> None:
    with pytest.raises(HomeNotFound):
        run_blocking(storage.overrides.save_overrides(FLAT, [HEATER]))
    assert run_blocking(storage.overrides.overrides(FLAT)) == ()
