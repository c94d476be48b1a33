"""Guards of an act: calls checked against the offer, device locks, time limits, shared looks."""

from __future__ import annotations

import asyncio
import math
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

from winnow.act.effects.thing import command_of
from winnow.language.encode import INVISIBLE
from winnow.ports.services import Actuator
from winnow.types.home import Command, HomeView, Parameter, ParameterKind, Scalar
from winnow.types.retrieval import Attempt
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Act, Call, Refusal, Verdict, named_calls

Pair = tuple[str, str]
"""Ids of a device and of a command of it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one briefing let an agent do."""

    decided: tuple[Call, ...]
    """What was decided: it stands as it is."""
    commands: Mapping[str, tuple[str, ...]]
    """Device id -> the commands that the text named with it."""
    spent: Collection[Pair] = ()
    """What was taken of it already: each once."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The calls as they can be sent; none where anything is refused."""

    calls: tuple[Call, ...] = ()
    refused: tuple[Refusal, ...] = ()


def check_calls(proposed: Sequence[Call], offer: Offer, view: HomeView) -> CheckResult:
    """The calls in the types of their commands, or why not one of them is done."""
    pairs = [(call.device_id, call.command_id) for call in proposed]
    if not pairs:
        return CheckResult(refused=(Refusal("nothing_proposed"),))
    found = [
        _one(call, offer, view, again=pairs[n] in pairs[:n] or pairs[n] in offer.spent)
        for n, call in enumerate(proposed)
    ]
    refused = [one for one in found if isinstance(one, Refusal)]
    return CheckResult(
        () if refused else tuple(one for one in found if isinstance(one, Call)), tuple(refused)
    )


def _one(call: Call, offer: Offer, view: HomeView, *, again: bool) -> Call | Refusal:
    if call.command_id not in offer.commands.get(call.device_id, ()):
        return Refusal("not_offered", {"what": f"{call.device_id} {call.command_id}"})
    if again:
        return Refusal("done_already")
    if call in offer.decided:
        return call
    if call.device_id in view.scenes:
        return Call(call.device_id, view.scenes[call.device_id].command_id)
    if call.device_id not in view.devices:
        return Refusal("no_such_device", {"name": call.device_id})
    return fit_arguments(call, view)


def as_proposed(proposed: tuple[Call, ...], told: Attempt, now: Verdict) -> Verdict:
    """What is done of a proposal in the home as it is ``now``; ``told``: the attempt its agent saw.

    Where the words were handed over to the agent, what it proposed is done. Else, where the turn comes to no
    act any more, nothing is; a call that was decided then is what is decided now: a relative value counts
    from here.
    """
    if proposed and told.is_handover:
        return Act(proposed)
    if not proposed or not isinstance(now, Act):
        return now
    decided = named_calls(told.verdict)
    fresh = {(call.device_id, call.command_id): call for call in now.calls}
    calls = (fresh.get((c.device_id, c.command_id)) if c in decided else c for c in proposed)
    return Act(tuple(call for call in calls if call is not None), conditions=now.conditions)


# A device belongs to one act at a time, across all event loops of the process.


Key = tuple[str, str, str]
"""Tenant, home, device."""
Waiting = deque[tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]]


class DeviceQueue:
    """Who acts on what. One for all acts of a process: each device belongs to one of them at a time."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._taken: dict[Key, Waiting] = {}

    async def acquire(self, keys: Collection[Key]) -> DeviceLock:
        """These, as soon as nobody else has any of them; taken in one order, so that all get their turn."""
        held = DeviceLock(self)
        try:
            for key in sorted(set(keys)):
                await self._take(key)
                held.keys.add(key)
        except BaseException:  # given up while waiting: what it had is free again
            held.leave()
            raise
        return held

    async def _take(self, key: Key) -> None:
        loop = asyncio.get_running_loop()
        with self._guard:
            if key not in self._taken:
                self._taken[key] = deque()
                return
            free: asyncio.Future[None] = loop.create_future()
            self._taken[key].append((loop, free))
        try:
            await free
        except asyncio.CancelledError:
            self._given_up(key, (loop, free))
            raise

    def _given_up(self, key: Key, waiter: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]) -> None:
        with self._guard:
            if waiter in self._taken.get(key, ()):
                self._taken[key].remove(waiter)
                return
        self.leave(key)  # it was its turn already

    def leave(self, key: Key) -> None:
        """Let the next one have it."""
        with self._guard:
            while self._taken[key]:
                loop, free = self._taken[key].popleft()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_wake, free)
                    return
            del self._taken[key]


class DeviceLock:
    """What one act has."""

    def __init__(self, turns: DeviceQueue) -> None:
        self._turns = turns
        self.keys: set[Key] = set()

    def leave(self, device_id: str = "") -> None:
        """Let go of one device, or of all."""
        for key in [k for k in self.keys if k[2] == device_id or not device_id]:
            self.keys.remove(key)
            self._turns.leave(key)


def _wake(free: asyncio.Future[None]) -> None:
    if not free.done():
        free.set_result(None)


# Time limits: errors of the actuator become values, so that one failed call never stops the others.


R = TypeVar("R")


async def within(seconds: float, work: Coroutine[Any, Any, R]) -> R | BaseException:
    """What the work returns or raises; TimeoutError where it takes longer, and it is given up then."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not task.done():
        return TimeoutError()
    if task.cancelled():
        return asyncio.CancelledError()
    return task.exception() or task.result()


