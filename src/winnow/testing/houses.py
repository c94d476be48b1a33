"""A made-up home of any size, the same for the same seed: for speed tests, charts and demonstrations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from winnow.homes.floors import floor_of_level
from winnow.homes.traits import with_parents
from winnow.types.catalog import (
    Attribute,
    Choice,
    Command,
    Device,
    Home,
    Parameter,
    Profile,
    Room,
    Scalar,
    Scene,
)
from winnow.types.imports import Imported
from winnow.types.state import Snapshot

_PER_ROOM = 12
"""Devices in a room; a home of 3,000 has 250 rooms."""
_PER_FLOOR = 15
"""Rooms on a floor."""

_ROOMS = (
    ("客厅", "living room"), ("主卧", "master bedroom"), ("次卧", "second bedroom"), ("书房", "study"), ("厨房", "kitchen"),
    ("餐厅", "dining room"), ("卫生间", "bathroom"), ("儿童房", "nursery"), ("客房", "guest room"), ("阳台", "balcony"),
    ("玄关", "entrance"), ("健身房", "gym"), ("影音室", "cinema"), ("洗衣房", "laundry"), ("储物间", "store room"),
)  # fmt: skip

_SWITCH = (Command("on", "Switch.On", "打开 / turn on"), Command("off", "Switch.Off", "关闭 / turn off"))


def _number(command: str, trait: str, text: str, low: float, high: float, unit: str = "%") -> Command:
    return Command(command, trait, text, (Parameter("value", "number", low, high, unit),))


def _choice(command: str, trait: str, text: str, *values: str) -> Command:
    return Command(
        command, trait, text, (Parameter("value", "choice", choices=tuple(Choice(v) for v in values)),)
    )


@dataclass(frozen=True, slots=True)
class _Make:
    """What is made of each kind: its names, its profile, and how often it is found."""

    kind: str
    names: tuple[tuple[str, str], ...]
    commands: tuple[Command, ...]
    attributes: tuple[tuple[str, str], ...]
    """(quantity, unit)"""
    weight: int


_LIT = (("switch", ""), ("brightness", "%"))
_BOLT = (Command("lock", "Lock.Lock", "上锁 / lock"), Command("unlock", "Lock.Unlock", "开锁 / unlock"))
_DIM = _number("setLevel", "Brightness.Set", "设置亮度 / set brightness", 0, 100)
_WARM = _number(
    "setColorTemperature", "ColorTemperature.Set", "设置色温 / set colour temperature", 2700, 6500, "K"
)
_SHADE = (
    Command("open", "Cover.Open", "打开 / open"), Command("close", "Cover.Close", "关闭 / close"),
    Command("pause", "Cover.Stop", "停止 / stop"),
    _number("setShadeLevel", "Cover.SetPosition", "设置开合度 / set position", 0, 100),
)  # fmt: skip
_CLIMATE = (
    *_SWITCH, _number("setCoolingSetpoint", "Temperature.Set", "设置温度 / set temperature", 16, 30, "C"),
    _choice("setMode", "Mode.Set", "设置模式 / set mode", "cool", "heat", "dry", "auto"),
)  # fmt: skip
_WIND = _number("setPercent", "FanSpeed.Set", "设置风速 / set fan speed", 0, 100)
_LOUD = (
    _number("setVolume", "Volume.Set", "设置音量 / set volume", 0, 100), Command("play", "Playback.Play", "播放 / play"),
    Command("pause", "Playback.Pause", "暂停 / pause"),
)  # fmt: skip

_MAKES = (
    _Make("light", (("主灯", "main light"), ("吊灯", "pendant"), ("射灯", "spotlight")), _SWITCH, (("switch", ""),), 14),
    _Make("light", (("台灯", "desk lamp"), ("落地灯", "floor lamp"), ("床头灯", "bedside lamp")), (*_SWITCH, _DIM), _LIT, 14),
    _Make("light", (("灯带", "light strip"), ("筒灯", "downlight")), (*_SWITCH, _DIM, _WARM), _LIT, 10),
    _Make("plug", (("插座", "plug"),), _SWITCH, (("switch", ""), ("power", "W")), 8),
    _Make("curtain", (("窗帘", "curtain"), ("纱帘", "sheer curtain")), _SHADE, (("cover", ""), ("position", "%")), 8),
    _Make("air_conditioner", (("空调", "air conditioner"),), _CLIMATE, (("switch", ""), ("temperature", "C"), ("setpoint", "C")), 6),
    _Make("fan", (("风扇", "fan"),), (*_SWITCH, _WIND), (("switch", ""), ("fan_speed", "%")), 4),
    _Make("air_purifier", (("空气净化器", "air purifier"),), (*_SWITCH, _WIND), (("switch", ""), ("pm25", "μg/m^3")), 3),
    _Make("humidifier", (("加湿器", "humidifier"),), _SWITCH, (("switch", ""), ("humidity", "%")), 3),
    _Make("speaker", (("音箱", "speaker"),), _LOUD, (("volume", "%"), ("playback", "")), 4),
    _Make("television", (("电视", "television"),), (*_SWITCH, *_LOUD), (("switch", ""), ("volume", "%")), 3),
    _Make("lock", (("门锁", "lock"),), _BOLT, (("lock", ""),), 2),
    _Make("temperature_sensor", (("温度传感器", "thermometer"),), (), (("temperature", "C"), ("humidity", "%")), 6),
    _Make("motion_sensor", (("人体传感器", "motion sensor"),), (), (("motion", ""), ("battery", "%")), 6),
    _Make("contact_sensor", (("门窗传感器", "window sensor"),), (), (("contact", ""), ("battery", "%")), 5),
    _Make("leak_sensor", (("水浸传感器", "leak sensor"),), (), (("leak", ""), ("battery", "%")), 2),
)  # fmt: skip

_WORDS = {
    "switch": ("on", "off"), "cover": ("open", "closed"), "lock": ("locked", "unlocked"), "motion": ("active", "inactive"),
    "contact": ("open", "closed"), "leak": ("dry", "wet"), "playback": ("playing", "paused"),
}  # fmt: skip
_NUMBERS = {"temperature": (16, 30), "setpoint": (18, 28), "power": (0, 300), "pm25": (5, 90)}


def simulated_home(devices: int, seed: int = 0, language: str = "zh") -> Imported:
    """A home of exactly ``devices`` devices, 12 a room and 15 rooms a floor, of 16 profiles.

    Every name is unique within its room; every device reports something.
    """
    rng = random.Random(seed)
    english = language == "en"
    rooms = tuple(_room(i, english) for i in range(-(-devices // _PER_ROOM)))
    makes = rng.choices(range(len(_MAKES)), weights=[m.weight for m in _MAKES], k=devices)
    used: dict[tuple[str, str], int] = {}
    built = [_device(i, make, rooms[i // _PER_ROOM], used, rng, english) for i, make in enumerate(makes)]
    home = Home(
        id=f"simulated-{devices}-{seed}",
        name=f"{devices}",
        source="neutral",
        floors=tuple(floor_of_level(level, language) for level in range(1, -(-len(rooms) // _PER_FLOOR) + 1)),
        rooms=rooms,
        profiles=tuple(_profile(i) for i in range(len(_MAKES))),
        devices=tuple(device for device, _ in built),
        scenes=tuple(_scenes(english)),
    )
    return Imported(home, Snapshot({device.id: states for device, states in built}, source="simulated"))


def _room(index: int, english: bool) -> Room:
    """The n-th room; from the second floor on its name tells the floor, so no two are alike."""
    floor, place = divmod(index, _PER_FLOOR)
    name = _ROOMS[place][english]
    if floor:
        name = f"{name} {floor + 1}" if english else f"{floor_of_level(floor + 1, 'zh').name}{name}"
    return Room(id=f"room:{index}", name=name, floor_id=f"floor:{floor + 1}")


def _profile(index: int) -> Profile:
    make = _MAKES[index]
    attributes = tuple(
        Attribute(id=q, quantity=q, text=q.replace("_", " "), unit=unit) for q, unit in make.attributes
    )
    return Profile(id=f"profile:{index}", commands=make.commands, attributes=attributes)


def _device(
    index: int, make: int, room: Room, used: dict[tuple[str, str], int], rng: random.Random, english: bool
) -> tuple[Device, dict[str, Scalar]]:
    """The n-th device, named after its make (a second one of the room with a number), and what it reports."""
    names: Sequence[tuple[str, str]] = _MAKES[make].names
    name = rng.choice(names)[english]
    count = used[room.id, name] = used.get((room.id, name), 0) + 1
    numbered = name if count == 1 else f"{name} {count}" if english else f"{name}{count}"
    device = Device(
        id=f"device:{index}",
        name=numbered,
        profile_id=f"profile:{make}",
        kinds=with_parents([_MAKES[make].kind]),
        room_id=room.id,
        categories=(_MAKES[make].kind,),
    )
    return device, {quantity: _reading(quantity, rng) for quantity, _ in _MAKES[make].attributes}


def _reading(quantity: str, rng: random.Random) -> Scalar:
    if quantity in _WORDS:
        return rng.choice(_WORDS[quantity])
    return rng.randint(*_NUMBERS.get(quantity, (0, 100)))


def _scenes(english: bool) -> list[Scene]:
    names = (
        ("回家模式", "arriving"),
        ("离家模式", "leaving"),
        ("睡眠模式", "sleep"),
        ("观影模式", "movie night"),
    )
    return [
        Scene(id=f"scene:{i}", name=name[english], command_id="scene-execute") for i, name in enumerate(names)
    ]
