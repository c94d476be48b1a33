from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.smartthings_stand_in import (
    CLIENT,
    HOME,
    REFRESH,
    SECRET,
    TOKEN,
    Reply,
    Request,
    SmartThings,
    smartthings,
    too_many,
    trouble,
)

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.live.connect import import_linked_home, open_home
from winnow.adapters.platforms.live.rest_client import AccessTokens, RequestEffort, TokenRenewal
from winnow.adapters.platforms.live.server import parse_address
from winnow.adapters.platforms.registry import load_home
from winnow.adapters.platforms.smartthings.live_home import SmartThingsHome
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import LinkError
from winnow.types.state import (
    Connected,
    ConnectionLost,
    HomeChange,
    HomeEvent,
    Link,
    Origin,
    Snapshot,
    StateChange,
)

QUICK = RequestEffort(first_pause=0.01, patience=30.0)
HASTY = RequestEffort(seconds=0.5, first_pause=0.01)


@pytest.fixture
def server() -> Iterator[SmartThings]:
    with smartthings() as running:
        yield running


def reported(documents: Mapping[str, Any]) -> Snapshot:
    """The values of main components, as the importer reads them."""
    values: dict[str, dict[str, Any]] = {}
    origins: dict[str, dict[str, Origin]] = {}
    for device_id, told in documents["status"].items():
        for capability, attributes in told.get("components", {}).get("main", {}).items():
            for name, reading in attributes.items():
                values.setdefault(device_id, {})[f"main-{capability}-{name}"] = reading.get("value")
                origins.setdefault(device_id, {})[f"main-{capability}-{name}"] = Origin("smartthings", 1.0)
    offline = {
        d["deviceId"]
        for d in documents["devices"]["items"]
        if (d.get("healthState") or documents["status"][d["deviceId"]].get("healthState", {})).get("state")
        == "OFFLINE"
    }
    return Snapshot(values, 1.0, "smartthings", frozenset(offline), origins)


def link(
    server: SmartThings, *, token: str = TOKEN, effort: RequestEffort = QUICK, **more: Any
) -> SmartThingsHome:
    tokens = AccessTokens("ST_TOKEN", token, more.pop("renewal", None))
    return SmartThingsHome(parse_address(server.url), tokens, reported, effort, **more)


def documents(server: SmartThings, **more: Any) -> dict[str, Any]:
    return asyncio.run(link(server, **more).documents())


def fault(server: SmartThings, **more: Any) -> LinkError:
    with pytest.raises(LinkError) as caught:
        documents(server, **more)
    return caught.value


def test_all_of_a_home_is_read_with_few_requests(server: SmartThings) -> None:
    told = documents(server)
    assert len(told["devices"]["items"]) == len(server.devices)
    assert {room["roomId"] for room in told["rooms"]["items"]} == {
        r["roomId"] for r in server.listed["rooms"]
    }
    assert len(told["scenes"]["items"]) == len(server.listed["scenes"])
    pages = -(-len(server.devices) // server.page)
    assert server.counted() == {"/locations": 1, "/locations/ID/rooms": 1, "/devices": pages, "/scenes": 1}


def test_states_that_did_not_come_along_are_asked_for_a_few_at_a_time() -> None:
    with smartthings(alone=True) as server:
        told, count = documents(server), len(server.devices)
        assert server.counted()["/devices/ID/status"] == count
        assert server.counted()["/devices/ID/health"] == count
        assert server.most <= QUICK.at_once
    with smartthings() as server:
        assert reported(documents(server)) == reported(told)


@pytest.mark.parametrize(
    "bad",
    [
        too_many(),
        too_many(retry_after="0"),
        trouble(500),
        trouble(503),
        Reply({"items": []}, delay=0.7),
        Reply({"items": []}, cut=100),
        Reply(raw=b"{"),
        Reply(raw=b"[" * 100_000),
    ],
    ids=["429", "429-after", "500", "503", "slow", "cut", "half-json", "deep-json"],
)
def test_what_passes_is_tried_again(server: SmartThings, bad: Reply) -> None:
    server.first(bad, bad, path="/devices")
    told = documents(server, effort=HASTY if bad.delay else QUICK)
    assert len(told["devices"]["items"]) == len(server.devices)


def test_a_storm_of_refusals_is_waited_out_by_all_requests_together() -> None:
    with smartthings(alone=True) as server:
        server.first(*[too_many(20)] * 12, path="/devices/")
        assert len(documents(server, effort=RequestEffort(first_pause=0.01, tries=12))["status"]) == len(
            server.devices
        )
        assert len(server.asked) < 12 + 2 * len(server.devices) + 20


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (too_many(1), "rate_limited"),
        (trouble(502), "server"),
        (Reply(cut=10), "lost"),
        (Reply(raw=b"<html>"), "bad_answer"),
        (Reply([]), "bad_answer"),
        (Reply({"error": {}}, 403), "refused"),
        (Reply({}, 302, {"Location": "http://127.0.0.1:1/"}), "refused"),
        (Reply({"items": []}, delay=0.3), "timeout"),
    ],
)
def test_what_does_not_pass_is_told(server: SmartThings, bad: Reply, code: str) -> None:
    server.faults.append(lambda request: bad)
    error = fault(server, effort=RequestEffort(seconds=0.1, tries=3, first_pause=0.01))
    assert error.code == code
    assert error.hint
    assert TOKEN not in f"{error} {error.hint}"