# Reading a home is costly: whoever wants a look at about the same time shares one.


GATHER = 0.01
"""Seconds a look waits for others who want one."""
FIRST = 0.1
"""Seconds to the second look; every further one waits twice as long."""


class Looks:
    """One at a time; each began after everybody who shares it asked for it."""

    def __init__(self, scope: Scope, actuator: Actuator, seconds: float) -> None:
        self._scope, self._actuator, self._seconds = scope, actuator, seconds
        self._wanted: set[str] = set()
        self._whole = False
        self._coming: asyncio.Task[Snapshot | None] | None = None
        self._one = asyncio.Lock()
        self._under_way: set[asyncio.Task[Snapshot | None]] = set()

    async def at(self, ref: str = "") -> Snapshot | None:
        """The device of that id, or the whole home, as it is now; None where it cannot be seen now."""
        self._whole |= not ref
        self._wanted.add(ref)
        if self._coming is None:
            self._coming = asyncio.get_running_loop().create_task(self._look())
            self._under_way.add(self._coming)
            self._coming.add_done_callback(self._under_way.discard)
        return await asyncio.shield(self._coming)

    async def over(self, seconds: float, ref: str = "") -> AsyncIterator[Snapshot | None]:
        """Look after look, after growing pauses, until that many seconds have gone by; one at least."""
        time = asyncio.get_running_loop().time
        ends, pause = time() + seconds, FIRST
        yield await self.at(ref)
        while (left := ends - time()) > 0:
            await asyncio.sleep(min(pause, left))
            pause *= 2
            yield await self.at(ref)

    def close(self) -> None:
        """Nobody wants to see anything any more."""
        for look in self._under_way:
            look.cancel()

    async def _look(self) -> Snapshot | None:
        async with self._one:
            await asyncio.sleep(GATHER)
            refs = () if self._whole else sorted(self._wanted)
            self._wanted, self._whole, self._coming = set(), False, None
            seen = await within(self._seconds, self._actuator.look(self._scope, refs))
            return seen if isinstance(seen, Snapshot) else None


# Arguments as a model wrote them, converted to a command's types, or the refusal that says why not.

MAX_ARGUMENT_CHARS = 256
"""Characters of a text that is sent to a device."""
_NUMBER = re.compile(r"\s*([-+]?\d{1,12}(?:\.\d{1,6})?)\s*%?\s*", re.ASCII)
_RGB = re.compile(r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", re.ASCII)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}|[A-Za-z_ ]{3,32}", re.ASCII)
BIGGEST, FULL = 1e9, 255
TRUTHS = {"true": True, "false": False}


class _UnfitArgument(Exception):  # noqa: N818 - never leaves this module
    """The value is none that the parameter takes."""


def fit_arguments(call: Call, view: HomeView) -> Call | Refusal:
    """The call with its arguments in the types of the command; a refusal names the first that is wrong."""
    device = view.devices[call.device_id]
    command = command_of(call, view.profile(device.id))
    if command is None:
        return Refusal("no_such_command", {"name": device.name, "what": call.command_id}, (device.id,))
    if found := _unknown(call.arguments, command) or _missing(call.arguments, command):
        code, what = found
        return Refusal(code, {"name": device.name, "what": what[:64]}, (device.id,))
    # The call with each argument in its type, and those that always go with it
    values: dict[str, object] = dict(command.fixed)
    parameters = [p for p in command.parameters if p.name in call.arguments and p.name not in command.fixed]
    for parameter in parameters:
        try:
            values[parameter.name] = _FIT[parameter.kind](call.arguments[parameter.name], parameter)
        except _UnfitArgument:
            return _misfit(call, device.name, parameter)
    return Call(device.id, call.command_id, values)


