"""What every ``Actuator`` does."""

from __future__ import annotations

import asyncio

import pytest

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import HomeNotFound
from winnow.ports.services import Actuator
from winnow.types.home import Attribute, Command, Device, Home, Profile
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

SWITCH = Profile("p", (Command("on", "Switch.On"),), (Attribute("power", "switch"),))
HOME = Home("h", "h", "neutral", profiles=(SWITCH,), devices=(Device("a", "A", "p"),))
ON, WHERE = Call("a", "on"), Scope(home="h")


@pytest.fixture(params=["simulated"])
def actuator() -> Actuator:
    return SimulatedHome(HOME, Snapshot(), FrozenClock())


def test_every_call_has_its_outcome_in_order(actuator: Actuator) -> None:
    calls = (Call("nobody", "on"), ON, Call("a", "fly"))
    outcomes = asyncio.run(actuator.do(WHERE, calls))
    assert [(o.call, o.ok) for o in outcomes] == list(zip(calls, (False, True, False), strict=True))


def test_what_failed_says_why_and_what_worked_says_what_changed(actuator: Actuator) -> None:
    failed, done = asyncio.run(actuator.do(WHERE, (Call("nobody", "on"), ON)))
    assert failed.code
    assert (done.code, done.changed) == ("", {"power": "on"})


def test_another_home_is_an_error(actuator: Actuator) -> None:
    with pytest.raises(HomeNotFound, match="palace"):
        asyncio.run(actuator.do(Scope(home="palace"), [ON]))


def test_no_call_is_no_outcome(actuator: Actuator) -> None:
    assert asyncio.run(actuator.do(WHERE, ())) == ()
