from __future__ import annotations

import pytest

from winnow.types.home import Attribute, Command, Device, Floor, Home, Parameter, Profile, Room
from winnow.types.state import Snapshot


@pytest.fixture
def home() -> Home:
    """Two lamps of one name, two more of another, a fan, and a front door; in Chinese and English."""
    lamp = Profile(
        "lamp",
        (
            Command("on", "Switch.On", "打开 / turn on"),
            Command("off", "Switch.Off", "关闭 / turn off"),
            Command(
                "dim",
                "Brightness.Set",
                "设置亮度 / set brightness",
                (Parameter("level", "number", 0, 100, "%"),),
            ),
        ),
        (Attribute("switch", "switch"), Attribute("brightness", "brightness", unit="%")),
    )
    bolt = Profile(
        "bolt",
        (Command("lock", "Lock.Lock", "上锁 / lock"), Command("unlock", "Lock.Unlock", "解锁 / unlock")),
        (Attribute("lock", "lock"),),
    )
    return Home(
        id="flat",
        name="Flat",
        source="neutral",
        floors=(Floor("f1", "一楼", ("first floor",), 1), Floor("f2", "二楼", ("second floor",), 2)),
        rooms=(
            Room("study", "书房", ("study",), "f1"),
            Room("hall", "客厅", ("hall",), "f1"),
            Room("bed", "卧室", ("bedroom",), "f2"),
        ),
        profiles=(lamp, bolt),
        devices=(
            Device("study.wall", "壁灯", "lamp", ("light",), ("wall lamp",), "study"),
            Device("hall.wall", "壁灯", "lamp", ("light",), ("wall lamp",), "hall"),
            Device("bed.left", "床头灯左", "lamp", ("light",), ("left bedside lamp",), "bed"),
            Device("bed.right", "床头灯右", "lamp", ("light",), ("right bedside lamp",), "bed"),
            Device("hall.desk", "台灯", "lamp", ("light",), ("desk lamp",), "hall"),
            Device("hall.door", "大门锁", "bolt", ("lock",), ("front door lock",), "hall"),
            Device("study.door", "书房门锁", "bolt", ("lock",), ("study door lock",), "study"),
        ),
    )


@pytest.fixture
def states(home: Home) -> Snapshot:
    """Every lamp is off, at 30 %; both doors are locked."""
    dark, shut = {"switch": "off", "brightness": 30}, {"lock": "locked"}
    told = {d.id: dark if d.profile_id == "lamp" else shut for d in home.devices}
    return Snapshot(told, read_at=0.0, source="neutral")
