"""What is dangerous about a thing by what it can do, and by which part of a device it is."""

from __future__ import annotations

from typing import Any

import pytest

from winnow.adapters.platforms.registry import load_home_documents
from winnow.types.home import Device


def devices(**documents: Any) -> dict[str, Device]:
    return {d.name: d for d in load_home_documents(documents, "h", "h").home.devices}


def climate(*modes: str) -> dict[str, Any]:
    attributes = {"friendly_name": "Corner", "hvac_modes": list(modes), "supported_features": 385}
    return {"get_states": [{"entity_id": "climate.a", "state": "off", "attributes": attributes}]}


ONLY_HEATS = [("off", "heat"), ("heat", "off"), ("heat",), ("off", "heat", "auto")]
DOES_MORE = [
    ("off", "heat", "cool"),
    ("off", "heat_cool"),
    ("off", "cool"),
    ("off", "heat", "fan_only"),
    ("off",),
]


@pytest.mark.parametrize("modes", [*ONLY_HEATS, *DOES_MORE])
def test_a_climate_that_can_only_heat_is_a_heater(modes: tuple[str, ...]) -> None:
    danger = "heat" if modes in ONLY_HEATS else ""
    assert devices(**climate(*modes))["Corner"].danger == danger
    values = [{"value": mode} for mode in modes]
    commands = [{"id": "turn_on"}, {"id": "set_mode", "params": [{"name": "m", "values": values}]}]
    row = {"id": "a", "name": "角落", "category": "climate", "commands": commands}
    assert devices(home={"id": "h", "devices": [row]})["角落"].danger == danger


@pytest.mark.parametrize(
    ("capabilities", "danger"),
    [
        (("switch", "thermostatHeatingSetpoint"), "heat"),
        (("thermostatMode", "thermostatHeatingSetpoint"), "heat"),
        (("switch", "thermostatHeatingSetpoint", "thermostatCoolingSetpoint"), ""),
        (("switch", "airConditionerMode", "thermostatHeatingSetpoint"), ""),
    ],
)
def test_so_is_a_thermostat_that_only_has_a_setpoint_for_heating(
    capabilities: tuple[str, ...], danger: str
) -> None:
    main = {"id": "main", "capabilities": [{"id": name} for name in capabilities], "categories": []}
    row = {"deviceId": "d", "label": "Corner", "components": [main]}
    assert devices(devices={"items": [row]})["Corner"].danger == danger


PARTS = [
    ("浴霸", "暖风", "heat"),
    ("浴霸", "heating", "heat"),
    ("浴霸", "照明", ""),
    ("浴霸", "静音", ""),
    ("浴霸", "蜂鸣器", ""),
    ("浴霸", "电源", "heat"),
    ("Bathroom unit", "Heating", "heat"),
    ("Bathroom unit", "Warm air", ""),
    ("Water heater", "Vacation", ""),
    ("Water heater", "Power", "heat"),
    ("Water heater", "Child lock", ""),
    ("Gate controller", "Siren", "alarm"),
    ("Gate controller", "Beep", ""),
    ("Gate controller", "Night", ""),
]
"""Device, what one of its parts is called, what that risks."""


@pytest.mark.parametrize(("device", "part", "danger"), PARTS)
def test_a_part_is_judged_by_its_own_name(device: str, part: str, danger: str) -> None:
    main = {"id": "main", "capabilities": [{"id": "switch"}, {"id": "powerMeter"}], "categories": []}
    other = {"id": "other", "label": part, "capabilities": [{"id": "switch"}], "categories": []}
    row = {"deviceId": "d", "label": device, "components": [main, other]}
    assert devices(devices={"items": [row]})[f"{device} {part}"].danger == danger

    commands = [{"id": "turn_on"}, {"id": "turn_off"}]
    whole = {"id": "w", "name": device, "category": "device", "commands": commands}
    rest = {"id": "p", "name": f"{device} {part}", "category": "switch", "part_of": "w", "commands": commands}
    assert devices(home={"id": "h", "devices": [whole, rest]})[f"{device} {part}"].danger == danger


@pytest.mark.parametrize(("device", "part", "danger"), PARTS)
def test_so_is_an_entity_of_a_device(device: str, part: str, danger: str) -> None:
    ids = ("switch.a", "switch.b", "fan.c")
    names = (part, "Something", None)
    entities = [
        {"entity_id": i, "device_id": "d", "has_entity_name": True, "original_name": name}
        for i, name in zip(ids, names, strict=True)
    ]
    states = [
        {"entity_id": i, "state": "off", "attributes": {"friendly_name": f"{device} {name or ''}".strip()}}
        for i, name in zip(ids, names, strict=True)
    ]
    documents = {
        "get_states": states,
        "config/entity_registry/list": entities,
        "config/device_registry/list": [{"id": "d", "name": device, "identifiers": []}],
    }
    found = devices(**documents)[f"{device} {part}"]
    assert found.danger == danger
    assert found.kinds[0] == ("switch" if danger else "setting")
