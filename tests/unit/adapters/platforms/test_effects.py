"""Every command that the tables know does something that shows, or is listed as one that nobody sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from winnow.act.effects.expected import consequences, expected_changes, observed_effect
from winnow.act.effects.thing import effects, names_of, repeatable
from winnow.adapters.platforms.home_assistant.services import entity_commands
from winnow.adapters.platforms.smartthings import abilities
from winnow.adapters.platforms.smartthings.abilities import table_abilities
from winnow.adapters.platforms.smartthings.export import DeviceComponent
from winnow.adapters.platforms.traits import (
    home_assistant_state,
    neutral_quantity,
    neutral_trait,
    platform_table,
)
from winnow.types.home import HOUSEKEEPING, Attribute, Choice, Command, Parameter, Profile, Scalar
from winnow.types.verdict import Call


def given(command: Command, way: int) -> dict[str, object]:
    """Arguments that the command takes: the first choices, or the last."""
    told: dict[str, object] = dict(command.fixed)
    for p in command.parameters:
        number = p.maximum if p.maximum is not None else 21.0
        shape = {"hue": 3, "saturation": 9}
        by_kind = {"choice": "one", "text": "x", "boolean": True, "color": "red", "object": shape}
        told[p.name] = p.choices[way].value if p.choices else by_kind.get(p.kind, number * p.scale)
    return told


def seen(command: Command, profile: Profile) -> bool:
    """Whether the command changes anything of a device, however it was before."""
    numbers: dict[str, Scalar] = {a.id: 1 for a in profile.attributes}
    calls = [Call("d", command.id, given(command, way)) for way in (0, -1)]
    return any(consequences(call, profile, states) for call in calls for states in ({}, numbers))


def is_listed(command: Command) -> bool:
    return bool(effects()["unseen"].keys() & set(names_of(command)))


def smartthings() -> Iterator[tuple[str, Command, Profile]]:
    for name in abilities._capability_table()["capabilities"]:
        found = table_abilities(
            DeviceComponent(capabilities=(name, *PARTNERS.get(name, ()))), ["light"], "en"
        )
        profile = Profile(name, found.commands, found.attributes)
        yield from ((name, c, profile) for c in found.commands if not is_listed(c))


# What a capability that tells nothing by itself is never found without.
PARTNERS: Mapping[str, tuple[str, ...]] = {
    "statelessSwitchLevelStep": ("switchLevel",),
    "statelessColorTemperatureStep": ("colorTemperature",),
    "statelessWindowShadeLevelStep": ("windowShadeLevel",),
    "statelessCurtainPowerButton": ("windowShade",),
    "statelessPowerButton": ("switch",),
    "statelessPowerToggleButton": ("switch",),
    "statelessFanspeedButton": ("fanSpeed",),
    "serviceArea": ("robotCleanerOperatingState",),
    "custom.thermostatSetpointControl": ("thermostatCoolingSetpoint",),
}


def home_assistant() -> Iterator[tuple[str, Command, Profile]]:
    names = platform_table("services")
    lists = {w["list"] for rows in names["services"].values() for r in rows for w in _whens(r) if "list" in w}
    can = {"supported_features": 2**20 - 1, "supported_color_modes": ["rgb", "color_temp"]}
    can |= {name: ["off", "one", "heat"] for name in lists}
    for domain in names["services"]:
        commands = entity_commands(domain, can, ["light"], "C")
        known = names["attributes"]
        attributes = [Attribute("state", home_assistant_state(domain, ""))]
        attributes += [Attribute(a, known.get(f"{domain}.{a}", known[a])) for a in known if "." not in a]
        profile = Profile(domain, commands, tuple(attributes))
        yield from ((domain, c, profile) for c in commands if not is_listed(c))


def _whens(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    when = row.get("when") or {}
    return when if isinstance(when, list) else [when]


def neutral() -> Iterator[tuple[str, Command, Profile]]:
    for method in platform_table()["neutral"]["methods"]:
        category, _, name = f".{method}".rpartition(".")
        category = category.strip(".")
        parameters = (Parameter("value", "number"),) if name.startswith("set_") else ()
        command = Command(name, neutral_trait(category, name), "", parameters)
        own = name.removeprefix("set_")
        told = (own, "state", "degree", "brightness")
        attributes = tuple(Attribute(a, neutral_quantity(category or GUESSED.get(name, ""), a)) for a in told)
        if not is_listed(command):
            yield method, command, Profile("p", (command,), attributes)


# The sort of thing that has a method which any may have.
GUESSED = {
    **dict.fromkeys(("play", "pause", "stop"), "media_player"),
    **dict.fromkeys(("open", "close"), "curtain"),
    **dict.fromkeys(("lock", "unlock"), "lock"),
    "set_cleaning_area": "vacuum_robot",
    "start": "washer",
}


def without_effect(commands: Iterator[tuple[str, Command, Profile]]) -> list[str]:
    return [f"{where}: {c.id} {c.trait}" for where, c, profile in commands if not seen(c, profile)]


def test_every_smartthings_command_has_an_effect() -> None:
    assert without_effect(smartthings()) == []


def test_every_home_assistant_service_has_an_effect() -> None:
    assert without_effect(home_assistant()) == []


def test_every_neutral_method_has_an_effect() -> None:
    assert without_effect(neutral()) == []


def test_what_nobody_sees_is_named_with_the_reason() -> None:
    assert HOUSEKEEPING in effects()["unseen"]
    assert all(isinstance(why, str) and why for why in effects()["unseen"].values())


def lamp(*more: Attribute) -> Profile:
    """A lamp of Home Assistant."""
    can = {"supported_color_modes": ["rgb", "color_temp"]}
    told = (Attribute("state", "switch"), Attribute("brightness", "brightness"), *more)
    return Profile("p", entity_commands("light", can, ["light"]), told)


def numbered(trait: str, quantity: str, unit: str = "") -> Profile:
    set_to = Command("set", trait, "", (Parameter("value", "number", 0, 100),))
    return Profile("p", (set_to,), (Attribute("a", quantity, unit=unit),))


@pytest.mark.parametrize(
    ("arguments", "before", "now", "told"),
    [
        ({"brightness_pct": 40}, {"state": "off"}, {"state": "on", "brightness": 102}, "yes"),
        ({"brightness_pct": 40}, {"state": "off"}, {"state": "on", "brightness": 104}, "yes"),
        (
            {"brightness_pct": 40},
            {"state": "on", "brightness": 200},
            {"state": "on", "brightness": 200},
            "no",
        ),
        ({"brightness_pct": 40}, {"state": "on"}, {"state": "on"}, "silent"),
        (
            {"brightness_pct": 0},
            {"state": "on", "brightness": 9},
            {"state": "off", "brightness": None},
            "yes",
        ),
        ({"color_name": "red"}, {"state": "on"}, {"state": "on"}, "silent"),
        ({"color_name": "red"}, {"state": "off"}, {"state": "off"}, "no"),
        ({}, {"state": "off"}, {"state": "on"}, "yes"),
        ({}, {"state": "off"}, {"state": "off"}, "no"),
        ({}, {"state": "off"}, {"state": "unavailable"}, "no"),
    ],
)
def test_a_lamp_shows_what_it_was_told(
    arguments: dict[str, object], before: dict[str, Scalar], now: dict[str, Scalar], told: str
) -> None:
    assert observed_effect(Call("light.d", "light.turn_on", arguments), lamp(), before, now) == told


@pytest.mark.parametrize(
    ("trait", "quantity", "was", "now", "told"),
    [
        ("FanSpeed.Set", "fan_speed", 0, 66, "yes"),  # three speeds only: the next one above
        ("FanSpeed.Set", "fan_speed", 66, 66, "no"),
        ("FanSpeed.Set", "fan_speed", 0, 33, "no"),
        ("Cover.SetPosition", "position", 0, 20, "coming"),
        ("Cover.SetPosition", "position", 20, 20, "no"),
        ("Cover.SetPosition", "position", 60, 80, "no"),
        ("Temperature.Set", "setpoint", 20, 50.4, "yes"),
        ("Temperature.Set", "setpoint", 20, 51, "no"),
    ],
)
def test_numbers_may_be_rounded_or_on_their_way(
    trait: str, quantity: str, was: float, now: float, told: str
) -> None:
    assert (
        observed_effect(Call("d", "set", {"value": 50}), numbered(trait, quantity), {"a": was}, {"a": now})
        == told
    )


def test_two_settings_of_one_sort_are_kept_apart() -> None:
    modes = Parameter("preset_mode", "choice", choices=(Choice("eco"),))
    command = Command("climate.set_preset_mode", "Mode.Set", "", (modes,))
    state, preset = Attribute("state", "mode"), Attribute("preset_mode", "mode")
    call = Call("d", command.id, {"preset_mode": "eco"})
    assert expected_changes(call, Profile("p", (command,), (state, preset)), {}) == {"preset_mode": "eco"}
    assert expected_changes(call, Profile("p", (command,), (state,)), {"state": "heat"}) == {}


def test_several_arguments_of_one_call_all_count() -> None:
    call = Call("light.d", "light.turn_on", {"brightness_pct": 20, "color_temp_kelvin": 3000})
    warmth = Attribute("color_temp_kelvin", "color_temperature")
    changes = {"state": "on", "brightness": 51, "color_temp_kelvin": 3000}
    assert expected_changes(call, lamp(warmth), {"state": "off"}) == changes


def test_what_does_more_each_time_is_not_repeated() -> None:
    commands = (Command("a", "Button.Press"), Command("b", "Volume.Up"), Command("c", "Switch.On"))
    told = [repeatable(Call("d", c.id), Profile("p", commands)) for c in commands]
    assert told == [False, False, True]
