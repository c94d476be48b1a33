"""A flat as platforms report it: parts beside their devices, groups, sensors, plugs with names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.unit.retrieve.home.small import BOLT, COOLER, LAMP, PLUG, SHADE, SPEAKER

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.decide.decide import decide
from winnow.language.tables import parse_yaml
from winnow.retrieve.home.index import HomeIndex, build_index
from winnow.retrieve.home.search import search_home
from winnow.types.home import Attribute, Command, Device, Group, Home, Parameter, Profile, Room, Where
from winnow.types.state import Snapshot
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Act, Confirm, Verdict, named_calls
from winnow.understand.reading import understand
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

OWN_FLAT = Path(__file__).with_suffix(".yaml")


def sensor(name: str, quantity: str, unit: str = "", where: Where = "") -> Profile:
    """A profile that tells one thing."""
    return Profile(name, (), (Attribute("state", quantity, unit=unit, where=where),))


def _heat(low: float, high: float) -> Command:
    return Command("set", "Temperature.Set", "", (Parameter("value", "number", low, high, "C"),))


_SWITCH = (Command("on", "Switch.On"), Command("off", "Switch.Off"))
_GOAL = Attribute("goal", "setpoint", unit="C", where="setpoint")
PROFILES = (
    LAMP,
    PLUG,
    COOLER,
    SHADE,
    BOLT,
    SPEAKER,
    Profile(
        "fridge", (_heat(0, 30),), (Attribute("inside", "temperature", unit="C", where="appliance"), _GOAL)
    ),
    Profile(
        "boiler",
        (*_SWITCH, _heat(20, 75)),
        (Attribute("water", "temperature", unit="C", where="water"), _GOAL),
    ),
    Profile("valve", (Command("open", "Valve.Open"), Command("close", "Valve.Close"))),
    Profile(
        "panel",
        (
            Command("disarm", "Alarm.Disarm", "disarm / 撤防"),
            Command("arm_home", "Alarm.Arm", "arm at home / 在家布防"),
            Command("arm_away", "Alarm.Arm", "arm away / 离家布防"),
            Command("arm_night", "Alarm.Arm", "arm for the night / 夜间布防"),
            Command("trigger", "Alarm.On", "trigger the alarm / 触发警报"),
        ),
    ),
    Profile("siren", (Command("on", "Alarm.On"), Command("off", "Alarm.Off"))),
    sensor("temperature", "temperature", "C"),
    sensor("temperature-outdoor", "temperature", "C", "outdoor"),
    sensor("temperature-water", "temperature", "C", "water"),
    sensor("humidity", "humidity", "%"),
    sensor("illuminance", "illuminance", "lx"),
    sensor("pm25", "pm25", "ug/m3"),
    sensor("motion", "motion"),
    sensor("battery", "battery", "%"),
    sensor("contact", "contact"),
    sensor("person", "presence"),
)


def home(data: Mapping[str, Any]) -> Home:
    """The home that a table describes."""
    return Home(
        "flat",
        "公寓",
        "neutral",
        (),
        tuple(Room(i, names[0], tuple(names[1:])) for i, names in data["rooms"].items()),
        (*PROFILES, *data.get("profiles", ())),
        tuple(_device(i, row) for i, row in data["devices"].items()),
        (),
        tuple(
            Group(i, g["name"], tuple(g["members"]), (g["en"],)) for i, g in data.get("groups", {}).items()
        ),
    )


def _device(device_id: str, row: Mapping[str, Any]) -> Device:
    return Device(
        device_id,
        row["name"],
        row["is"],
        tuple(row["kinds"].split()),
        (row["en"],) if "en" in row else (),
        row.get("room"),
        part_of=row.get("part_of"),
        reach=row.get("reach", "spoken"),
        danger=row.get("danger", ""),
    )


def flat() -> Mapping[str, Any]:
    """The table of the flat."""
    found: Mapping[str, Any] = parse_yaml(OWN_FLAT.read_text("utf-8"))
    return found


class Opened:
    """A home that can be spoken to, while it reports ``states``."""

    def __init__(self, made: Home, states: Snapshot) -> None:
        self.vocabulary: Vocabulary = build_vocabulary(made)
        self.index: HomeIndex = build_index(made, HashingEmbedder())
        self.states = states

    def verdict(self, text: str, room: str | None = None, *history: str) -> Verdict:
        """What is made of a sentence; ``history`` alternates user and assistant."""
        turns = tuple(Turn("assistant" if n % 2 else "user", h) for n, h in enumerate(history))
        heard = Utterance(text, room=room, history=turns)
        read = understand(heard, self.vocabulary)
        return decide(read, search_home(read, self.index, heard), self.index.view, self.states, heard)

    def done(self, text: str, room: str | None = None, *history: str) -> list[str]:
        """The devices that get calls, in order of their ids."""
        got = self.verdict(text, room, *history)
        assert isinstance(got, Act | Confirm), got
        return sorted(c.device_id for c in named_calls(got))


@lru_cache(maxsize=1)
def opened() -> Opened:
    """The flat, opened once."""
    return Opened(home(flat()), Snapshot(flat()["states"], read_at=0.0, source="neutral"))


def done(text: str, room: str | None = None, *history: str) -> list[str]:
    """The devices of the flat that get calls."""
    return opened().done(text, room, *history)


def verdict(text: str, room: str | None = None, *history: str) -> Verdict:
    """What is made of a sentence in the flat."""
    return opened().verdict(text, room, *history)
