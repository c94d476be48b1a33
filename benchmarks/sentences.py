"""Orders for any home, the same mix at any size: templates filled with its own rooms and devices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from winnow.types.home import Device, Home
from winnow.types.utterance import LanguageCode, Utterance

HERE = "*"
"""A template that begins with it names no room: the person stands in it."""
LIGHT = ("light",)
COVER = ("curtain", "blind", "cover")
CLIMATE = ("air_conditioner",)
FAN = ("fan", "air_purifier")
PLAYER = ("speaker", "television")
SENSOR = ("temperature_sensor", "motion_sensor", "contact_sensor")
SWITCHED = ("light", "plug", "fan", "humidifier")

ZH: tuple[tuple[tuple[str, ...], str], ...] = (
    (LIGHT, "打开{room}的{name}"),
    (LIGHT, "把{room}{name}关掉"),
    (LIGHT, "帮我把{room}的{name}调到百分之四十"),
    (LIGHT, "{room}{name}太亮了，调暗一点"),
    (LIGHT, "{room}的{name}亮度设成七十五"),
    (LIGHT, "麻烦你开一下{room}的{name}好吗"),
    (LIGHT, HERE + "把{name}打开"),
    (LIGHT, HERE + "{name}关了吧，我要睡了"),
    (LIGHT, "不是别的，就{room}那个{name}，给我打开"),
    (LIGHT, "{room}的{name}换成暖光"),
    (COVER, "拉上{room}的{name}"),
    (COVER, "把{room}的{name}拉开一半"),
    (COVER, HERE + "{name}打开到三分之一"),
    (COVER, "{room}{name}停一下"),
    (CLIMATE, "{room}{name}开到二十六度"),
    (CLIMATE, "把{room}的{name}温度调低两度"),
    (CLIMATE, "关闭{room}的{name}"),
    (CLIMATE, HERE + "{name}换成制冷模式"),
    (FAN, "{room}的{name}风大一点"),
    (FAN, "启动{room}的{name}"),
    (FAN, HERE + "把{name}停了"),
    (PLAYER, "{room}的{name}声音小一点"),
    (PLAYER, "把{room}{name}的音量调到三十"),
    (PLAYER, "{room}的{name}暂停播放"),
    (SENSOR, "{room}的{name}现在是什么情况"),
    (SENSOR, "看一下{room}{name}的读数是多少"),
    (SWITCHED, "那个，{room}的{name}能关一下吗"),
    (SWITCHED, "记得把{room}的{name}关上"),
    (SWITCHED, "{room}{name}开着吗"),
    (("lock",), "把{room}的{name}锁上"),
)
EN: tuple[tuple[tuple[str, ...], str], ...] = (
    (LIGHT, "turn on the {name} in the {room}"),
    (LIGHT, "switch off the {room} {name}"),
    (LIGHT, "set the {name} in the {room} to forty percent"),
    (LIGHT, "dim the {room} {name} a little, would you"),
    (LIGHT, "make the {room} {name} brighter by 20 percent"),
    (LIGHT, "could you please put the {room} {name} on"),
    (LIGHT, HERE + "turn off the {name}"),
    (LIGHT, HERE + "the {name} is too bright, take it down to 15%"),
    (LIGHT, "I need the {name} on in the {room}"),
    (LIGHT, "warm white on the {room} {name} please"),
    (COVER, "close the {name} in the {room}"),
    (COVER, "open the {room} {name} half way"),
    (COVER, HERE + "raise the {name} to a third"),
    (COVER, "stop the {room} {name}"),
    (CLIMATE, "set the {room} {name} to 24 degrees"),
    (CLIMATE, "lower the temperature of the {room} {name} by two degrees"),
    (CLIMATE, "shut down the {name} in the {room}"),
    (CLIMATE, HERE + "put the {name} into cooling mode"),
    (FAN, "speed up the {name} in the {room}"),
    (FAN, "start the {room} {name}"),
    (FAN, HERE + "turn the {name} off, it is noisy"),
    (PLAYER, "turn down the volume of the {room} {name}"),
    (PLAYER, "{room} {name} volume to thirty percent"),
    (PLAYER, "pause the {name} in the {room}"),
    (SENSOR, "what does the {name} in the {room} say"),
    (SENSOR, "what is the reading of the {room} {name}"),
    (SWITCHED, "would you mind turning off the {room} {name}"),
    (SWITCHED, "don't forget to switch the {name} in the {room} off"),
    (SWITCHED, "is the {room} {name} on"),
    (("lock",), "lock the {name} in the {room}"),
)
SETS = {
    "zh": (
        "把家里的灯都关了",
        "打开一楼所有的灯",
        "全部窗帘都拉上",
        "除了{room}，其他灯都关掉",
        "{room}的灯全部打开",
    ),
    "en": (
        "turn off all the lights",
        "switch on every light on the first floor",
        "close all curtains",
        "turn off all lights except in the {room}",
        "turn on all the lights in the {room}",
    ),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and the one device it means; empty for a set."""

    utterance: Utterance
    device_id: str = ""


def orders(home: Home, language: LanguageCode, draws: int = 1, seed: int = 1) -> list[Said]:
    """About 30 sentences a draw, each for one device of the home; the same for the same seed.

    Templates no device fits are passed over.
    """
    rng = random.Random(seed)
    rooms = {r.id: r.name for r in home.rooms}
    placed = [d for d in home.devices if d.room_id in rooms]
    fitting = {kinds: [d for d in placed if d.kinds and d.kinds[0] in kinds] for kinds, _ in (*ZH, *EN)}
    chosen = [
        (text, rng.choice(fitting[kinds]))
        for _ in range(draws)
        for kinds, text in (ZH if language == "zh" else EN)
        if fitting[kinds]
    ]
    return [_said(text, device, rooms[device.room_id or ""]) for text, device in chosen]


def _said(text: str, device: Device, room: str) -> Said:
    filled = text.removeprefix(HERE).format(room=room, name=device.name)
    return Said(Utterance(filled, room=device.room_id if text.startswith(HERE) else None), device.id)


def sets(home: Home, language: LanguageCode, draws: int = 1, seed: int = 1) -> list[Said]:
    """Sentences about many devices, five a draw."""
    rng = random.Random(seed)
    return [
        Said(Utterance(text.format(room=rng.choice(home.rooms).name)))
        for _ in range(draws)
        for text in SETS[language]
    ]


def mixed(home: Home, other: Home | None, draws: int, seed: int = 1) -> Sequence[tuple[Home, Said]]:
    """Chinese orders for ``home`` and English ones for ``other``.

    Without it for the same home, names left in its own language.
    """
    english = other or home
    return [
        *((home, s) for s in orders(home, "zh", draws, seed)),
        *((english, s) for s in orders(english, "en", draws, seed)),
    ]
