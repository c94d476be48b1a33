"""Which acts want a yes first: docs/behaviour.md, "Dangerous things"."""

from __future__ import annotations

import pytest

from winnow.decide.risk import risk
from winnow.types.catalog import Command, Device, Parameter
from winnow.types.verdict import Call


def named(trait: str, *kinds: str, **arguments: object) -> str:
    command, device = Command("c", trait), Device("d", "物", "p", kinds)
    return risk(command, device, Call("d", "c", arguments))


@pytest.mark.parametrize(
    "trait", ["Lock.Unlock", "Lock.Open", "Door.Open", "Valve.Open", "Alarm.On", "Alarm.Disarm"]
)
def test_opening_unlocking_and_alarms_are_risky_whatever_the_device(trait: str) -> None:
    assert named(trait, "device")


@pytest.mark.parametrize(
    "trait", ["Lock.Lock", "Door.Close", "Valve.Close", "Alarm.Off", "Switch.Off", "Run.Stop"]
)
@pytest.mark.parametrize("kind", ["lock", "garage_door", "gas_valve", "siren", "oven", "heater"])
def test_the_safe_direction_is_simply_done(trait: str, kind: str) -> None:
    assert named(trait, kind) == ""


@pytest.mark.parametrize(
    "kind",
    [
        "oven",
        "stove",
        "kettle",
        "heater",
        "water_heater",
        "bath_heater",
        "floor_heating",
        "electric_blanket",
        "fireplace",
    ],
)
@pytest.mark.parametrize("trait", ["Switch.On", "Run.Start", "Mode.Heat"])
def test_starting_what_gets_hot_is_risky(kind: str, trait: str) -> None:
    assert named(trait, kind) == "heat"


@pytest.mark.parametrize(
    "kind", ["light", "fan", "air_conditioner", "television", "vacuum", "washer", "curtain", "coffee_maker"]
)
def test_starting_anything_else_is_not(kind: str) -> None:
    assert named("Switch.On", kind) == ""


@pytest.mark.parametrize(("position", "risky"), [(0, False), (1, True), (100, True)])
def test_a_valve_may_be_closed_but_not_opened_by_position(position: int, risky: bool) -> None:
    assert bool(named("Valve.SetPosition", "water_valve", v=position)) is risky


@pytest.mark.parametrize("kind", ["garage_door", "gate"])
def test_a_door_is_not_opened_by_a_side_door(kind: str) -> None:
    assert named("Cover.SetPosition", kind, v=50) == "open_door"


def test_a_heater_switched_to_off_by_its_mode_is_safe() -> None:
    assert named("Mode.Set", "heater", v="off") == ""
    assert named("Mode.Set", "heater", v="heat") == "heat"


def test_an_ovens_temperature_is_an_order_to_heat() -> None:
    assert named("Temperature.Set", "oven", v=200) == "heat"


@pytest.mark.parametrize("trait", ["Brightness.Set", "ColorTemperature.Set", "Volume.Set"])
def test_the_lamp_of_a_heater_is_only_a_lamp(trait: str) -> None:
    assert named(trait, "bath_heater", v=50) == ""


@pytest.mark.parametrize("kind", ["garage_door", "gate"])
def test_a_door_that_is_toggled_may_open(kind: str) -> None:
    assert named("Door.Toggle", kind) == "open_door"
    assert named("Door.Toggle", "light") == ""


def test_a_preference_of_temperature_is_no_danger_short_of_the_most() -> None:
    hottest = Parameter("v", "number", 5, 30, "C")
    command, heater = Command("c", "Temperature.Set", "", (hottest,)), Device("d", "物", "p", ("heater",))
    assert risk(command, heater, Call("d", "c", {"v": 30})) == "heat"
    assert risk(command, heater, Call("d", "c", {"v": 29})) == ""


def test_a_temperature_without_a_limit_is_not_at_it() -> None:
    open_ended = Parameter("v", "number", None, None, "C")
    command, heater = Command("c", "Temperature.Set", "", (open_ended,)), Device("d", "物", "p", ("heater",))
    assert risk(command, heater, Call("d", "c", {})) == ""
