"""A specification as it is found in the wild: one array, bare strings, empty lists, conditions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.homes import over
from tests.unit.adapters.platforms.payloads import profile_of, smartthings, st_device

from winnow.adapters.platforms.registry import load_home
from winnow.types.home import Command, Home
from winnow.types.verdict import Act, Confirm

NAMES = {
    "Light": [f"{room}灯" for room in ["红", "橙", "黄", "绿", "青", "蓝", "紫", "黑", "白", "灰"]],
    "SmartPlug": [f"{word}插座" for word in ["甲", "乙", "丙", "丁", "戊"]],
    "Blind": [f"{word}窗帘" for word in ["东", "南", "西", "北", "中"]],
    "SmartLock": ["前门锁", "后门锁"],
    "AirConditioner": ["大空调", "小空调", "新空调", "旧空调"],
    "Television": ["大电视", "小电视"],
    "Fan": ["吊扇", "塔扇"],
}
DEVICES = [(name, category) for category, names in NAMES.items() for name in names]
BARE: dict[str, list[dict[str, Any]]] = {
    "Light": [
        {"id": "main-switch", "description": "开关", "type": "string"},
        {
            "id": "main-switchLevel-setLevel",
            "description": "亮度",
            "type": "integer",
            "value_range": [0, 100],
        },
    ],
    "SmartPlug": [{"id": "main-switch-switch", "description": "开关", "type": "string"}],
    "Blind": [{"id": "main-windowShade", "description": "窗帘", "type": "string"}],
    "SmartLock": [{"id": "main-lock", "description": "门锁", "type": "string"}],
    "AirConditioner": [
        {"id": "main-switch-on", "description": "开", "type": "string"},
        {"id": "main-switch-off", "description": "关", "type": "string"},
        {"id": "main-airConditionerMode-setAirConditionerMode", "description": "模式", "type": "string"},
        {"id": "main-thermostatCoolingSetpoint-setCoolingSetpoint", "description": "温度"},
        {"id": "main-custom.spiMode-setSpiMode", "description": "净化", "type": "string"},
    ],
    "Television": [],
    "Fan": [
        {"id": "main-switch", "description": "开关", "type": "string"},
        {"id": "main-fanSpeed", "type": "integer"},
    ],
}
DECLARED = {"Television": ["switch", "audioVolume", "audioMute", "mediaInputSource"]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Thirty devices, and one array of profiles for them."""
    folder = tmp_path_factory.mktemp("wild")
    rows = [_device(number, *device) for number, device in enumerate(DEVICES)]
    smartthings(folder, *rows)
    (folder / "spec.zh.jsonl").unlink()
    profiles = [
        {
            "profileId": category,
            "capabilities": entries,
            "conditions": [{"id": "main-switch-switch", "type": "string"}],
        }
        for category, entries in BARE.items()
    ]
    (folder / "spec.jsonl").write_text(json.dumps(profiles, ensure_ascii=False, indent=1), encoding="utf-8")
    return load_home(folder).home


def _device(number: int, name: str, category: str) -> dict[str, Any]:
    row = st_device(
        f"d{number}", label=name, categories=[(category, "manufacturer")], profile={"id": category}
    )
    row["components"][0]["capabilities"] = [{"id": c} for c in DECLARED.get(category, ())]
    return row


def test_there_are_thirty_devices_and_each_can_do_something(home: Home) -> None:
    assert len(home.devices) == 30
    assert all(profile_of(home, device.id).commands for device in home.devices)


def test_every_command_can_be_planned(home: Home) -> None:
    commands = [c for device in home.devices for c in profile_of(home, device.id).commands]
    assert len(commands) > 70
    assert all(c.trait and _plannable(c) for c in commands), [c for c in commands if not _plannable(c)]


def _plannable(command: Command) -> bool:
    """Whether it needs nothing, or something whose values or limits are known."""
    return all(p.choices or (p.minimum is not None and p.maximum is not None) for p in command.parameters)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("打开红灯", ("main-switch", {"value": "on"})),
        ("关掉红灯", ("main-switch", {"value": "off"})),
        ("红灯调到30%", ("main-switchLevel-setLevel", {"value": 30})),
        ("打开甲插座", ("main-switch-switch", {"value": "on"})),
        ("打开东窗帘", ("main-windowShade", {"value": "open"})),
        ("关上东窗帘", ("main-windowShade", {"value": "close"})),
        ("锁上前门锁", ("main-lock", {"value": "lock"})),
        ("打开前门锁", ("main-lock", {"value": "unlock"})),
        ("打开大空调", ("main-switch-on", {})),
        ("大空调调到制冷模式", ("main-airConditionerMode-setAirConditionerMode", {"value": "cool"})),
        ("大空调调到26度", ("main-thermostatCoolingSetpoint-setCoolingSetpoint", {"value": 26})),
        ("打开大电视", ("main-switch-on", {})),
        ("大电视静音", ("main-audioMute-mute", {})),
        ("打开吊扇", ("main-switch", {"value": "on"})),
    ],
)
def test_what_is_said_becomes_a_call_with_its_value(home: Home, said: str, expected: tuple[str, Any]) -> None:
    verdict = over(home).sync.retrieve(said).verdict
    assert isinstance(verdict, Act | Confirm)
    (call,) = verdict.calls if isinstance(verdict, Act) else verdict.proposed
    assert (call.command_id, dict(call.arguments)) == expected


def test_conditions_are_what_can_be_read(home: Home) -> None:
    assert {a.id for a in profile_of(home, "d0").attributes} == {"main-switch-switch"}


def test_the_folder_above_may_hold_the_specification(tmp_path: Path) -> None:
    folder = smartthings(tmp_path / "villa")
    (folder / "spec.zh.jsonl").rename(tmp_path / "spec.jsonl")
    found = load_home(folder).home
    assert profile_of(found, "d1").commands
