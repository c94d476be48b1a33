"""What a Home Assistant answers to services, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tests.home_assistant_stand_in import TOKEN, HomeAssistant, home_assistant, state

from winnow.adapters.platforms.home_assistant.live_home import (
    HomeAssistantActuator,
    HomeAssistantHome,
    StateMirror,
    WaitTimes,
)
from winnow.adapters.platforms.live.linked_homes import LiveActuator
from winnow.adapters.platforms.live.server import parse_address
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import LinkError
from winnow.ports.services import Actuator
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Link
from winnow.types.verdict import Call

SCOPE = Scope(home="demo")
ON, OFF = Call("light.lamp", "light.turn_on", {"brightness_pct": 40}), Call("light.lamp", "light.turn_off")


def hands(server: HomeAssistant, answer: float = 10.0) -> HomeAssistantActuator:
    clock = FrozenClock(5.0)
    link = HomeAssistantHome(
        parse_address(server.url), TOKEN, "HA_TOKEN", StateMirror(clock), WaitTimes(answer)
    )
    return HomeAssistantActuator(link, clock)


def stand_in(**told: Any) -> HomeAssistant:
    lamp = state("light.lamp", "off", friendly_name="Lamp")
    return HomeAssistant(**{"states": {"light.lamp": lamp}, **told})


def came(server: HomeAssistant, *calls: Call, answer: float = 10.0) -> Sequence[Outcome]:
    """What came of the calls at a server that runs."""

    async def done() -> Sequence[Outcome]:
        async with home_assistant(server):
            acting = hands(server, answer)
            try:
                return await acting.do(SCOPE, calls)
            finally:
                await acting.aclose()

    return asyncio.run(done())


def test_a_call_is_a_service_of_its_entity() -> None:
    server = stand_in()
    assert [o.status for o in came(server, ON, OFF)] == ["sent", "sent"]
    asked = [(c["domain"], c["service"], c["service_data"], c["target"]) for c in server.called]
    on, off = asked
    assert on == ("light", "turn_on", {"brightness_pct": 40}, {"entity_id": "light.lamp"})
    assert off == ("light", "turn_off", {}, {"entity_id": "light.lamp"})


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("not_found", "failed", "home_refused"),
        ("invalid_format", "failed", "home_refused"),
        ("home_assistant_error", "failed", "home_refused"),
        ("service_validation_error", "failed", "home_refused"),
        ("unauthorized", "failed", "home_refused"),
        ("timeout", "unknown", "home_in_trouble"),
        ("unknown_error", "unknown", "home_in_trouble"),
    ],
)
def test_a_refusal_is_told_in_the_servers_words_and_trouble_as_what_nobody_knows(
    code: str, status: str, told: str
) -> None:
    (outcome,) = came(stand_in(refusing={"light.turn_on": code}), ON)
    assert (outcome.status, outcome.code, outcome.retry_after) == (status, told, None)
    assert outcome.facts["name"] == "Lamp"
    assert str(outcome.facts["why"]).startswith("No light.turn_on")
    assert "\n" not in str(outcome.facts["why"])


def test_a_service_that_is_not_there_yet_may_be_tried_again() -> None:
    (outcome,) = came(stand_in(refusing={"light.turn_on": "not_found"}, running="STARTING"), ON)
    assert (outcome.status, outcome.code) == ("failed", "home_starting")
    assert outcome.retry_after


@pytest.mark.parametrize(
    ("states", "running", "code", "again"),
    [
        ({"light.lamp": state("light.lamp", "unavailable")}, "RUNNING", "device_offline", False),
        ({"light.lamp": state("light.lamp", "unavailable")}, "STARTING", "home_starting", True),
        ({}, "RUNNING", "no_such_device", False),
    ],
)
def test_what_is_not_there_is_sent_nothing(
    states: dict[str, Any], running: str, code: str, again: bool
) -> None:
    server = stand_in(states=states, running=running)
    (outcome,) = came(server, ON)
    assert (outcome.status, outcome.code, bool(outcome.retry_after)) == ("failed", code, again)
    assert server.called == []


def test_a_server_that_does_not_answer_leaves_it_unknown() -> None:
    (outcome,) = came(stand_in(silent={"call_service"}), ON, answer=0.05)
    assert (outcome.status, outcome.code, outcome.retry_after) == ("unknown", "no_answer", None)


def test_a_connection_that_ends_after_sending_leaves_that_unknown_and_the_next_is_made_anew() -> None:
    server = stand_in(hanging_up={"light.turn_on"})
    on, off = came(server, ON, OFF)
    assert (on.status, on.code) == ("unknown", "no_answer")
    assert off.status == "sent"
    assert server.states["light.lamp"]["state"] == "off"


def test_a_server_that_is_not_there_was_certainly_not_told() -> None:
    async def done() -> Outcome:
        async with home_assistant(stand_in()) as server:
            gone = hands(server)
        return (await gone.do(SCOPE, [ON]))[0]

    outcome = asyncio.run(done())
    assert (outcome.status, outcome.code) == ("failed", "home_unreachable")
    assert outcome.retry_after


def test_a_home_is_looked_at_anew_each_time_over_one_connection() -> None:
    async def seen() -> list[object]:
        async with home_assistant(stand_in()) as server:
            acting = hands(server)
            first = (await acting.look(SCOPE)).value("light.lamp", "state")
            server.states["light.lamp"]["state"] = "on"  # behind our back: no event tells of it
            later = await acting.look(SCOPE, ["light.lamp"])
            clients = len(server._clients)
            await acting.aclose()
            return [first, later.value("light.lamp", "state"), later.read_at, clients]

    assert asyncio.run(seen()) == ["off", "on", 5.0, 1]


def test_forty_looks_at_one_time_share_few_questions() -> None:
    async def questions() -> int:
        async with home_assistant(stand_in()) as server:
            acting = hands(server)
            await acting.look(SCOPE)
            await asyncio.gather(*(acting.look(SCOPE, ["light.lamp"]) for _ in range(40)))
            await acting.aclose()
            return server.asked.count("get_states")

    assert asyncio.run(questions()) == 3


def test_each_event_loop_has_a_connection_of_its_own() -> None:
    async def both() -> list[str]:
        async with home_assistant(stand_in()) as server:
            acting = hands(server)

            async def look() -> None:
                await acting.look(SCOPE)
                await acting.aclose()

            await asyncio.gather(*(asyncio.to_thread(asyncio.run, look()) for _ in range(2)), look())
            return server.asked

    assert asyncio.run(both()) == ["get_states"] * 3


def test_of_a_home_that_is_not_linked_nothing_is_asked_or_sent() -> None:
    links = {SCOPE.home: Link("http://127.0.0.1:1", "homeassistant", "HA_TOKEN")}
    opened: list[Link] = []

    def open_hands(link: Link) -> Actuator:
        opened.append(link)
        raise AssertionError("no server is spoken to")

    acting = LiveActuator(lambda scope: links.get(scope.home), open_hands)
    elsewhere = Scope(home="elsewhere")
    with pytest.raises(LinkError, match="elsewhere"):
        asyncio.run(acting.look(elsewhere))
    (outcome,) = asyncio.run(acting.do(elsewhere, [ON]))
    assert (outcome.status, outcome.code, opened) == ("failed", "no_hands", [])


def test_a_link_that_was_forgotten_is_used_no_more() -> None:
    async def after() -> tuple[str, str, int]:
        async with home_assistant(stand_in()) as server:
            links = {SCOPE.home: Link(server.url, "homeassistant", "HA_TOKEN")}
            acting = LiveActuator(lambda scope: links.get(scope.home), lambda link: hands(server))
            (first,) = await acting.do(SCOPE, [ON])
            links.clear()
            (second,) = await acting.do(SCOPE, [OFF])
            await acting.aclose()
            return first.status, second.code, len(server.called)

    assert asyncio.run(after()) == ("sent", "no_hands", 1)
