"""A clock that jumps: a yes, a plan and an offer never wait longer for it, and old things are no newer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from tests import homes
from tests.property.test_yes import DOOR, HOME, SESSION

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.engine.engine import Engine
from winnow.engine.tool_calls import Tools
from winnow.ports.stores import CLOCK_DIFFERENCE, seconds_since
from winnow.types.receipt import Receipt
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance

R = TypeVar("R")
START = 1_700_000_000.0
WHO = {"user": "ida", "session": SESSION}


def engine(clock: FrozenClock) -> Engine:
    made = Engine(memory_storage(clock, HOME), homes.embedder())
    house = SimulatedHome(HOME, Snapshot({DOOR: {"lock": "locked"}}, source="neutral"), clock)
    made.states.below = made.acting.actuator = house
    return made


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


@pytest.mark.parametrize(
    ("jump", "counts"), [(30, True), (-2, True), (61, False), (-3600, False), (86_400, False)]
)
@pytest.mark.parametrize("way", ["words", "token"])
def test_a_yes_counts_only_while_it_is_sure_that_it_is_in_time(jump: float, counts: bool, way: str) -> None:
    async def answered() -> Receipt:
        clock = FrozenClock(START)
        made = engine(clock)
        asked = await made.retrieve("unlock the front door lock", **WHO)
        receipt = await made.act(asked)
        assert receipt.waiting is not None
        clock.seconds += jump
        if way == "token":
            return await made.confirm(receipt.waiting.token, user="ida")
        return await made.act(await made.retrieve("yes", **WHO))

    assert bool(run(answered()).device_ids) is counts


@pytest.mark.parametrize(("jump", "counts"), [(300, True), (-2, True), (601, False), (-3600, False)])
def test_so_does_a_plan_of_an_agent(jump: float, counts: bool) -> None:
    async def acted() -> Receipt | None:
        clock = FrozenClock(START)
        made = engine(clock)
        found = await made.retrieve("lock the front door lock", **WHO)
        clock.seconds += jump
        done = await Tools(made, Utterance("", home="flat", **WHO)).call("act", {"plan": found.plan})
        return done.receipt

    receipt = run(acted())
    assert bool(receipt and receipt.device_ids) is counts


def test_of_a_moment_that_is_still_to_come_nobody_knows_how_long_ago_it_is() -> None:
    assert seconds_since(10, 12) == 2
    assert seconds_since(10 + CLOCK_DIFFERENCE, 10) == -CLOCK_DIFFERENCE
    assert seconds_since(10 + CLOCK_DIFFERENCE + 1, 10) == float("inf")
