"""Which acts want a yes first: docs/behaviour.md, "Dangerous things"."""

from __future__ import annotations

import pytest

from winnow.decide.score import call_risk
from winnow.types.home import Command, Device, Parameter
from winnow.types.verdict import Call


def named(trait: str, *kinds: str, **arguments: object) -> str:
    command, device = Command("c", trait), Device("d", "物", "p", kinds)
    return call_risk(command, device, Call("d", "c", arguments))


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
    assert call_risk(command, heater, Call("d", "c", {"v": 30})) == "heat"
    assert call_risk(command, heater, Call("d", "c", {"v": 29})) == ""


def test_a_temperature_without_a_limit_is_not_at_it() -> None:
    open_ended = Parameter("v", "number", None, None, "C")
    command, heater = Command("c", "Temperature.Set", "", (open_ended,)), Device("d", "物", "p", ("heater",))
    assert call_risk(command, heater, Call("d", "c", {})) == ""


@pytest.mark.parametrize(
    "name", ["热水壶插座", "取暖器插座", "电热毯开关", "Water Heater Plug", "Oven Socket", "kettle plug"]
)
def test_what_hangs_on_a_plug_is_what_gets_hot(name: str) -> None:
    plug = Device("d", name, "p", ("plug", "switch"))
    assert call_risk(Command("c", "Switch.On"), plug, Call("d", "c")) == "heat"
    assert call_risk(Command("c", "Switch.Off"), plug, Call("d", "c")) == ""


@pytest.mark.parametrize("name", ["台灯插座", "书桌插座", "Oven Light", "烤箱灯"])
def test_another_name_of_a_plug_heats_nothing(name: str) -> None:
    assert call_risk(Command("c", "Switch.On"), Device("d", name, "p", ("switch",)), Call("d", "c")) == ""


def test_the_words_alone_make_a_plug_a_heater() -> None:
    plug, call = Device("d", "corner", "p", ("plug", "switch")), Call("d", "c")
    assert call_risk(Command("c", "Switch.On"), plug, call, {"heater"}) == "heat"
    assert (
        call_risk(Command("c", "Switch.On"), Device("d", "corner", "p", ("light",)), call, {"heater"}) == ""
    )


@pytest.mark.parametrize("danger", ["heat", "unlock", "open_door", "open_valve", "alarm"])
def test_what_is_known_of_a_device_counts(danger: str) -> None:
    switch = Device("d", "x", "p", ("switch",), danger=danger)
    assert call_risk(Command("c", "Switch.On"), switch, Call("d", "c")) == danger
    assert call_risk(Command("c", "Switch.Off"), switch, Call("d", "c")) == ""


def test_an_owner_may_say_that_it_does_no_harm() -> None:
    kettle = Device("d", "kettle plug", "p", ("plug", "switch"), danger="none")
    assert call_risk(Command("c", "Switch.On"), kettle, Call("d", "c")) == ""
    assert call_risk(Command("c", "Lock.Unlock"), kettle, Call("d", "c")) == "unlock"


@pytest.mark.parametrize(
    ("trait", "arguments", "danger"),
    [
        ("Cover.Open", {}, "open_door"),
        ("Cover.SetPosition", {"v": 40}, "open_door"),
        ("Cover.SetPosition", {"v": 0}, ""),
        ("Cover.Close", {}, ""),
    ],
)
def test_a_gate_is_closed_unasked(trait: str, arguments: dict[str, object], danger: str) -> None:
    for device in (Device("d", "x", "p", ("cover",), danger="open_door"), Device("d", "x", "p", ("gate",))):
        assert call_risk(Command("c", trait), device, Call("d", "c", arguments)) == danger


@pytest.mark.parametrize("mode", ["cool", "dry", "fan_only", "away", "eco", "off"])
def test_a_mode_that_heats_nothing_is_no_danger(mode: str) -> None:
    assert named("Mode.Set", "radiator", v=mode) == ""
    assert named("Mode.Set", "radiator", v="heat") == named("Mode.Set", "radiator", v="comfort") == "heat"


@pytest.mark.parametrize("kind", ["lock", "heater", "garage_door"])
def test_a_lamp_is_none_of_what_its_name_speaks_of(kind: str) -> None:
    assert named("Switch.On", "light", kind) == named("Switch.On", "television", kind) == ""
    assert named("Switch.On", "fan", kind) == named("Switch.On", "switch", kind) != ""
