"""Random homes and sentences about them, built from a few profiles."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st

from winnow.types.home import Attribute, Choice, Command, Device, Floor, Home, Parameter, Profile, Room

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def times(examples: int) -> settings:
    """That many examples, the same ones every time.

    The thorough profile takes ten times as many, new ones each time.
    """
    return settings(
        max_examples=examples * 10 if THOROUGH else examples, derandomize=not THOROUGH, deadline=None
    )


PERCENT = Parameter("value", "number", 0, 100, "%")
PROFILES = (
    Profile(
        "lamp",
        (
            Command("on", "Switch.On"),
            Command("off", "Switch.Off"),
            Command("level", "Brightness.Set", parameters=(PERCENT,)),
        ),
        (Attribute("switch", "switch"), Attribute("level", "brightness", unit="%")),
    ),
    Profile(
        "plug", (Command("on", "Switch.On"), Command("off", "Switch.Off")), (Attribute("switch", "switch"),)
    ),
    Profile(
        "shade",
        (
            Command("open", "Cover.Open"),
            Command("close", "Cover.Close"),
            Command("position", "Cover.SetPosition", parameters=(PERCENT,)),
        ),
        (Attribute("position", "position", unit="%"),),
    ),
    Profile(
        "cooler",
        (
            Command("on", "Switch.On"),
            Command("off", "Switch.Off"),
            Command("setpoint", "Temperature.Set", parameters=(Parameter("value", "number", 16, 30, "C"),)),
            Command(
                "mode",
                "Mode.Set",
                parameters=(
                    Parameter(
                        "value",
                        "choice",
                        choices=(Choice("cool", "制冷 / cool"), Choice("heat", "制热 / heat")),
                    ),
                ),
            ),
        ),
        (Attribute("temperature", "temperature", unit="C"),),
    ),
    Profile(
        "bolt", (Command("lock", "Lock.Lock"), Command("unlock", "Lock.Unlock")), (Attribute("lock", "lock"),)
    ),
    Profile("meter", (), (Attribute("temperature", "temperature", unit="C"),)),
)
KINDS = {
    "lamp": ("light",),
    "plug": ("plug", "switch"),
    "shade": ("curtain", "cover"),
    "cooler": ("air_conditioner", "climate"),
    "bolt": ("lock",),
    "meter": ("temperature_sensor", "sensor"),
}
ROOMS_ZH = ("客厅", "餐厅", "厨房", "主卧", "次卧", "书房", "阳台", "玄关")
ROOMS_EN = ("Kitchen", "Study", "Nursery", "Hall", "Attic", "Garage", "Porch", "Library")
WORDS_ZH = {
    "lamp": ("台灯", "吊灯", "壁灯", "落地灯", "灯带"),
    "plug": ("鱼缸", "咖啡机", "打印机"),
    "shade": ("窗帘", "纱帘", "卷帘"),
    "cooler": ("空调",),
    "bolt": ("门锁",),
    "meter": ("温度计",),
}
WORDS_EN = {
    "lamp": ("desk lamp", "pendant", "wall lamp", "strip light"),
    "plug": ("fish tank", "printer"),
    "shade": ("curtain", "drapes"),
    "cooler": ("air conditioner",),
    "bolt": ("lock",),
    "meter": ("thermometer",),
}
PETS_ZH = ("阿福", "豆豆", "铁柱", "胖墩", "米老头", "花卷", "老顽童", "珍珠")
PETS_EN = ("Boris", "Zelda", "Gizmo", "Hobbes", "Pickle", "Wilbur", "Mabel", "Otis")
"""Given names that say nothing about what a thing is."""


@dataclass(frozen=True, slots=True)
class House:
    """A home and the language its names are in."""

    home: Home
    language: str

    def named(self, *profiles: str) -> list[Device]:
        """Its devices of these profiles."""
        return [d for d in self.home.devices if d.profile_id in profiles]

    def room_name(self, device: Device) -> str:
        return next(r.name for r in self.home.rooms if r.id == device.room_id)

    def called(self, device: Device) -> str:
        """The device with its room, as one says it."""
        room = self.room_name(device)
        return f"{room}的{device.name}" if self.language == "zh" else f"the {room} {device.name}"


@st.composite
def houses(draw: st.DrawFn, language: str | None = None, most: int = 14) -> House:
    """Homes of one to ``most`` devices in up to five rooms.

    A name may occur in several rooms, never twice in one.
    """
    tongue = language or draw(st.sampled_from(("zh", "en")))
    rooms_of, words_of = (ROOMS_ZH, WORDS_ZH) if tongue == "zh" else (ROOMS_EN, WORDS_EN)
    names = draw(st.lists(st.sampled_from(rooms_of), min_size=1, max_size=5, unique=True))
    rooms = tuple(Room(f"r{n}", name, floor_id="f1" if n % 2 else "f2") for n, name in enumerate(names))
    choices = [
        (room.id, profile, word) for room in rooms for profile, words in words_of.items() for word in words
    ]
    picked = draw(st.lists(st.sampled_from(choices), min_size=1, max_size=most, unique=True))
    devices = tuple(
        Device(f"d{n:02}", word, profile, KINDS[profile], room_id=room)
        for n, (room, profile, word) in enumerate(picked)
    )
    floors = (
        Floor("f1", "一楼" if tongue == "zh" else "Ground Floor", level=1),
        Floor("f2", "二楼" if tongue == "zh" else "Upper Floor", level=2),
    )
    return House(Home("h", "h", "neutral", floors, rooms, PROFILES, devices), tongue)


ACTS_ZH = (
    "打开{}",
    "把{}关掉",
    "{}调到40%",
    "{}亮一点",
    "{}此刻有多少度",
    "{}设成26度",
    "全屋的灯都关了",
    "除了{}，其他灯全关掉",
)
ACTS_EN = (
    "turn on {}",
    "turn {} off",
    "set {} to 40 percent",
    "make {} brighter",
    "how warm is it at {}",
    "turn off all the lights except {}",
    "open {}",
)


@st.composite
def sentences(draw: st.DrawFn, house: House) -> str:
    """Something about one of the home's devices."""
    device = draw(st.sampled_from(house.home.devices))
    name = draw(st.sampled_from((house.called(device), device.name)))
    return draw(st.sampled_from(ACTS_ZH if house.language == "zh" else ACTS_EN)).format(name)


@st.composite
def spoken(draw: st.DrawFn) -> tuple[House, str]:
    """A home and a sentence about one of its devices."""
    house = draw(houses())
    return house, draw(sentences(house))
