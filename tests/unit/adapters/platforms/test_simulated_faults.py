"""Devices of a simulated home fail as they were made to, and only those."""

from __future__ import annotations

import asyncio

import pytest

from winnow.adapters.platforms.simulated.home import FAULT_KINDS, Fault, Faults, SimulatedHome
from winnow.adapters.testing.fakes import FrozenClock, run_at_once
from winnow.types.home import Attribute, Command, Device, Home, Profile, Scene
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

LAMP = Profile("p", (Command("on", "Switch.On"),), (Attribute("power", "switch"),))
HOME = Home(
    "h",
    "h",
    "neutral",
    profiles=(LAMP,),
    devices=tuple(Device(f"lamp{n}", f"lamp {n}", "p") for n in range(400)),
    scenes=(Scene("dusk", "dusk", "scene-execute"),),
)
HERE, ON = Scope(home="h"), Call("lamp0", "on")


def failing(*kinds: Fault, share: float = 1.0) -> SimulatedHome:
    off = {d.id: {"power": "off"} for d in HOME.devices}
    return SimulatedHome(HOME, Snapshot(off), FrozenClock(5.0), Faults(share, kinds=kinds or FAULT_KINDS))


def told(home: SimulatedHome, *calls: Call, later: float = 0.0) -> tuple[tuple[Outcome, ...], object]:
    """What came of the calls, and the first lamp's state so many seconds later."""

    async def ask() -> tuple[tuple[Outcome, ...], object]:
        outcomes = await home.do(HERE, calls)
        await asyncio.sleep(later)
        return outcomes, (await home.look(HERE)).value("lamp0", "power")

    return run_at_once(ask())


@pytest.mark.parametrize(
    ("fault", "status", "now", "later"),
    [
        ("offline", "failed", "off", "off"),
        ("refusing", "failed", "off", "off"),
        ("once", "failed", "off", "off"),
        ("silent", "unknown", "on", "on"),
        ("lying", "sent", "off", "off"),
        ("late", "sent", "off", "on"),
        ("slow", "sent", "on", "on"),
    ],
)
def test_each_fault_has_its_way(fault: Fault, status: str, now: str, later: str) -> None:
    (outcome,), state = told(failing(fault), ON)
    assert (outcome.status, state) == (status, now)
    assert told(failing(fault), ON, later=60)[1] == later
    assert bool(outcome.code) == (status != "sent")


def test_what_fails_once_works_when_it_is_tried_again() -> None:
    home = failing("once")
    (first, second), state = told(home, ON, ON)
    assert (first.status, second.status, state) == ("failed", "sent", "on")
    assert first.retry_after is not None
    assert home.executed == [ON]


def test_a_slow_device_does_it_also_when_nobody_waits_any_more() -> None:
    home = failing("slow")

    async def give_up() -> object:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(home.do(HERE, [ON]), 1)
        before = (await home.look(HERE)).value("lamp0", "power")
        await asyncio.sleep(60)
        return before, (await home.look(HERE)).value("lamp0", "power")

    assert run_at_once(give_up()) == ("off", "on")
    assert home.executed == [ON]


def test_so_many_fail_and_the_same_ones_for_the_same_seed() -> None:
    def failed(seed: int) -> list[Fault | None]:
        return [Faults(0.2, seed).of(d.id) for d in HOME.devices]

    assert failed(1) == failed(1) != failed(2)
    assert 50 <= sum(f is not None for f in failed(1)) <= 110
    assert set(failed(1)) == {None, *FAULT_KINDS}
    assert not any(Faults().of(d.id) for d in HOME.devices)


def test_latency_is_waited_for_by_each_call_and_look() -> None:
    home = SimulatedHome(HOME, Snapshot(), FrozenClock(), Faults(latency=3.0))

    async def taken() -> float:
        time = asyncio.get_running_loop().time
        begun = time()
        await home.do(HERE, [ON, Call("lamp1", "on")])
        await home.look(HERE)
        return time() - begun

    assert 9 <= run_at_once(taken()) < 10


def test_a_scene_tells_when_it_was_run() -> None:
    home = failing()
    told(home, Call("dusk", "scene-execute"))
    assert home.run == {"dusk": 5.0}
