"""Stand-ins for tests and demonstrations: clock, language model, event loop, simulated homes."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from winnow.adapters.platforms.traits import floor_of_level, with_parents
from winnow.errors import WinnowError
from winnow.language.tables import table
from winnow.types.context import Completion, Tier
from winnow.types.home import (
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
from winnow.types.state import ImportedHome, Snapshot


class FrozenClock:
    """A clock that shows ``seconds`` until somebody sets it."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def now(self) -> float:
        """What it was set to."""
        return self.seconds


class ScriptedChat:
    """A ``Chat`` that gives its answers one after the other, the last one for ever.

    An answer that is an error is raised.
    """

    def __init__(self, *answers: str | WinnowError) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[Sequence[Mapping[str, str]], Mapping[str, object] | None]] = []
        """What it was asked: messages and schema of each call."""

    async def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, object] | None = None,
        tier: Tier = "fast",
    ) -> Completion:
        """The next answer, from a model named after the tier."""
        self.asked.append((messages, schema))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, WinnowError):
            raise answer
        return Completion(answer, f"scripted-{tier}")


# An event loop whose clock jumps over every wait, so that what takes minutes is tested in no time.

R = TypeVar("R")
PATIENCE = 0.0005
"""Seconds that other threads are given before the clock jumps."""


class _Jumping(selectors.DefaultSelector):
    """Does not wait for a time: it says that it is come."""

    jumped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """What is ready; where nothing is, the wait is counted as over."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        # Threads of an executor get a moment, or work that is done would count as waiting.
        ready = super().select(min(timeout, PATIENCE))
        if not ready:
            self.jumped += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """Its ``time`` runs as fast as whatever is waited for wants it to."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds, with those that were jumped over."""
        return super().time() + self._jumping.jumped


def run_at_once(work: Coroutine[Any, Any, R]) -> R:
    """What the coroutine returns, without waiting for any time that it waits for."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work)


# A made-up home of any size, the same for the same seed: for speed tests, charts and demonstrations.

_PER_ROOM = 12
"""Devices in a room; a home of 3,000 has 250 rooms."""
_PER_FLOOR = 15
"""Rooms on a floor."""


def simulated_home(devices: int, seed: int = 0, language: str = "zh") -> ImportedHome:
    """A home of exactly ``devices`` devices, 12 a room and 15 rooms a floor, of 16 profiles.

    Every name is unique within its room; every device reports something.
    """
    # One generator for all choices: the same seed gives the same home.
    rng = random.Random(seed)
    english = language == "en"
    # The number of each device's make, as often as such things are found in homes
    often = [make["often"] for make in _data()["makes"]]
    numbers = rng.choices(range(len(often)), weights=often, k=devices)
    rooms = [_room(i, english) for i in range(_shares(devices, _PER_ROOM))]
    built = list(_devices(numbers, rooms, rng, english))
    floors = tuple(floor_of_level(level, language) for level in range(1, _shares(len(rooms), _PER_FLOOR) + 1))
    home = Home(
        id=f"simulated-{devices}-{seed}",
        name=f"{devices}",
        source="neutral",
        floors=floors,
        rooms=tuple(rooms),
        profiles=tuple(map(_profile, range(len(_data()["makes"])))),
        devices=tuple(device for device, _ in built),
        scenes=tuple(_scenes(english)),
    )
    return ImportedHome(home, Snapshot({device.id: states for device, states in built}, source="simulated"))


def _data() -> Mapping[str, Any]:
    found: Mapping[str, Any] = table("winnow.adapters.testing", "houses.yaml")
    return found


def _shares(things: int, each: int) -> int:
    """How many it takes when each holds so many things."""
    return -(-things // each)


def _room(index: int, english: bool) -> Room:
    """The n-th room; from the second floor on its name tells the floor, so no two are alike."""
    floor, place = divmod(index, _PER_FLOOR)
    name = _data()["rooms"][place][english]
    if floor:
        name = f"{name} {floor + 1}" if english else f"{floor_of_level(floor + 1, 'zh').name}{name}"
    return Room(id=f"room:{index}", name=name, floor_id=f"floor:{floor + 1}")


def _profile(index: int) -> Profile:
    make = _data()["makes"][index]
    commands: list[Command] = []
    for can in make["can"]:
        for name, told in _data()["abilities"][can].items():
            parameters: list[Parameter] = []
            if "number" in told:
                parameters.append(Parameter("value", "number", *told["number"]))
            if "choice" in told:
                parameters.append(Parameter("value", "choice", choices=tuple(map(Choice, told["choice"]))))
            commands.append(Command(name, told["trait"], told["text"], tuple(parameters)))
    attributes = [
        Attribute(id=quantity, quantity=quantity, text=quantity.replace("_", " "), unit=unit)
        for quantity, unit in make["tells"].items()
    ]
    return Profile(id=f"profile:{index}", commands=tuple(commands), attributes=tuple(attributes))


def _devices(
    numbers: Sequence[int], rooms: Sequence[Room], rng: random.Random, english: bool
) -> Iterator[tuple[Device, dict[str, Scalar]]]:
    """A device of each make in turn, and what it reports; the second of a name in its room gets a number."""
    named: Counter[tuple[str, str]] = Counter()
    for index, number in enumerate(numbers):
        make, room = _data()["makes"][number], rooms[index // _PER_ROOM].id
        name = rng.choice(make["names"])[english]
        named[room, name] += 1
        if (count := named[room, name]) > 1:
            name = f"{name} {count}" if english else f"{name}{count}"
        kind = make["kind"]
        profile, kinds = f"profile:{number}", with_parents([kind])
        device = Device(f"device:{index}", name, profile, kinds, room_id=room, categories=(kind,))
        yield device, {quantity: _reading(quantity, rng) for quantity in make["tells"]}


def _reading(quantity: str, rng: random.Random) -> Scalar:
    if words := _data()["words"].get(quantity):
        return str(rng.choice(words))
    return rng.randint(*_data()["numbers"].get(quantity, (0, 100)))


def _scenes(english: bool) -> list[Scene]:
    names = _data()["scenes"]
    return [
        Scene(id=f"scene:{i}", name=name[english], command_id="scene-execute") for i, name in enumerate(names)
    ]
