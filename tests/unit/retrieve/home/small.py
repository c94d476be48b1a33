"""A small home in both languages, and the stages run over it."""

from __future__ import annotations

from functools import lru_cache

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.decide.decide import decide
from winnow.retrieve.home.index import HomeIndex, build_index
from winnow.retrieve.home.search import search_home
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Attribute, Choice, Command, Device, Floor, Home, Parameter, Profile, Room, Scene
from winnow.types.query import Reading
from winnow.types.state import ImportedHome, Snapshot
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Verdict
from winnow.understand.reading import understand
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

PERCENT = Parameter("value", "number", 0, 100, "%")
LAMP = Profile(
    "lamp",
    (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command("level", "Brightness.Set", "设置亮度 / set brightness", (PERCENT,)),
        Command(
            "white",
            "ColorTemperature.Set",
            "设置色温 / set colour temperature",
            (Parameter("value", "number", 2700, 6500, "K"),),
        ),
    ),
    (Attribute("switch", "switch"), Attribute("level", "brightness", unit="%")),
)
PLUG = Profile(
    "plug", (Command("on", "Switch.On"), Command("off", "Switch.Off")), (Attribute("switch", "switch"),)
)
COOLER = Profile(
    "cooler",
    (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command(
            "setpoint",
            "Temperature.Set",
            "设置温度 / set temperature",
            (Parameter("value", "number", 16, 30, "C"),),
        ),
        Command(
            "mode",
            "Mode.Set",
            "设置模式 / set mode",
            (
                Parameter(
                    "value", "choice", choices=(Choice("cool", "制冷 / cool"), Choice("heat", "制热 / heat"))
                ),
            ),
        ),
        Command(
            "speed",
            "FanSpeed.Set",
            "设置风速 / set fan speed",
            (Parameter("value", "choice", choices=tuple(map(Choice, ("low", "medium", "high")))),),
        ),
        Command("reset", "Housekeeping", "重置滤网 / reset the filter"),
    ),
    (
        Attribute("switch", "switch"),
        Attribute("temperature", "temperature", unit="C"),
        Attribute("setpoint", "setpoint", unit="C"),
    ),
)
SHADE = Profile(
    "shade",
    (
        Command("open", "Cover.Open"),
        Command("close", "Cover.Close"),
        Command("stop", "Cover.Stop"),
        Command("position", "Cover.SetPosition", "", (PERCENT,)),
    ),
    (Attribute("position", "position", unit="%"),),
)
BOLT = Profile(
    "bolt", (Command("lock", "Lock.Lock"), Command("unlock", "Lock.Unlock")), (Attribute("lock", "lock"),)
)
METER = Profile(
    "meter",
    (),
    (Attribute("temperature", "temperature", unit="C"), Attribute("humidity", "humidity", unit="%")),
)
SPEAKER = Profile(
    "speaker",
    (
        Command("play", "Playback.Play"),
        Command("pause", "Playback.Pause"),
        Command("volume", "Volume.Set", "", (PERCENT,)),
        Command("louder", "Volume.Up"),
    ),
    (Attribute("volume", "volume", unit="%"),),
)
HOME = Home(
    "small",
    "小家",
    "neutral",
    (Floor("f1", "一楼", ("ground floor",), 1), Floor("f2", "二楼", ("upper floor",), 2)),
    (
        Room("living", "客厅", ("living room",), "f1"),
        Room("study", "书房", ("study",), "f2"),
        Room("hall", "玄关", ("hall",), "f1"),
    ),
    (LAMP, PLUG, COOLER, SHADE, BOLT, METER, SPEAKER),
    (
        Device("lamp-living", "台灯", "lamp", ("light",), ("desk lamp",), "living"),
        Device("lamp-study", "台灯", "lamp", ("light",), ("desk lamp",), "study"),
        Device("ceiling", "吸顶灯", "lamp", ("light",), ("ceiling lamp",), "study"),
        Device("snow", "雪人", "cooler", ("air_conditioner", "climate"), ("Frosty",), "living"),
        Device("shade", "窗帘", "shade", ("curtain", "cover"), ("curtain",), "living"),
        Device("aquarium", "鱼缸", "plug", ("plug", "switch"), ("fish tank",), "living"),
        Device("moon", "月亮灯", "plug", ("plug", "switch"), ("moon lamp",), "study"),
        Device("bolt", "门锁", "bolt", ("lock",), ("door lock",), "hall"),
        Device(
            "meter",
            "温湿度计",
            "meter",
            ("temperature_sensor", "humidity_sensor", "sensor"),
            ("thermometer",),
            "study",
        ),
        Device("jukebox", "点唱机", "speaker", ("speaker", "media_player"), ("jukebox",), "hall"),
    ),
    (Scene("s1", "晚餐时光", "scene-execute", ("dinner time",)),),
)


STATES = Snapshot(
    {
        "lamp-living": {"switch": "on", "level": 40},
        "lamp-study": {"switch": "off", "level": 70},
        "ceiling": {"switch": "on", "level": 55},
        "snow": {"switch": "on", "setpoint": 24},
        "shade": {"position": 20},
        "aquarium": {"switch": "on"},
        "moon": {"switch": "off"},
        "bolt": {"lock": "locked"},
        "jukebox": {"volume": 30},
    },
    read_at=0.0,
    source="neutral",
    offline=frozenset({"jukebox"}),
)
IMPORTED = ImportedHome(HOME, STATES)


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    return build_vocabulary(HOME)


@lru_cache(maxsize=1)
def index() -> HomeIndex:
    return build_index(HOME, HashingEmbedder())


def said(text: str, room: str | None = None, *history: str) -> Utterance:
    """What a person says; ``history`` alternates user and assistant."""
    return Utterance(
        text,
        room=room,
        history=tuple(Turn("assistant" if n % 2 else "user", h) for n, h in enumerate(history)),
    )


def reading(text: str, room: str | None = None, *history: str) -> Reading:
    return understand(said(text, room, *history), vocabulary())


def shortlists(text: str, room: str | None = None) -> tuple[HomeShortlist, ...]:
    return search_home(reading(text, room), index(), said(text, room))


def verdict(text: str, room: str | None = None, *history: str) -> Verdict:
    heard = said(text, room, *history)
    understood = understand(heard, vocabulary())
    return decide(understood, search_home(understood, index(), heard), index().view, STATES, heard)
