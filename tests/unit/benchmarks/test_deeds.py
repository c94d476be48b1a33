from __future__ import annotations

import pytest
from benchmarks.deeds import covered, does, matching, near, spelled


@pytest.mark.parametrize(
    ("wanted", "given", "same"),
    [
        (40, 40.4, True),
        (40, 41, False),
        (2700, 2720, True),
        (0.4, 0.404, True),
        (0.4, 0.42, False),
        (1, 0.6, False),
        ("Cool ", "cool", True),
        (True, 1, False),
        ("21", 21, True),
        ("(255, 0, 0)", [255, 0, 0], True),
        ([255, 0], [255, 0, 0], False),
        ("jazz", ["jazz"], True),
    ],
)
def test_values_are_near_when_a_person_would_not_notice(wanted: object, given: object, same: bool) -> None:
    assert near(wanted, given) is same


@pytest.mark.parametrize(
    ("device", "command", "args", "spelling"),
    [
        ("light.desk", "light.turn_on", {"brightness": 51}, ("light.turn_on", {"brightness_pct": 20.0})),
        ("light.desk", "light.turn_on", {"brightness_pct": 0}, ("light.turn_off", {})),
        (
            "light.desk",
            "light.turn_on",
            {"color_name": "Blue"},
            ("light.turn_on", {"rgb_color": [0, 0, 255]}),
        ),
        ("light.desk", "homeassistant.turn_off", None, ("light.turn_off", {})),
        ("cover.blind", "homeassistant.turn_on", None, ("cover.open_cover", {})),
        ("cover.blind", "cover.set_cover_position", {"position": 100}, ("cover.open_cover", {})),
        (
            "cover.blind",
            "cover.set_cover_position",
            {"position": 30},
            ("cover.set_cover_position", {"position": 30}),
        ),
        ("fan.attic", "fan.turn_on", {"percentage": 50}, ("fan.set_percentage", {"percentage": 50})),
        ("fan.attic", "fan.set_percentage", {"percentage": 0}, ("fan.turn_off", {})),
        ("climate.hall", "climate.set_hvac_mode", {"hvac_mode": "off"}, ("climate.turn_off", {})),
        (
            "media_player.bar",
            "media_player.volume_set",
            {"volume_level": 30},
            ("media_player.volume_set", {"volume_level": 0.3}),
        ),
        ("script.tea", "script.tea", None, ("script.turn_on", {})),
        ("d1", "main-switch-on", {"value": 1}, ("main-switch-on", {"value": 1})),
    ],
)
def test_one_deed_has_one_spelling(
    device: str, command: str, args: dict[str, object] | None, spelling: tuple[str, object]
) -> None:
    assert spelled(device, command, args) == spelling


def test_a_call_may_carry_more_than_was_asked() -> None:
    wanted = {"device": "light.desk", "commands": ["light.turn_on"], "args": {}}
    assert does({"device": "light.desk", "command": "light.turn_on", "args": {"transition": 2}}, wanted)


def test_a_sole_argument_may_have_any_name() -> None:
    wanted = {"device": "d1", "commands": ["setLevel"], "args": {"value": 40}}
    assert does({"device": "d1", "command": "setLevel", "args": {"level": 40}}, wanted)
    assert not does({"device": "d1", "command": "setLevel", "args": {"level": 60}}, wanted)


def test_the_same_command_of_another_device_does_something_else() -> None:
    assert not does(
        {"device": "d2", "command": "on", "args": {}}, {"device": "d1", "commands": ["on"], "args": {}}
    )


def test_repeating_a_wanted_call_is_no_harm() -> None:
    call = {"device": "d1", "command": "on", "args": {}}
    assert matching([call, call], [{"device": "d1", "commands": ["on"], "args": {}}]) == (1, 0)


def test_a_call_that_nobody_wanted_is_counted() -> None:
    calls = [{"device": "d1", "command": "on", "args": {}}, {"device": "d2", "command": "on", "args": {}}]
    wanted = [{"device": "d1", "commands": ["on"], "args": {}}]
    assert matching(calls, wanted) == (1, 1)
    assert matching(calls, wanted, optional=[{"device": "d2", "commands": ["on"], "args": {}}]) == (1, 0)


def test_a_reading_may_come_from_a_device_that_serves_as_well() -> None:
    wanted = [{"device": "s1", "attribute": "temperature", "or": ["s2"]}]
    assert covered([{"device": "s2", "attribute": "main-sensor-temperature"}], wanted)
    assert not covered([{"device": "s2", "attribute": "main-sensor-humidity"}], wanted)
    assert not covered([{"device": "s3"}], wanted)
