from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.traits import known_traits

from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.traits import (
    floor_of_level,
    home_assistant_kinds,
    level_of_name,
    platform_table,
    plausible_limits,
    smartthings_trait,
    with_parents,
    with_plausible_limits,
)
from winnow.types.home import Parameter


def test_every_command_of_the_shipped_specification_has_a_trait(root: Path) -> None:
    lines = (examples.EXAMPLES_FOLDER / "spec.en.jsonl").read_text(encoding="utf-8").splitlines()
    ids = {
        c["id"].split("-", 1)[1]
        for line in lines
        for c in json.loads(line)["capabilities"]
        if c["id"].startswith("main-")
    }
    assert [i for i in sorted(ids) if not smartthings_trait(*i.split("-", 1))] == []


@pytest.mark.parametrize(
    ("capability", "command", "trait"),
    [
        ("switch", "on", "Switch.On"),
        ("samsungce.robotCleanerOperatingState", "returnToHome", "Vacuum.Dock"),
        ("custom.thermostatSetpointControl", "raiseSetpoint", "Temperature.Up"),
        ("alarm", "both", "Alarm.On"),
        ("firmwareUpdate", "updateFirmware", "Housekeeping"),
        ("vendor.newThing", "setSparkle", "Sparkle.Set"),
        ("vendor.newThing", "sparkle", ""),
    ],
)
def test_smartthings_commands_have_traits(capability: str, command: str, trait: str) -> None:
    assert smartthings_trait(capability, command) == trait


def test_a_level_means_what_the_rest_of_the_profile_makes_of_it() -> None:
    assert smartthings_trait("switchLevel", "setLevel", {"switch"}) == "Brightness.Set"
    assert smartthings_trait("switchLevel", "setLevel", {"windowShade"}) == "Cover.SetPosition"
    assert smartthings_trait("level", "setLevel", {"valve"}) == "Valve.SetPosition"


def test_every_kind_a_table_gives_is_a_kind() -> None:
    names, services = platform_table(), platform_table("services")
    given_kinds = {k for ks in names["smartthings"]["categories"].values() for k in ks}
    given_kinds |= {k for ks in names["smartthings"]["kinds_by_capability"].values() for k in ks}
    given_kinds |= {k for ks in services["kinds"].values() for k in ks} | {
        k for ks in names["parents"].values() for k in ks
    }
    assert given_kinds <= set(names["kinds"])


def test_every_trait_is_two_words() -> None:
    assert [t for t in known_traits() if t != "Housekeeping" and t.count(".") != 1] == []


def test_kinds_are_specific_first() -> None:
    assert with_parents(["plug", "light"])[:2] == ("plug", "light")
    assert with_parents(["floor_heating"]) == ("floor_heating", "heating", "climate")
    assert home_assistant_kinds("binary_sensor", "motion") == ("motion_sensor", "sensor")
    assert home_assistant_kinds("unheard_of", "") == ("device",)


def test_plausible_limits_depend_on_kind_and_unit() -> None:
    assert plausible_limits("Temperature.Set", ["oven"]) == (30, 270)
    assert plausible_limits("Temperature.Set", ["thermostat"], "F") == (41, 104)
    assert plausible_limits("Temperature.Set", ["thermostat"], "") == (5, 104)
    assert plausible_limits("Sparkle.Set", ["oven"]) is None


def setpoint(low: float, kinds: tuple[str, ...], unit: str = "C") -> tuple[float | None, float | None]:
    """Limits of a setpoint declared from ``low`` to 95, as they come out."""
    made = with_plausible_limits(
        Parameter("t", "number", minimum=low, maximum=95, unit=unit), "Temperature.Set", kinds
    )
    return made.minimum, made.maximum


def test_a_heating_with_the_limits_of_its_boiler_takes_room_temperatures() -> None:
    assert setpoint(30, ("heating", "climate")) == (5, 95)
    assert setpoint(86, ("floor_heating", "heating"), "°F") == (41, 95)


@pytest.mark.parametrize(
    ("low", "kinds", "unit"),
    [
        (28, ("heating",), "C"),
        (45, ("heating",), "F"),
        (30, ("water_heater",), "C"),
        (30, ("oven",), "C"),
        (16, ("air_conditioner",), "C"),
    ],
)
def test_other_declared_limits_are_believed(low: float, kinds: tuple[str, ...], unit: str) -> None:
    assert setpoint(low, kinds, unit) == (low, 95)


@pytest.mark.parametrize(
    ("name", "level"),
    [("Second Floor", 2), ("二樓", 2), ("二", 2), ("Basement", -1), ("Upstairs", None), ("花园", None)],
)
def test_names_of_floors_tell_their_level(name: str, level: int | None) -> None:
    assert level_of_name(name) == level


@given(st.integers(min_value=-20, max_value=120), st.sampled_from(["zh", "en"]))
def test_a_floor_never_has_one_name_twice(level: int, language: str) -> None:
    floor = floor_of_level(level, language)
    assert len({floor.name, *floor.aliases}) == 1 + len(floor.aliases)
    assert floor.level == level
