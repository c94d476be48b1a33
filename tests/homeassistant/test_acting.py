"""The demo home of a real Home Assistant, told to do things, and disturbed while it does them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Thread

import pytest
from tests.homeassistant.conftest import figures
from tests.homeassistant.server import HomeAssistant
from tests.homeassistant.test_live import LAMP, kept, link, until

import winnow
from winnow.adapters.platforms.home_assistant.live_home import HomeAssistantHome
from winnow.adapters.platforms.live.linked_homes import LiveStates
from winnow.app.wiring.live_homes import open_live
from winnow.engine.engine import Engine
from winnow.ports.stores import SystemClock
from winnow.types.receipt import Outcome, Receipt
from winnow.types.scope import Scope
from winnow.types.verdict import Call

SCOPE = Scope(home="demo")
LOCK = "lock.kitchen_door"
"""It takes two seconds to lock."""


@pytest.fixture
def engine(server: HomeAssistant) -> Engine:
    """An engine that acts on the demo home."""
    kept(server)
    return winnow.open(live=True)


def decided(engine: Engine, said: str) -> winnow.Retrieval:
    return engine.sync.retrieve(winnow.Utterance(said, home="demo"))


def acted(engine: Engine, said: str) -> Receipt:
    return engine.sync.act(decided(engine, said))


def did(engine: Engine, *calls: Call) -> tuple[Outcome, ...]:
    """What comes of the calls themselves."""
    hands = engine.acting.actuator
    assert hands is not None

    async def done() -> tuple[Outcome, ...]:
        try:
            return await hands.do(SCOPE, calls)
        finally:
            await engine.aclose()

    return asyncio.run(done())


def is_now(server: HomeAssistant, entity_id: str) -> str:
    return str(server.states()[entity_id]["state"])


@contextmanager
def without_the_demo(server: HomeAssistant) -> Iterator[None]:
    """All of the demo home is unavailable."""
    (entry,) = server.ask("config_entries/get", domain="demo")
    server.ask("config_entries/disable", entry_id=entry["entry_id"], disabled_by="user")
    try:
        yield
    finally:
        server.ask("config_entries/disable", entry_id=entry["entry_id"], disabled_by=None)
        until(lambda: is_now(server, LAMP) != "unavailable")


def test_a_lamp_is_switched_and_the_receipt_says_so(server: HomeAssistant, engine: Engine) -> None:
    for state in ("off", "on"):
        found = decided(engine, f"Turn {state} the Bed Light")
        start = time.perf_counter()
        receipt = engine.sync.act(found)
        figures["act of one lamp"] = f"{(time.perf_counter() - start) * 1000:.0f} ms, looked at and read back"
        assert receipt.status == "done", receipt
        assert is_now(server, LAMP) == state


@pytest.mark.parametrize("mirrored", [False, True], ids=["asked", "an old mirror"])
def test_a_condition_is_judged_by_what_changed_behind_our_back(
    server: HomeAssistant, engine: Engine, mirrored: bool
) -> None:
    server.call("light", "turn_on", entity_id="light.kitchen_lights")
    server.call("light", "turn_off", entity_id=LAMP)
    if mirrored:  # it believes to follow the home, and hears nothing any more
        home = open_live(link(server), SystemClock())
        assert isinstance(home, HomeAssistantHome)
        asyncio.run(home.read())
        home.is_following = True
        engine.states.below = LiveStates(engine.storage.states, lambda scope: home, SystemClock())
    said = "If the Kitchen Lights are on, turn on the Bed Light"
    server.call("light", "turn_off", entity_id="light.kitchen_lights")
    found = decided(engine, said)
    assert isinstance(found.verdict, winnow.Act) == mirrored  # the mirror does not know
    receipt = engine.sync.act(found)
    assert not receipt.device_ids
    assert is_now(server, LAMP) == "off"
    server.call("light", "turn_on", entity_id="light.kitchen_lights")
    if not mirrored:
        assert acted(engine, said).status == "done"
        assert is_now(server, LAMP) == "on"


def test_a_condition_that_fails_between_word_and_deed_stops_the_deed(
    server: HomeAssistant, engine: Engine
) -> None:
    server.call("light", "turn_on", entity_id="light.kitchen_lights")
    server.call("light", "turn_off", entity_id=LAMP)
    found = decided(engine, "If the Kitchen Lights are on, turn on the Bed Light")
    assert isinstance(found.verdict, winnow.Act)
    server.call("light", "turn_off", entity_id="light.kitchen_lights")
    assert not engine.sync.act(found).device_ids
    assert is_now(server, LAMP) == "off"


def test_a_service_that_is_refused_failed_in_the_servers_words(engine: Engine) -> None:
    (armed,) = did(engine, Call("alarm_control_panel.security", "alarm_control_panel.alarm_arm_home"))
    assert (armed.status, armed.code) == ("failed", "home_refused")
    assert "code" in str(armed.facts["why"])
    (strange,) = did(engine, Call(LAMP, "light.turn_on", {"brightness_pct": 400}))
    assert (strange.status, strange.code) == ("failed", "home_refused")
    (missing,) = did(engine, Call(LAMP, "light.explode"))
    assert (missing.status, missing.code) == ("failed", "home_refused")


def test_what_is_unavailable_is_not_told_as_done(server: HomeAssistant, engine: Engine) -> None:
    found = decided(engine, "Turn on the Bed Light")
    with without_the_demo(server):
        (outcome,) = did(engine, Call(LAMP, "light.turn_on"))
        assert (outcome.status, outcome.code) == ("failed", "device_offline")
        assert not engine.sync.act(found).device_ids


def test_acts_at_one_time_are_all_done(server: HomeAssistant, engine: Engine) -> None:
    names = ("Bed Light", "Ceiling Lights", "Kitchen Lights", "Decorative Lights", "Living Room Fan", "AC")
    for state in ("on", "off"):
        with ThreadPoolExecutor(len(names)) as pool:
            came = list(pool.map(lambda name, s=state: acted(engine, f"Turn {s} the {name}"), names))  # type: ignore[misc]
        assert [r.status for r in came] == ["done"] * len(names), came
        assert {is_now(server, i) for r in came for i in r.device_ids} == {state}


def test_a_home_that_dies_in_the_middle_leaves_it_unknown_and_the_next_act_works(
    server: HomeAssistant, engine: Engine
) -> None:
    server.call("lock", "unlock", entity_id=LOCK)
    came: list[Receipt] = []
    acting = Thread(target=lambda: came.append(acted(engine, "Lock the Kitchen Door")))
    acting.start()
    until(lambda: is_now(server, LOCK) == "locking")
    server.kill()
    acting.join()
    (receipt,) = came
    assert receipt.status == "unknown", receipt
    gone = did(engine, Call(LOCK, "lock.lock"))
    assert [(o.status, o.code) for o in gone] == [("failed", "home_unreachable")]
    assert gone[0].retry_after
    server.start()
    assert acted(engine, "Lock the Kitchen Door").status == "done"
    assert is_now(server, LOCK) == "locked"


def test_a_restart_in_the_middle_of_a_large_act_leaves_no_call_without_an_outcome(
    server: HomeAssistant, engine: Engine
) -> None:
    found = decided(engine, "Turn off all the lights")
    assert isinstance(found.verdict, winnow.Act | winnow.Confirm)
    stopping = Thread(target=server.stop)
    stopping.start()
    receipt = engine.sync.act(found)
    stopping.join()
    assert all(o.status in ("done", "sent", "failed", "unknown", "skipped") for o in receipt.outcomes)
    server.start()
    assert acted(engine, "Turn on the Bed Light").status == "done"
    assert is_now(server, LAMP) == "on"
