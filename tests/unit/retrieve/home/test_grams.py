"""Names by their pieces: slips that sound like nothing."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.home.small import HOME

from winnow.retrieve.home.index import NameGrams
from winnow.types.home import Device, Home, HomeView, Profile, Room


def grams(*names: str) -> NameGrams:
    devices = tuple(Device(name, name, "p", ("plug",), room_id="hall") for name in names)
    home = Home("h", "x", "neutral", rooms=(Room("hall", "门厅"),), devices=devices, profiles=(Profile("p"),))
    return NameGrams(HomeView.of(home))


def test_one_character_in_three_may_be_another() -> None:
    assert grams("老伙计", "老朋友").like("老伙汁") == {"老伙计": (pytest.approx(2 / 3), "老伙计")}
    assert set(grams("老伙计", "老朋友").like("老朋计")) == {"老伙计", "老朋友"}


def test_the_name_is_compared_without_its_room_too() -> None:
    assert set(grams("门厅空气净化器").like("空气净化机")) == {"门厅空气净化器"}


def test_the_name_itself_is_no_slip_and_figures_never_are() -> None:
    assert grams("老伙计").like("老伙计") == {}
    assert grams("reading lamp 2").like("reading lamp 3") == {}


def test_short_words_are_compared_with_nothing() -> None:
    assert grams("大白").like("大百") == {}
    assert grams("owls").like("owlz") == {}


def test_nothing_of_a_home_is_like_nothing() -> None:
    assert NameGrams(HomeView.of(HOME)).like("") == {}
