"""Changes of a home under which an order has to come to the same: other names, another order, more things.

``python -m tests.metamorphic --count 2000 --devices 3000`` tries each law so often and prints what broke it.
A law takes a source of chance and says what is wrong, empty where it holds. The same seed tries the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from random import Random
from time import perf_counter

from tests.homes import embedder, engine, imported, over
from tests.property.houses import KINDS, PETS_EN, PETS_ZH, PROFILES
from tests.scenarios.runner import Scenario, collected

from winnow import Engine
from winnow.adapters.testing.fakes import simulated_home
from winnow.app.wiring.engine import open_engine
from winnow.types.home import Device, Home, Room
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Confirm, Verdict, named_calls

ROOMS = {
    "en": ("Kitchen", "Study", "Nursery", "Garage", "Attic", "Balcony"),
    "zh": ("厨房", "书房", "儿童房", "车库", "阁楼", "阳台"),
}
THINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "lamp": (("desk lamp", "台灯"), ("wall lamp", "壁灯"), ("floor lamp", "落地灯")),
    "plug": (("printer", "打印机"), ("coffee machine", "咖啡机")),
    "shade": (("curtain", "窗帘"),),
    "cooler": (("air conditioner", "空调"),),
    "bolt": (("door lock", "门锁"),),
}
"""Names in both languages, by profile."""
ORDERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "lamp": (("turn on {}", "打开{}"), ("turn off {}", "把{}关掉"), ("set {} to 40 percent", "把{}调到40%")),
    "plug": (("turn on {}", "打开{}"), ("switch off {}", "关掉{}")),
    "shade": (("open {}", "打开{}"), ("close {}", "把{}拉上")),
    "cooler": (("set {} to 24 degrees", "把{}调到24度"), ("turn off {}", "关掉{}")),
    "bolt": (("lock {}", "锁上{}"), ("unlock {}", "打开{}")),
}
LANGUAGES = ("en", "zh")
Calls = tuple[tuple[str, str, str], ...]


def done(verdict: Verdict) -> Calls:
    """What an act or an act after a yes calls, in no order; nothing of anything else."""
    calls = named_calls(verdict) if isinstance(verdict, Act | Confirm) else ()
    return tuple(sorted((c.device_id, c.command_id, repr(sorted(c.arguments.items()))) for c in calls))


def told(home: Home, text: str) -> tuple[str, Calls]:
    """The kind of decision and what it calls."""
    verdict = over(home).sync.retrieve(text).verdict
    return type(verdict).__name__, done(verdict)


class House:
    """A home of up to twelve things in up to five rooms, that can be told in either language."""

    def __init__(self, rng: Random, most: int = 12) -> None:
        self.rooms = rng.sample(range(len(ROOMS["en"])), rng.randint(1, 5))
        places = [(room, kind, n) for room in self.rooms for kind in THINGS for n in range(len(THINGS[kind]))]
        self.things = rng.sample(places, rng.randint(1, min(most, len(places))))
        self.about = rng.randrange(len(self.things))
        self.order = rng.randrange(len(ORDERS[self.things[self.about][1]]))

    def home(self, language: str, pick: Callable[[int], str] | None = None) -> Home:
        """The home; ``pick``: names of rooms by their number, in the place of its own."""
        name = pick or ROOMS[language].__getitem__
        rooms = tuple(Room(f"r{n}", name(n)) for n in self.rooms)
        devices = tuple(
            Device(f"d{n}", self._word(kind, word, language), kind, KINDS[kind], room_id=f"r{room}")
            for n, (room, kind, word) in enumerate(self.things)
        )
        return Home("h", "h", "neutral", (), rooms, PROFILES, devices)

    def said(self, language: str, name: str = "", pick: Callable[[int], str] | None = None) -> str:
        """The order about one thing, by its room and its name."""
        room, kind, word = self.things[self.about]
        place = (pick or ROOMS[language].__getitem__)(room)
        called = name or self._word(kind, word, language)
        whole = f"{place}的{called}" if language == "zh" else f"the {called} in the {place}"
        return ORDERS[kind][self.order][LANGUAGES.index(language)].format(whole)

    def _word(self, kind: str, word: int, language: str) -> str:
        return THINGS[kind][word][LANGUAGES.index(language)]


def differ(what: str, before: object, after: object) -> str:
    """What is said of two that ought to be one."""
    return "" if before == after else f"{what}: {before} and {after}"


def renamed(rng: Random) -> str:
    """A thing called otherwise, in the home and in the sentence."""
    house, language = House(rng), rng.choice(LANGUAGES)
    first, second = rng.sample(PETS_ZH if language == "zh" else PETS_EN, 2)
    home, came = house.home(language), []
    for name in (first, second):
        devices = tuple(replace(d, name=name) if d.id == f"d{house.about}" else d for d in home.devices)
        came.append(told(replace(home, devices=devices), house.said(language, name)))
    return differ(house.said(language, f"{first}/{second}"), *came)


def swapped(rng: Random) -> str:
    """All rooms change their names with one another, in the home and in the sentence."""
    house, language = House(rng), rng.choice(LANGUAGES)
    others = dict(zip(house.rooms, rng.sample(house.rooms, len(house.rooms)), strict=True))

    def pick(room: int) -> str:
        return ROOMS[language][others[room]]

    return differ(
        house.said(language),
        told(house.home(language), house.said(language)),
        told(house.home(language, pick), house.said(language, pick=pick)),
    )


def translated(rng: Random) -> str:
    """The same home and order in the other language."""
    house = House(rng)
    came = [told(house.home(language), house.said(language)) for language in LANGUAGES]
    return differ(f"{house.said('en')} / {house.said('zh')}", *came)


@lru_cache(maxsize=1)
def scenarios() -> tuple[Scenario, ...]:
    """What is said to two of the example homes and stands alone."""
    doing, homes = ("act", "confirm", "clarify", "query"), ("home40", "cottage")
    known = (s for s in collected() if s.home in homes and not s.utterance.history)
    return tuple(s for s in known if s.expect["decision"] in doing)


@lru_cache(maxsize=12)
def shuffled_home(name: str, seed: int) -> Engine:
    """An example home, everything in it listed in another order."""
    known, rng = imported(name), Random(seed)
    lists = ("devices", "rooms", "floors", "profiles", "scenes", "groups")
    mixed = {part: tuple(rng.sample(held := getattr(known.home, part), len(held))) for part in lists}
    return open_engine(replace(known, home=replace(known.home, **mixed)), embedder=embedder())


def shuffled(rng: Random) -> str:
    """The inventory in another order, for sentences of the scenarios."""
    one = rng.choice(scenarios())
    both = (engine(one.home), shuffled_home(one.home, 1))
    verdicts = [known.sync.retrieve(one.utterance).verdict for known in both]
    return differ(one.utterance.text, *((type(v).__name__, done(v)) for v in verdicts))


@lru_cache(maxsize=2)
def crowd(devices: int, language: str) -> Home:
    """So many other things."""
    return simulated_home(devices, language=language).home


@lru_cache(maxsize=4)
def crowded_house(devices: int, language: str, seed: int) -> tuple[House, Home, Engine]:
    """A house alone, and the same among so many other things."""
    house, others = House(Random(seed), most=30), crowd(devices, language)
    home = house.home(language)
    wider = replace(
        home,
        floors=others.floors,
        rooms=(*home.rooms, *others.rooms),
        profiles=(*home.profiles, *others.profiles),
        devices=(*home.devices, *others.devices),
    )
    return house, home, open_engine(wider, embedder=embedder())


def crowded(rng: Random, devices: int = 300) -> str:
    """Among many other things an order does the same or is a question; it never does anything else."""
    language = rng.choice(LANGUAGES)
    house, home, among = crowded_house(devices, language, rng.randrange(2))
    house.about = rng.randrange(len(house.things))
    house.order = rng.randrange(len(ORDERS[house.things[house.about][1]]))
    text = house.said(language)
    verdict = among.sync.retrieve(Utterance(text)).verdict
    before = told(home, text)[1]
    return "" if done(verdict) in ((), before) else f"{text}: {before} and {verdict}"


LAWS: Mapping[str, Callable[[Random], str]] = {
    "renamed": renamed,
    "swapped": swapped,
    "translated": translated,
    "shuffled": shuffled,
    "crowded": crowded,
}


def main() -> int:
    """Try all laws; 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--devices", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    broken = 0
    laws: dict[str, Callable[[Random], str]] = {**LAWS, "crowded": partial(crowded, devices=given.devices)}
    for name, law in laws.items():
        start, rng = perf_counter(), Random(f"{given.seed} {name}")
        wrong = [why for _ in range(given.count) if (why := law(rng))]
        print(
            f"{name:11} {given.count:6} tried, {len(wrong):4} broken, {perf_counter() - start:.0f} s",
            flush=True,
        )
        print(*wrong[:10], sep="\n", end="\n" * bool(wrong))
        broken += len(wrong)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
