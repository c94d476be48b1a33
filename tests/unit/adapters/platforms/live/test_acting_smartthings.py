"""What is sent to a SmartThings account, and what is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.smartthings_doing import Did
from tests.smartthings_stand_in import (
    CLIENT,
    HOMES,
    REFRESH,
    SECRET,
    TOKEN,
    Reply,
    SmartThings,
    smartthings,
    too_many,
    trouble,
)

from winnow.adapters.platforms.live.connect import open_actuator
from winnow.adapters.platforms.live.rest_client import AccessTokens, RequestEffort, TokenRenewal
from winnow.adapters.platforms.live.server import parse_address
from winnow.adapters.platforms.registry import load_home_documents
from winnow.adapters.platforms.smartthings.live_home import (
    COMMAND_EFFORT,
    SmartThingsActuator,
    SmartThingsHome,
)
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import LinkError
from winnow.types.plan import ActingRules
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Link
from winnow.types.verdict import Call

SCOPE = Scope(home="home40")
QUICK = RequestEffort(seconds=5.0, tries=4, patience=0.4, first_pause=0.005)
HASTY = RequestEffort(seconds=0.3, tries=4, patience=0.4, first_pause=0.005)
LAMP = "6e2fbcf3-6267-5c4d-abdb-fdb6dc31ee9a"
OTHER = "5065b2f3-073b-590e-8627-b396acc6fb2f"
ON, OFF = Call(LAMP, "main-switch-on"), Call(LAMP, "main-switch-off")


@pytest.fixture
def server() -> Iterator[SmartThings]:
    with smartthings(folder=HOMES / "home40") as running:
        yield running


def hands(
    server: SmartThings, tokens: AccessTokens | None = None, effort: RequestEffort = QUICK
) -> SmartThingsActuator:
    def reported(documents: Any) -> Any:
        return load_home_documents(documents, "home").states

    at = parse_address(server.url)
    return SmartThingsActuator(
        SmartThingsHome(at, tokens or AccessTokens("T", TOKEN), reported, QUICK), FrozenClock(50.0), effort
    )


def done(server: SmartThings, *calls: Call, effort: RequestEffort = QUICK) -> tuple[Outcome, ...]:
    return asyncio.run(hands(server, effort=effort).do(SCOPE, calls))


def told(outcomes: Sequence[Outcome]) -> list[tuple[str, str]]:
    return [(outcome.status, outcome.code) for outcome in outcomes]


def test_calls_of_a_device_go_in_one_body_in_their_order(server: SmartThings) -> None:
    level = Call(LAMP, "main-switchLevel-setLevel", {"value": 40})
    assert told(done(server, ON, level, OFF)) == [("sent", "")] * 3
    (request,) = server.asked
    about = {"component": "main", "capability": "switch"}
    assert (request.method, request.path) == ("POST", f"/devices/{LAMP}/commands")
    assert request.body == {
        "commands": [
            {**about, "command": "on", "arguments": []},
            {"component": "main", "capability": "switchLevel", "command": "setLevel", "arguments": [40]},
            {**about, "command": "off", "arguments": []},
        ]
    }


def test_more_than_a_request_may_hold_goes_in_several(server: SmartThings) -> None:
    assert told(done(server, *[ON, OFF] * 6)) == [("sent", "")] * 12
    assert len(server.asked) == 2
    assert [did.command for did in server.doing.did] == ["on", "off"] * 6


def test_a_scene_is_run_by_its_own_address(server: SmartThings) -> None:
    scene = server.listed["scenes"][0]["sceneId"]
    assert told(done(server, Call(scene, "scene-execute"))) == [("sent", "")]
    assert server.doing.scenes == [scene]
    assert told(done(server, Call("no-such", "scene-execute"))) == [("failed", "no_such_device")]


def test_a_part_is_acted_on_as_its_component() -> None:
    with smartthings() as server:
        device = next(d for d in server.devices if {"switch2"} & {c["id"] for c in d["components"]})
        part = f"{device['deviceId']}/switch2"
        assert told(done(server, Call(part, "switch2-switch-off"))) == [("sent", "")]
        assert server.doing.did == [Did(device["deviceId"], "switch2", "switch", "off")]
        look = asyncio.run(hands(server).look(SCOPE, [part]))
    assert look.value(part, "switch2-switch-switch") == "off"


def test_what_no_command_can_be_made_of_is_not_sent(server: SmartThings) -> None:
    outcomes = done(server, Call(LAMP, "light.turn_on"), ON)
    assert told(outcomes) == [("failed", "no_such_command"), ("sent", "")]
    assert [did.command for did in server.doing.did] == ["on"]


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (Reply({}, 403), ("failed", "token_rights")),
        (Reply({}, 404), ("failed", "no_such_device")),
        (Reply({}, 406), ("failed", "home_refused")),
        (Reply({}, 408), ("unknown", "no_answer")),
        (Reply({}, 409), ("failed", "not_ready")),
        (Reply({"error": {"message": "no"}}, 422), ("failed", "home_refused")),
        (Reply({}, 424), ("unknown", "no_answer")),
        (Reply(raw=b"<html>", status=302), ("failed", "home_refused")),
        (Reply(raw=b"<html>"), ("unknown", "no_answer")),
        (Reply({"results": [{"id": "1", "status": "SLEPT"}]}), ("unknown", "no_answer")),
        (Reply({"results": [{"id": "1", "status": "FAILED"}]}), ("failed", "device_failed")),
        (Reply({"results": [{"id": "1", "status": "COMPLETED"}]}), ("sent", "")),
        (Reply(raw=b"", status=204), ("sent", "")),
        (trouble(500), ("unknown", "home_in_trouble")),
        (trouble(503), ("unknown", "home_in_trouble")),
        (Reply(status=0), ("unknown", "no_answer")),
        (Reply({"results": []}, cut=9), ("unknown", "no_answer")),
    ],
    ids=lambda value: str(value.status) if isinstance(value, Reply) else "",
)
def test_of_every_answer_it_is_told_what_became_of_the_call(
    server: SmartThings, reply: Reply, wanted: tuple[str, str]
) -> None:
    server.first(reply)
    assert told(done(server, ON)) == [wanted]
    assert len(server.asked) == 1  # whatever moves something is not sent again by itself


def test_an_answer_that_does_not_come_in_time_leaves_open_what_became_of_it(server: SmartThings) -> None:
    server.first(Reply(delay=9.0))
    assert told(done(server, ON, effort=HASTY)) == [("unknown", "no_answer")]


def test_of_several_commands_each_is_told_by_itself(server: SmartThings) -> None:
    said = [{"id": str(i), "status": status} for i, status in enumerate(("ACCEPTED", "FAILED"))]
    server.first(Reply({"results": said}))
    assert [status for status, _ in told(done(server, ON, OFF, ON))] == ["sent", "failed", "unknown"]


def test_a_storm_of_too_many_requests_is_waited_out_and_each_command_done_once(server: SmartThings) -> None:
    server.first(*[too_many(10)] * 3)
    assert told(done(server, ON)) == [("sent", "")]
    assert (len(server.asked), len(server.doing.did)) == (4, 1)


def test_a_pause_beyond_patience_is_told_and_kept_for_that_device_alone(server: SmartThings) -> None:
    server.first(too_many(250))
    actuator = hands(server, effort=replace(QUICK, tries=1))

    async def twice() -> list[tuple[Outcome, ...]]:
        return [await actuator.do(SCOPE, [call]) for call in (ON, Call(OTHER, "main-switch-on"), ON)]

    first, other, again = asyncio.run(twice())
    assert told([*first, *other, *again]) == [("failed", "home_busy"), ("sent", ""), ("sent", "")]
    assert first[0].retry_after == pytest.approx(0.25)
    shut = [actuator.link.gates.opens_at(f"{server.url}/devices/{i}/commands") for i in (LAMP, OTHER)]
    assert (shut[0] > 0, shut[1]) == (True, 0.0)
    assert len(server.asked) == 3

    server.first(too_many(60_000))
    (outcome,) = done(server, ON)
    assert (outcome.code, outcome.retry_after) == ("home_busy", 60.0)


def test_nobody_there_is_certainly_not_done() -> None:
    with smartthings() as server:
        gone = hands(server)
    (outcome,) = asyncio.run(gone.do(SCOPE, [ON]))
    assert (outcome.status, outcome.code, outcome.retry_after) == ("failed", "home_unreachable", 0.0)


def test_an_expired_token_is_renewed_and_the_command_done_once(server: SmartThings) -> None:
    tokens = AccessTokens("T", "old", TokenRenewal(REFRESH, CLIENT, SECRET))
    assert told(asyncio.run(hands(server, tokens).do(SCOPE, [ON]))) == [("sent", "")]
    assert len(server.doing.did) == 1
    wrong = AccessTokens("T", "old", TokenRenewal("spent", CLIENT, SECRET))
    (outcome,) = asyncio.run(hands(server, wrong).do(SCOPE, [ON]))
    assert (outcome.status, outcome.retry_after) == ("failed", None)
    assert len(server.doing.did) == 1


def test_what_a_server_says_of_a_refusal_is_quoted_harmlessly(server: SmartThings) -> None:
    server.first(Reply({"error": {"message": "<b>\nIgnore this</b> " + "x" * 500}}, 422))
    why = str(done(server, ON)[0].facts["why"])
    assert "\n" not in why
    assert "<" not in why
    assert len(why) <= 160


def test_a_look_is_as_old_as_the_looking_and_shows_what_was_done(server: SmartThings) -> None:
    server.offline.add(OTHER)

    async def looked() -> Any:
        actuator = hands(server)
        await actuator.do(SCOPE, [OFF])
        return await actuator.look(SCOPE), await actuator.look(SCOPE, [LAMP])

    whole, one = asyncio.run(looked())
    assert (whole.read_at, one.value(LAMP, "main-switch-switch"), set(one.values)) == (50.0, "off", {LAMP})
    assert OTHER in whole.offline
    server.faults.append(lambda request: trouble(503))
    with pytest.raises(LinkError):
        asyncio.run(hands(server).look(SCOPE))


def test_a_call_ends_before_whoever_acts_gives_it_up() -> None:
    assert COMMAND_EFFORT.seconds + COMMAND_EFFORT.patience < ActingRules().call_seconds


def test_all_of_a_process_that_speak_to_a_server_share_its_token_and_its_limits() -> None:
    link = Link("http://127.0.0.1:9", "smartthings", "T")
    secrets = {"T_REFRESH": "r", "T_CLIENT_ID": "c", "T_CLIENT_SECRET": "s"}
    one, other = (open_actuator(link, secrets, FrozenClock(0.0)) for _ in range(2))
    assert isinstance(one, SmartThingsActuator)
    assert isinstance(other, SmartThingsActuator)
    assert (one.link.tokens, one.link.gates) == (other.link.tokens, other.link.gates)
    assert one.link.tokens is other.link.tokens
    assert one.link.gates is other.link.gates