def _unknown(given: Mapping[str, object], command: Command) -> tuple[str, str] | None:
    """The first argument that the command does not take.

    What always goes with it may be said again, and not otherwise.
    """
    known = {p.name for p in command.parameters if p.name not in command.fixed}
    again = {name for name, value in command.fixed.items() if name in given and given[name] == value}
    return next((("argument_unknown", name) for name in given if name not in known | again), None)


def _missing(given: Mapping[str, object], command: Command) -> tuple[str, str] | None:
    there = {*given, *command.fixed}
    wanted = (p.name for p in command.parameters if p.required and p.name not in there)
    return next((("argument_missing", name) for name in wanted), None)


def _misfit(call: Call, name: str, parameter: Parameter) -> Refusal:
    """Beyond the limits, or of another kind."""
    value = call.arguments[parameter.name]
    number = _as_number(value)
    if parameter.kind == "number" and number is not None:
        limits = {
            "minimum": _wire(parameter.minimum, parameter),
            "maximum": _wire(parameter.maximum, parameter),
        }
        return Refusal("out_of_range", {"name": name, **limits, "value": number}, (call.device_id,))
    told = value if isinstance(value, str | int | float) else type(value).__name__
    facts: dict[str, Scalar] = {"name": name, "what": parameter.name, "value": str(told)[:64]}
    return Refusal("argument_wrong", facts, (call.device_id,))


def _wire(limit: float | None, parameter: Parameter) -> float | None:
    """The limit as it is sent."""
    return None if limit is None else round(limit * parameter.scale, 6)


def _as_number(value: object) -> int | float | None:
    """The number it is or says."""
    if isinstance(value, str) and (said := _NUMBER.fullmatch(value)):
        number = float(said[1])
        return int(number) if number.is_integer() and "." not in said[1] else number
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def _number(value: object, parameter: Parameter) -> object:
    number = _as_number(value)
    low, high = _wire(parameter.minimum, parameter), _wire(parameter.maximum, parameter)
    if number is None or abs(number) > BIGGEST or (low is not None and number < low):
        raise _UnfitArgument
    if high is not None and number > high:
        raise _UnfitArgument
    return number


def _choice(value: object, parameter: Parameter) -> object:
    """The choice it is, whatever its case; a number also as text."""
    if not isinstance(value, str | int | float):
        raise _UnfitArgument
    wanted = str(value).strip().casefold()
    for choice in parameter.choices:
        alike = isinstance(choice.value, bool) == isinstance(value, bool)
        if str(choice.value).casefold() == wanted and (alike or isinstance(value, str)):
            return choice.value
    raise _UnfitArgument


def _text(value: object, parameter: Parameter) -> object:
    """One line of a sensible length."""
    if (
        not isinstance(value, str)
        or not value.strip()
        or len(value) > MAX_ARGUMENT_CHARS
        or INVISIBLE.search(value)
    ):
        raise _UnfitArgument
    return value


def _colour(value: object, parameter: Parameter) -> object:
    """Three parts of red, green and blue, or a name."""
    if not isinstance(value, str):
        raise _UnfitArgument
    if parameter.unit != "rgb":
        if not _COLOUR.fullmatch(value):
            raise _UnfitArgument
        return value
    parts = _RGB.fullmatch(value)
    if parts is None or any(int(part) > FULL for part in parts.groups()):
        raise _UnfitArgument
    return "({},{},{})".format(*map(int, parts.groups()))


def _boolean(value: object, parameter: Parameter) -> object:
    said = TRUTHS.get(value.strip().casefold()) if isinstance(value, str) else value
    if not isinstance(said, bool):
        raise _UnfitArgument
    return said


def _object(value: object, parameter: Parameter) -> object:
    """What only the engine itself puts together."""
    raise _UnfitArgument


_FIT: Mapping[ParameterKind, Callable[[object, Parameter], object]] = {
    "number": _number,
    "choice": _choice,
    "text": _text,
    "color": _colour,
    "boolean": _boolean,
    "object": _object,
}
