from __future__ import annotations

import pytest
from tests.traits import known_traits

from winnow.adapters.testing.fakes import simulated_home


@pytest.mark.parametrize("devices", [0, 1, 12, 13, 3000])
def test_it_has_exactly_as_many_devices_as_asked(devices: int) -> None:
    assert len(simulated_home(devices).home.devices) == devices


def test_the_same_seed_gives_the_same_home_and_another_another() -> None:
    assert simulated_home(60, 3) == simulated_home(60, 3)
    assert simulated_home(60, 3).home.devices != simulated_home(60, 4).home.devices


@pytest.mark.parametrize("language", ["zh", "en"])
def test_names_tell_rooms_and_devices_apart(language: str) -> None:
    home = simulated_home(800, language=language).home
    assert len({r.name for r in home.rooms}) == len(home.rooms)
    assert len({(d.room_id, d.name) for d in home.devices}) == 800


def test_everything_it_names_is_there() -> None:
    home = simulated_home(400).home
    assert {d.profile_id for d in home.devices} <= {p.id for p in home.profiles}
    assert {d.room_id for d in home.devices} == {r.id for r in home.rooms}
    assert {r.floor_id for r in home.rooms} == {f.id for f in home.floors}


def test_its_traits_are_those_of_the_tables() -> None:
    assert {c.trait for p in simulated_home(1).home.profiles for c in p.commands} <= known_traits()


def test_every_device_reports_what_its_profile_can_tell() -> None:
    made = simulated_home(60)
    told = {p.id: {a.id for a in p.attributes} for p in made.home.profiles}
    assert all(set(made.states.of(d.id)) == told[d.profile_id] for d in made.home.devices)
