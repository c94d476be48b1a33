"""The cottage is a whole Home Assistant home.

What the scenarios speak of is there and can do what they ask.
"""

from __future__ import annotations

import pytest
from tests.homes import home, imported
from tests.scenarios.runner import device_id

COTTAGE = home("cottage")
DEVICES = {d.id: d for d in COTTAGE.devices}
PROFILES = {p.id: p for p in COTTAGE.profiles}


def keys(name: str) -> set[str]:
    return {c.key for c in PROFILES[DEVICES[device_id(name, COTTAGE)].profile_id].commands}


def test_it_has_two_floors_with_levels() -> None:
    assert [(f.name, f.level) for f in COTTAGE.floors] == [("Ground Floor", 0), ("Upper Floor", 1)]


def test_every_device_has_a_room_but_the_weather_and_the_people() -> None:
    assert {d.kinds[0] for d in COTTAGE.devices if d.room_id is None} == {"weather", "person"}


def test_aliases_come_from_the_registry_entries() -> None:
    assert DEVICES["light.reading_lamp"].aliases == ("the crane",)


def test_disabled_entities_are_left_out() -> None:
    assert "sensor.dusty_signal" not in DEVICES


def test_scenes_and_scripts_are_run_as_a_whole() -> None:
    assert {(s.name, s.command_id) for s in COTTAGE.scenes} == {
        ("Movie Night", "scene.turn_on"),
        ("Candle Dinner", "scene.turn_on"),
        ("Early Bird", "scene.turn_on"),
        ("Bedtime Routine", "script.turn_on"),
    }


@pytest.mark.parametrize(
    ("name", "can", "cannot"),
    [
        ("Hall Light", "light.turn_on#Switch.On", "light.turn_on#Brightness.Set"),
        ("Table Pendant", "light.turn_on#Brightness.Set", "light.turn_on#Color.Set"),
        ("Reading Lamp", "light.turn_on#ColorTemperature.Set", "light.turn_on#Color.Set"),
        ("Bookshelf Strip", "light.turn_on#Color.Set", "switch.turn_on#Switch.On"),
        ("Tiffany Lamp", "switch.turn_on#Switch.On", "light.turn_on#Switch.On"),
        ("Garden Gate", "cover.open_cover#Door.Open", "cover.set_cover_position#Cover.SetPosition"),
        ("Water Main", "valve.close_valve#Valve.Close", "valve.set_valve_position#Valve.SetPosition"),
    ],
)
def test_each_can_do_what_its_flags_say_and_no_more(name: str, can: str, cannot: str) -> None:
    assert can in keys(name)
    assert cannot not in keys(name)


def test_one_lamp_is_offline() -> None:
    states = imported("cottage").states
    assert [d.name for d in COTTAGE.devices if not states.online(d.id)] == ["Landing Light"]
