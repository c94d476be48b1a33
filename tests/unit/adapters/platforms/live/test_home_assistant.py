from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.following import Following
from tests.home_assistant_stand_in import TOKEN, HomeAssistant, home_assistant, state, until

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.home_assistant.live_home import HomeAssistantHome, StateMirror, WaitTimes
from winnow.adapters.platforms.live.server import parse_address
from winnow.adapters.platforms.registry import load_home_documents
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import LinkError
from winnow.types.state import Connected, ConnectionLost, HomeChange, HomeEvent, StateChange

LATER = "2026-03-01T09:00:00+00:00"
EARLIER = "2026-03-01T07:00:00+00:00"
QUICK = WaitTimes(answer=10.0, start=10.0, quiet=0.02)
HASTY = WaitTimes(answer=0.2)


def link(server: HomeAssistant, token: str = TOKEN, patience: WaitTimes = QUICK) -> HomeAssistantHome:
    pauses = Backoff(first=0.01, longest=0.05)
    return HomeAssistantHome(
        parse_address(server.url), token, "HA_TOKEN", StateMirror(FrozenClock(5.0)), patience, pauses
    )


@asynccontextmanager
async def heard(home: HomeAssistantHome) -> AsyncIterator[list[HomeEvent]]:
    """What is heard of the home while the block runs."""
    news: list[HomeEvent] = []

    async def listen() -> None:
        async for item in home.news():
            news.append(item)  # noqa: PERF401 - it never ends by itself

    listening = asyncio.create_task(listen())
    try:
        await until(lambda: bool(news) or listening.done())
        yield news
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


def changed(news: list[HomeEvent]) -> list[tuple[str, object, object]]:
    return [(n.attribute_id, n.before, n.after) for n in news if isinstance(n, StateChange)]


def documents(**wrong: Any) -> dict[str, Any]:
    async def read() -> dict[str, Any]:
        async with home_assistant() as server:
            for name, value in wrong.items():
                setattr(server, name, value)
            return dict(await link(server, patience=HASTY if server.silent else QUICK).documents())

    return asyncio.run(read())


def test_what_an_older_server_does_not_know_is_left_out() -> None:
    assert "floors" in documents()
    told = documents(unknown={"config/floor_registry/list", "config/entity_registry/get_entries"})
    assert told.keys() == {"config", "states", "areas", "devices", "entities", "labels", "exposure"}


def test_answers_that_were_saved_are_told_as_home_assistants_with_its_configuration_among_them() -> None:
    assert load_home_documents(documents(), "saved").home.source == "homeassistant"


def test_what_a_newer_server_does_not_list_as_exposed_is_not() -> None:
    told = documents(
        unexposed={"light.other"}, states={i: state(i, "on") for i in ("light.lamp", "light.other")}
    )
    reach = {device.id: device.reach for device in load_home_documents(told, "saved").home.devices}
    assert reach == {"light.lamp": "spoken", "light.other": "named"}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"unknown": {"get_states"}}, "refused"),
        ({"silent": {"config/area_registry/list"}}, "timeout"),
        ({"instead": {"get_states": "{"}}, "lost"),
        ({"instead": {"get_states": "[1]"}}, "lost"),
    ],
)
def test_what_cannot_be_read_is_told(wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(LinkError) as caught:
        documents(**wrong)
    assert caught.value.code == code


def test_a_wrong_token_is_told_and_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def read(token: str) -> None:
        async with home_assistant() as server:
            await link(server, token).documents()

    with pytest.raises(LinkError) as caught:
        asyncio.run(read("secret-token"))
    asyncio.run(read(TOKEN))
    assert caught.value.code == "unauthorised"
    clients = [r.getMessage() for r in caplog.records if r.name.endswith("client")]
    assert "secret-token" not in f"{caught.value}{caught.value.hint}{clients}"
    assert TOKEN not in f"{clients}"


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(LinkError) as caught:
        asyncio.run(link(HomeAssistant(port=1)).documents())
    assert (caught.value.code, caught.value.retryable) == ("unreachable", True)


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "websockets.asyncio.client", None)
    with pytest.raises(LinkError, match="websockets") as caught:
        asyncio.run(link(HomeAssistant(port=1)).documents())
    assert ".[live]" in caught.value.hint


def test_a_server_that_is_still_starting_is_waited_for() -> None:
    async def read() -> None:
        async with home_assistant(HomeAssistant(running="STARTING")) as server:
            reading = asyncio.create_task(link(server).documents())
            await until(lambda: server.asked.count("get_config") > 2)
            assert "get_states" not in server.asked
            server.running = "RUNNING"
            await reading

    asyncio.run(read())


