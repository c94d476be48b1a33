"""A neutral home as its page teaches it: what it measures is told, what it describes is found."""

from __future__ import annotations

from typing import Any

import pytest
from tests.homes import over

from winnow.adapters.platforms.registry import load_home_documents
from winnow.types.state import ImportedHome
from winnow.types.verdict import Act, Call, Nothing, Query, Read

SWITCH: list[dict[str, Any]] = [{"id": "turn_on"}, {"id": "turn_off"}]
DEGREES = {"name": "temperature", "type": "int", "min": 16, "max": 30}
HOME: dict[str, Any] = {
    "id": "h",
    "rooms": [
        {"id": "living", "name": "客厅", "aliases": ["living room"]},
        {"id": "bed", "name": "卧室", "aliases": ["bedroom"]},
    ],
    "devices": [
        {
            "id": "thermometer",
            "name": "小圆",
            "room_id": "living",
            "category": "temperature_sensor",
            "attributes": [{"id": "temperature", "unit": "C"}],
            "state": {"temperature": 28.5},
        },
        {
            "id": "both",
            "name": "小方",
            "room_id": "bed",
            "category": "sensor",
            "attributes": [{"id": "temperature", "unit": "C"}, {"id": "co2", "unit": "ppm"}],
            "state": {"temperature": 20, "co2": 700},
        },
        {
            "id": "ac",
            "name": "空调",
            "aliases": ["air conditioner"],
            "room_id": "living",
            "category": "air_conditioner",
            "commands": [*SWITCH, {"id": "set_temperature", "params": [DEGREES]}],
            "attributes": [{"id": "state"}, {"id": "temperature"}],
            "state": {"state": "on", "temperature": 22},
        },
        {
            "id": "fan",
            "name": "风扇",
            "aliases": ["fan"],
            "room_id": "living",
            "category": "fan",
            "commands": SWITCH,
        },
        {
            "id": "robot",
            "name": "旺财",
            "aliases": ["Rover"],
            "category": "vacuum",
            "commands": [
                {"id": "start"},
                {"id": "return_to_base", "description": "回充"},
                {"id": "c7", "description": "局部清扫"},
            ],
        },
    ],
}


@pytest.fixture(scope="module")
def home() -> ImportedHome:
    return load_home_documents({"home": HOME}, "h", "h")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("客厅多少度", ("thermometer", "temperature")),
        ("客厅现在热不热", ("thermometer", "temperature")),
        ("what is the temperature in the living room", ("thermometer", "temperature")),
        ("how warm is it", ("thermometer", "temperature")),
        ("现在几度", ("thermometer", "temperature")),
        ("卧室温度是多少", ("both", "temperature")),
        ("how warm is it in the bedroom", ("both", "temperature")),
        ("卧室二氧化碳多少", ("both", "co2")),
        ("空调设定的是多少度", ("ac", "temperature")),
        ("what is the air conditioner set to", ("ac", "temperature")),
    ],
)
def test_a_thermometer_answers_and_no_setpoint(home: ImportedHome, said: str, read: tuple[str, str]) -> None:
    assert over(home).sync.retrieve(said).verdict == Query((Read(*read),))


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("如果客厅温度高于27度就打开风扇", True),
        ("客厅超过30度的话打开风扇", False),
        ("if the living room is warmer than 27 degrees turn on the fan", True),
        ("turn on the fan if the living room is above 30 degrees", False),
    ],
)
def test_a_condition_reads_the_thermometer(home: ImportedHome, said: str, holds: bool) -> None:
    verdict = over(home).sync.retrieve(said).verdict
    assert isinstance(verdict, Act if holds else Nothing)
    assert [r.device_id for c in verdict.conditions for r in c.reads] == ["thermometer"]


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("启动旺财", "start"),
        ("旺财回充", "return_to_base"),
        ("start Rover", "start"),
        ("send Rover back to the dock", "return_to_base"),
        ("让旺财局部清扫", "c7"),
    ],
)
def test_a_vacuum_does_what_its_commands_are_called_or_described(
    home: ImportedHome, said: str, command: str
) -> None:
    assert over(home).sync.retrieve(said).verdict == Act((Call("robot", command),))
