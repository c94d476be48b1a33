"""Calls as the commands API wants them."""

from __future__ import annotations

import pytest

from winnow.adapters.platforms.smartthings.live_home import command_body, device_of
from winnow.types.verdict import Call


@pytest.mark.parametrize(
    ("device", "command", "given", "sent"),
    [
        ("d", "main-switch-on", {}, ("main", "switch", "on", [])),
        ("d/switch2", "switch2-switch-off", {}, ("switch2", "switch", "off", [])),
        ("d/icemaker-02", "icemaker-02-switch-on", {}, ("icemaker-02", "switch", "on", [])),
        ("d", "main-switch", {"value": "off"}, ("main", "switch", "off", [])),
        ("d", "main-switchLevel", {"value": 20}, ("main", "switchLevel", "setLevel", [20])),
        ("d", "main-switchLevel-setLevel", {"value": 30.0}, ("main", "switchLevel", "setLevel", [30])),
        ("d", "main-switchLevel-setLevel", {"value": "30"}, ("main", "switchLevel", "setLevel", [30])),
        ("d", "main-tvChannel-setTvChannel", {"value": 7}, ("main", "tvChannel", "setTvChannel", ["7"])),
        (
            "d",
            "main-thermostatHeatingSetpoint-setHeatingSetpoint",
            {"value": 21.5},
            ("main", "thermostatHeatingSetpoint", "setHeatingSetpoint", [21.5]),
        ),
        (
            "d",
            "main-colorControl-setColor",
            {"value": "blue"},
            ("main", "colorControl", "setColor", [{"hue": 66.67, "saturation": 100.0}]),
        ),
        (
            "d",
            "main-colorControl-setColor",
            {"value": {"hue": 1, "saturation": 2}},
            ("main", "colorControl", "setColor", [{"hue": 1, "saturation": 2}]),
        ),
        ("d", "main-securitySystem-armAway", {}, ("main", "securitySystem", "armAway", [False])),
        (
            "d",
            "main-securitySystem-armStay",
            {"bypassAll": True},
            ("main", "securitySystem", "armStay", [True]),
        ),
        (
            "d",
            "main-lockCodes-setCode",
            {"codeName": "guest", "codePIN": "1234", "codeSlot": 3},
            ("main", "lockCodes", "setCode", [3, "1234", "guest"]),
        ),
        (
            "d",
            "main-lockCodes-setCode",
            {"value": {"codeName": "guest", "codePIN": "1234", "codeSlot": 3}},
            ("main", "lockCodes", "setCode", [3, "1234", "guest"]),
        ),
        (
            "d",
            "main-catnap12345.petDoor-swing",
            {"value": 3.0, "then": "stay"},
            ("main", "catnap12345.petDoor", "swing", [3, "stay"]),
        ),
    ],
)
def test_a_call_names_its_component_and_sends_what_the_capability_takes(
    device: str, command: str, given: dict[str, object], sent: tuple[object, ...]
) -> None:
    names = ("component", "capability", "command", "arguments")
    body = command_body(Call(device, command, given))
    assert body == dict(zip(names, sent, strict=True))
    assert [type(value) for value in body["arguments"]] == [type(value) for value in sent[3]]  # type: ignore[attr-defined, index]


@pytest.mark.parametrize(
    "call",
    [
        Call("d", "switch2-switch-on"),
        Call("d/switch2", "main-switch-on"),
        Call("d", "main-"),
        Call("d", "light.turn_on"),
        Call("d", "main-catnap12345.petDoor", {"value": "open"}),
    ],
    ids=lambda call: f"{call.device_id} {call.command_id}",
)
def test_nothing_is_made_of_what_is_no_command_of_that_component(call: Call) -> None:
    assert command_body(call) is None


def test_a_part_is_reached_through_its_device() -> None:
    assert [device_of(Call(i, "x")) for i in ("d", "d/switch2")] == ["d", "d"]