def test_a_change_is_heard_and_read_without_a_question() -> None:
    async def follow() -> None:
        async with home_assistant() as server:
            home = link(server)
            async with heard(home) as news:
                await server.put(state("light.lamp", "on", LATER, brightness=99))
                await until(lambda: bool(changed(news)))
                assert changed(news) == [("brightness", 10, 99)]
                asked = len(server.asked)
                snapshot = await home.read(["light.lamp"])
                assert len(server.asked) == asked
        assert snapshot.value("light.lamp", "brightness") == 99
        assert snapshot.origin("light.lamp", "brightness").at == 1772355600.0

    asyncio.run(follow())


def test_what_is_older_than_what_is_known_does_not_count() -> None:
    async def follow() -> None:
        async with home_assistant() as server:
            home = link(server)
            async with heard(home) as news:
                await server.say(
                    "state_changed", entity_id="light.lamp", new_state=state("light.lamp", "off", EARLIER)
                )
                await server.put(state("light.lamp", "on", LATER, brightness=11))
                await until(lambda: bool(changed(news)))
                assert changed(news) == [("brightness", 10, 11)]

    asyncio.run(follow())


def test_a_burst_of_rearranging_is_told_once() -> None:
    async def follow() -> None:
        async with home_assistant() as server, heard(link(server)) as news:
            await until(lambda: HomeChange() in news)
            news.clear()
            for _ in range(20):
                await server.say("entity_registry_updated", action="update")
            await server.put(state("light.other", "on"))
            await until(lambda: HomeChange() in news)
            await asyncio.sleep(0.1)
            assert news.count(HomeChange()) == 1

    asyncio.run(follow())


def test_a_lost_connection_is_made_again_and_what_was_missed_is_told() -> None:
    async def follow() -> None:
        async with home_assistant() as server:
            home = link(server)
            async with heard(home) as news:
                await until(lambda: home.is_following)
                server.states["light.lamp"] = state("light.lamp", "off", LATER)
                await server.drop()
                await until(lambda: HomeChange() in news[3:])
                kinds = [type(item) for item in news]
                assert kinds[:4] == [Connected, HomeChange, ConnectionLost, Connected]
                assert ("state", "on", "off") in changed(news)
                assert isinstance(news[3], Connected)
                assert news[3].again

    asyncio.run(follow())


def test_a_server_that_stays_away_is_tried_with_pauses_that_grow_and_end() -> None:
    async def follow() -> None:
        async with home_assistant() as server:
            home = link(server)
            async with heard(home) as news:
                await until(lambda: home.is_following)
                home.address = parse_address("http://127.0.0.1:1")
                await server.drop()
                await until(lambda: sum(isinstance(item, ConnectionLost) for item in news) > 5)
                assert not home.is_following
                home.address = parse_address(server.url)
                await until(lambda: home.is_following)
        pauses = [item.pause for item in news if isinstance(item, ConnectionLost)]
        assert max(pauses) <= 0.05
        assert min(pauses[3:]) > 0.02

    asyncio.run(follow())


def test_a_home_is_followed_beside_a_caller_that_blocks() -> None:
    loop = asyncio.new_event_loop()
    server = HomeAssistant({"light.lamp": state("light.lamp", "on")})

    async def serve(ready: asyncio.Event, over: asyncio.Event) -> None:
        async with home_assistant(server):
            ready.set()
            await over.wait()

    async def main() -> None:
        ready, over = asyncio.Event(), asyncio.Event()
        serving = asyncio.create_task(serve(ready, over))
        await ready.wait()
        home = link(server)

        def followed() -> None:
            with Following(home) as following:
                assert following.wait(5)
                assert home.mirror.snapshot().value("light.lamp", "state") == "on"
            assert not home.is_following

        await asyncio.to_thread(followed)
        over.set()
        await serving

    loop.run_until_complete(main())
    loop.close()


def test_following_tells_why_it_ended() -> None:
    with Following(link(HomeAssistant(port=1))) as following, pytest.raises(LinkError):
        following.wait(5)


def test_a_mirror_forgets_what_is_gone() -> None:
    mirror = StateMirror(FrozenClock(5.0))
    mirror.fill([state("light.a", "on"), state("light.b", "unavailable")])
    assert mirror.snapshot().offline == {"light.b"}
    news = mirror.fill([state("light.a", "on")])
    assert StateChange("light.b", "state", "unavailable", None, None) in news
    assert HomeChange() in news
    assert mirror.apply_event({"data": {"entity_id": "light.a", "new_state": None}, "time_fired": LATER})
    assert len(mirror) == 0


def test_events_that_tell_nothing_change_nothing() -> None:
    mirror = StateMirror(FrozenClock(5.0))
    assert mirror.apply_event({}) == []
    assert mirror.apply_event(json.loads('{"data": {}}')) == []