def test_a_pause_longer_than_one_has_patience_for_is_told_at_once(server: SmartThings) -> None:
    server.faults.append(lambda request: too_many(40_585))
    error = fault(server)
    assert (error.code, error.retry_after, error.retryable) == ("rate_limited", 40.585, True)
    assert len(server.asked) == 1


def test_pages_that_lead_in_a_circle_end(server: SmartThings) -> None:
    circle = {"items": server.devices[:1], "_links": {"next": {"href": f"{server.url}/devices?page=7"}}}
    server.faults.append(lambda request: Reply(circle) if request.path == "/devices" else None)
    assert len(documents(server)["devices"]["items"]) == 2


def test_pages_without_end_are_an_error(server: SmartThings) -> None:
    def endless(request: Request) -> Reply | None:
        number = int(request.query.get("page", ["0"])[0]) + 1
        page = {"items": [], "_links": {"next": {"href": f"/devices?page={number}"}}}
        return Reply(page) if request.path == "/devices" else None

    server.faults.append(endless)
    assert fault(server).code == "bad_answer"


def test_a_page_of_another_server_is_not_asked_for(server: SmartThings) -> None:
    with smartthings() as other:
        page = {"items": [], "_links": {"next": {"href": f"{other.url}/devices"}}}
        server.first(Reply(page), path="/devices")
        assert fault(server).code == "bad_answer"
        assert other.asked == []


def test_what_a_token_may_not_read_is_left_out(server: SmartThings) -> None:
    server.faults.append(lambda request: Reply({}, 403) if request.path == "/scenes" else None)
    assert documents(server)["scenes"] == {"items": []}


def test_a_token_that_is_not_accepted_is_told_by_the_name_of_its_variable(server: SmartThings) -> None:
    error = fault(server, token="old")
    assert (error.code, error.retryable) == ("unauthorised", False)
    assert "ST_TOKEN" in str(error)


def test_an_expired_token_is_renewed_once_for_all_who_use_it() -> None:
    with smartthings(alone=True) as server:
        renewing = link(server, token="", renewal=TokenRenewal(REFRESH, CLIENT, SECRET))

        async def twice() -> None:
            await renewing.documents()
            server.tokens = set()  # expired
            await renewing.read()

        asyncio.run(twice())
        assert server.refresh == "refresh-3"
        assert SECRET not in repr(renewing)
        assert "access" not in repr(renewing)


def test_a_renewal_that_is_refused_is_told(server: SmartThings) -> None:
    error = fault(server, token="", renewal=TokenRenewal("used up", CLIENT, SECRET))
    assert (error.code, "ST_TOKEN_REFRESH" in str(error)) == ("unauthorised", True)


def test_only_the_states_of_the_devices_that_are_named_are_read(server: SmartThings) -> None:
    home = link(server)
    asked = [device["deviceId"] for device in server.devices[:3]]

    async def read() -> Snapshot:
        await home.read()
        server.asked.clear()
        return await home.read(asked)

    snapshot = asyncio.run(read())
    assert set(snapshot.values) <= set(asked)
    assert [request.query["deviceId"] for request in server.asked] == [sorted(asked)]


@pytest.mark.parametrize("alone", [False, True])
def test_files_and_server_give_the_same_home(alone: bool) -> None:
    with smartthings(alone=alone) as server:
        place = Link(server.url, "smartthings", "T")
        running = open_home(place, {"T": TOKEN}, FrozenClock())
        live = import_linked_home(place, asyncio.run(running.documents()), "h")
        read = asyncio.run(running.read())
    saved = load_home(HOME, "h")
    assert replace(live.home, notes=()) == replace(saved.home, notes=())
    assert {note.code for note in live.home.notes} == {note.code for note in saved.home.notes}
    assert (read.values, read.offline) == (saved.states.values, saved.states.offline)
    moments = {read.origin(i, name).at for i, values in read.values.items() for name in values}
    assert None not in moments
    assert len(moments) > 20


def test_what_becomes_different_is_told(server: SmartThings) -> None:
    lamp = next(i for i, told in server.status.items() if "switch" in told["components"].get("main", {}))
    heard: list[HomeEvent] = []

    home = link(server, poll_seconds=0.02, effort=RequestEffort(tries=1), backoff=Backoff(first=0.01))

    async def watch() -> None:
        async for news in home.news():
            heard.append(news)
            if isinstance(news, HomeChange) and len(heard) == 2:
                server.set(lamp, "switch", "switch", "flickering")
            elif isinstance(news, StateChange):
                server.first(trouble(503), trouble(503), trouble(503))
            elif isinstance(news, Connected) and news.again:
                server.devices[0]["label"] = "Renamed"
            elif isinstance(news, HomeChange):
                return

    asyncio.run(asyncio.wait_for(watch(), 10))
    kinds = [type(news) for news in heard]
    assert kinds[:3] == [Connected, HomeChange, StateChange]
    assert ConnectionLost in kinds
    assert kinds[-1] is HomeChange
