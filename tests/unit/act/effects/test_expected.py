"""What a call should change, and what a home that was looked at since tells of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from winnow.act.effects.expected import consequences, expected_changes, observed_effect
from winnow.types.home import Attribute, Choice, Command, Parameter, Profile, Scalar
from winnow.types.verdict import Call

States = dict[str, Scalar]


def number(name: str, low: float | None = None, high: float | None = None) -> tuple[Parameter, ...]:
    return (Parameter(name, "number", low, high),)


LAMP = Profile(
    "lamp",
    (
        Command("light.turn_on", "Switch.On"),
        Command("light.turn_on", "Brightness.Set", "", number("brightness_pct", 0, 100)),
        Command("light.turn_on", "Brightness.Step", "", number("brightness_step_pct", -100, 100)),
        Command("light.turn_off", "Switch.Off"),
        Command("light.toggle", "Switch.Toggle"),
        Command("light.turn_on", "Color.Set", "", (Parameter("hs_color", "object"),)),
    ),
    (Attribute("state", "switch", "", "", ("on", "off")), Attribute("brightness", "brightness")),
)
SHADE = Profile(
    "shade",
    (
        Command("main-windowShade-open", "Cover.Open"),
        Command("main-windowShade-close", "Cover.Close"),
        Command("main-windowShadeLevel-setShadeLevel", "Cover.SetPosition", "", number("level", 0, 100)),
    ),
    (
        Attribute(
            "main-windowShade-windowShade", "cover", "", "", ("open", "closed", "opening", "partially open")
        ),
        Attribute("main-windowShadeLevel-shadeLevel", "position", "", "%"),
    ),
)
SPEAKER = Profile(
    "speaker",
    (
        Command("volume_up", "Volume.Up"),
        Command("volume_down", "Volume.Down"),
        Command("set_volume", "Volume.Set", "", number("volume", 0, 100)),
        Command("play", "Playback.Play"),
    ),
    (Attribute("volume", "volume"), Attribute("playback", "playback", "", "", ("playing", "paused"))),
)
BULB = Profile(
    "bulb",
    (Command("main-colorControl-setColor", "Color.Set", "", (Parameter("color", "object"),)),),
    (Attribute("main-colorControl-hue", "hue"), Attribute("main-colorControl-saturation", "saturation")),
)
CLIMATE = Profile(
    "climate",
    (
        Command("climate.turn_on", "Switch.On"),
        Command("climate.turn_off", "Switch.Off"),
        Command(
            "climate.set_hvac_mode",
            "Mode.Set",
            "",
            (Parameter("hvac_mode", "choice", choices=tuple(map(Choice, ("off", "cool", "heat")))),),
        ),
    ),
    (Attribute("state", "mode", "", "", ("off", "cool", "heat")), Attribute("temperature", "temperature")),
)
OPEN, LEVEL = (a.id for a in SHADE.attributes)
HUE, SATURATION = (a.id for a in BULB.attributes)
OFF: States = {"state": "off"}
LIT: States = {"state": "on", "brightness": 128}


def on(**arguments: object) -> Call:
    return Call("d", "light.turn_on", arguments)


def call(name: str, **arguments: object) -> Call:
    return Call("d", name, arguments)


SET_COLOUR = "main-colorControl-setColor"
SET_LEVEL = "main-windowShadeLevel-setShadeLevel"
ROWS: list[tuple[Profile, Call, States, States]] = [
    (LAMP, on(), OFF, {"state": "on"}),
    (LAMP, call("light.turn_off"), LIT, {"state": "off"}),
    (LAMP, call("light.toggle"), LIT, {"state": "off"}),
    (LAMP, call("light.toggle"), OFF, {"state": "on"}),
    (LAMP, on(brightness_pct=40), OFF, {"state": "on", "brightness": 102}),
    (LAMP, on(brightness_pct=0), LIT, {"state": "off", "brightness": 0}),
    (LAMP, on(brightness_step_pct=10), LIT, {"state": "on", "brightness": 154}),
    (LAMP, on(brightness_step_pct=-80), LIT, {"state": "off", "brightness": 0}),
    (LAMP, on(brightness_step_pct=80), LIT, {"state": "on", "brightness": 255}),
    (LAMP, on(brightness_step_pct=20), OFF, {"state": "on", "brightness": 51}),
    (LAMP, on(brightness_step_pct=20), {"state": "on"}, {}),
    (LAMP, on(brightness_step_pct=60), {"state": "on", "brightness": 0}, {"state": "on", "brightness": 153}),
    (SHADE, call("main-windowShade-open"), {}, {OPEN: "open", LEVEL: 100}),
    (SHADE, call("main-windowShade-close"), {}, {OPEN: "closed", LEVEL: 0}),
    (SHADE, call(SET_LEVEL, level=0), {}, {OPEN: "closed", LEVEL: 0}),
    (SHADE, call(SET_LEVEL, level=30), {}, {OPEN: "partially open", LEVEL: 30}),
    (SHADE, call(SET_LEVEL, level=100), {}, {OPEN: "open", LEVEL: 100}),
    (SPEAKER, call("set_volume", volume=35), {"volume": 20}, {"volume": 35}),
    (SPEAKER, call("volume_down"), {"volume": 0}, {"volume": 0}),
    (SPEAKER, call("volume_up"), {"volume": 100}, {"volume": 100}),
    (SPEAKER, call("volume_up"), {}, {}),
    (SPEAKER, call("nothing_of_it"), {"volume": 1}, {}),
    (BULB, call(SET_COLOUR, color={"hue": 10, "saturation": 90}), {}, {HUE: 10, SATURATION: 90}),
    (BULB, call(SET_COLOUR, color={"hue": 10, "level": 5}), {}, {HUE: 10}),
    (CLIMATE, call("climate.set_hvac_mode", hvac_mode="heat"), OFF, {"state": "heat"}),
    (CLIMATE, call("climate.turn_off"), {"state": "cool"}, {"state": "off"}),
    (CLIMATE, call("climate.turn_on"), OFF, {"state": "heat"}),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "given", "before", "changes"), ROWS)
def test_a_call_should_change(profile: Profile, given: Call, before: States, changes: States) -> None:
    assert expected_changes(given, profile, before) == changes


@pytest.mark.parametrize(("profile", "given", "before", "changes"), ROWS)
def test_what_devices_mostly_do_besides_takes_nothing_away(
    profile: Profile, given: Call, before: States, changes: States
) -> None:
    assert consequences(given, profile, before).items() >= changes.items()


@pytest.mark.parametrize(
    ("profile", "given", "before", "now", "shown"),
    [
        (LAMP, on(), OFF, {"state": "on"}, "yes"),
        (LAMP, on(), OFF, {"state": "ON"}, "yes"),
        (LAMP, on(), OFF, OFF, "no"),
        (LAMP, on(), {}, {}, "silent"),
        (LAMP, on(brightness_pct=40), OFF, {"state": "on", "brightness": 103}, "yes"),
        (LAMP, on(brightness_pct=40), OFF, {"state": "on", "brightness": 30}, "no"),
        (LAMP, on(hs_color=[30, 100]), LIT, LIT, "silent"),
        (SHADE, call(SET_LEVEL, level=30), {LEVEL: 100}, {LEVEL: 80}, "coming"),
        (SHADE, call(SET_LEVEL, level=30), {LEVEL: 50}, {LEVEL: 80}, "no"),
        (SHADE, call(SET_LEVEL, level=30), {LEVEL: 100}, {LEVEL: 100}, "no"),
        (SHADE, call(SET_LEVEL, level=30), {}, {LEVEL: 60}, "no"),
        (SHADE, call("main-windowShade-open"), {OPEN: "closed"}, {OPEN: "opening"}, "coming"),
        (SHADE, call("main-windowShade-open"), {OPEN: "closed"}, {OPEN: "closed"}, "no"),
        (SPEAKER, call("volume_up"), {"volume": 20}, {"volume": 25}, "yes"),
        (SPEAKER, call("volume_up"), {"volume": 20}, {"volume": 15}, "no"),
        (SPEAKER, call("volume_down"), {"volume": 20}, {"volume": 15}, "yes"),
        (SPEAKER, call("volume_down"), {"volume": 20}, {"volume": 25}, "no"),
        (
            SPEAKER,
            call("set_volume", volume=60),
            {"volume": 20},
            {"volume": 25},
            "no",
        ),  # steps alone are free
        (LAMP, on(brightness_step_pct=20), LIT, {"state": "on", "brightness": 140}, "yes"),
        (LAMP, on(brightness_step_pct=20), LIT, {"state": "on", "brightness": 120}, "no"),
        (SPEAKER, call("nothing_of_it"), {"volume": 1}, {"volume": 2}, "silent"),
        (CLIMATE, call("climate.turn_on"), OFF, {"state": "heat"}, "yes"),
        (CLIMATE, call("climate.turn_on"), OFF, {"state": "cool"}, "yes"),  # the mode is left to it
        (CLIMATE, call("climate.turn_on"), OFF, OFF, "no"),
        (CLIMATE, call("climate.turn_off"), {"state": "heat"}, {"state": "heat"}, "no"),
    ],
)
def test_what_is_seen_tells_whether_it_was_done(
    profile: Profile, given: Call, before: Mapping[str, Scalar], now: Mapping[str, Scalar], shown: str
) -> None:
    assert observed_effect(given, profile, before, now) == shown
