"""The demo home of a real Home Assistant: imported, watched, read and outlived."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from itertools import zip_longest
from pathlib import Path

import pytest
from tests.following import Following
from tests.homeassistant.conftest import figures
from tests.homeassistant.server import HomeAssistant

import winnow
from winnow.adapters.platforms.live.connect import import_linked_home
from winnow.adapters.platforms.live.linked_homes import LiveStates
from winnow.adapters.platforms.registry import load_home
from winnow.app.cli.home import HomeEvent as HomeEvent_
from winnow.app.cli.home import open_watched
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.app.wiring.live_homes import import_live, open_links, open_live
from winnow.errors import LinkError
from winnow.ports.stores import Storage, SystemClock
from winnow.types.home import Home
from winnow.types.scope import Scope
from winnow.types.state import Connected, ConnectionLost, HomeEvent, ImportReport, Link, StateChange

LAMP = "light.bed_light"
SCOPE = Scope(home="demo")
ENOUGH = 20.0
"""Seconds after which something that must happen has not."""


def link(server: HomeAssistant) -> Link:
    return Link(server.url, "homeassistant", "HA_TOKEN")


def fetched(server: HomeAssistant) -> dict[str, object]:
    return dict(asyncio.run(open_live(link(server), SystemClock()).documents()))


def kept(server: HomeAssistant) -> Storage:
    """The store of the settings, with the demo home imported from the server."""
    settings = load_settings()
    storage = open_store(settings).storage
    asyncio.run(import_live(Scope(), link(server), storage, "demo"))
    open_links(settings).keep(settings.scope.at("demo"), link(server))
    return storage


def until(happened: Callable[[], bool]) -> float:
    """Seconds until it happened."""
    start = time.perf_counter()
    while not happened():
        assert time.perf_counter() - start < ENOUGH, "it did not happen"
        time.sleep(0.005)
    return time.perf_counter() - start


def test_the_demo_home_is_imported_in_less_than_two_seconds(server: HomeAssistant) -> None:
    storage = open_store(load_settings()).storage
    start = time.perf_counter()
    home = asyncio.run(import_live(Scope(), link(server), storage, "demo"))
    seconds = time.perf_counter() - start
    states = server.ask("get_states")
    things = home.counts["devices"] + home.counts["scenes"]
    figures["import"] = f"{len(states)} entities in {seconds:.2f} s"
    assert home.first
    assert len(states) > 80
    assert things >= 0.9 * len(states)
    assert seconds < 2


@pytest.mark.parametrize("follow", [False, True])
def test_a_state_changed_behind_our_back_is_read_fresh(server: HomeAssistant, follow: bool) -> None:
    storage, home = kept(server), open_live(link(server), SystemClock())
    states = LiveStates(storage.states, lambda scope: home, SystemClock())

    def brightness() -> object:
        return asyncio.run(states.read(SCOPE)).value(LAMP, "brightness")

    heard: list[HomeEvent] = []
    with Following(home, heard.append) if follow else nullcontext() as following:
        if following is not None:
            assert following.wait(ENOUGH)
        for value in (50, 150):
            before = time.time()
            server.call("light", "turn_on", entity_id=LAMP, brightness=value)
            seconds = until(lambda wanted=value: brightness() == wanted)  # type: ignore[misc]
        at = asyncio.run(states.read(SCOPE)).origin(LAMP, "brightness").at
    figures[f"read fresh, {'followed' if follow else 'asked'}"] = f"{seconds * 1000:.0f} ms"
    assert at is not None
    assert before - 1 < at < time.time()
    assert any(isinstance(news, StateChange) for news in heard) == follow


def test_a_question_is_answered_from_the_home_as_it_is_now(server: HomeAssistant) -> None:
    kept(server)
    engine = winnow.open(live=True)
    for state in ("off", "on"):
        server.call("light", f"turn_{state}", entity_id=LAMP)
        asked = engine.sync.retrieve(winnow.Utterance("Is the Bed Light on?", home="demo"))
        assert isinstance(asked.verdict, winnow.Query)
        assert asked.snapshot.value(LAMP, "state") == state


def test_a_home_that_is_rearranged_is_imported_anew(server: HomeAssistant) -> None:
    kept(server)
    events: list[HomeEvent_] = []
    watched = open_watched(load_settings(), "demo", lambda event, view: events.append(event))

    async def rearrange() -> None:
        watching = asyncio.create_task(watched.run())
        await asyncio.to_thread(until, lambda: any(isinstance(e.news, Connected) for e in events))
        area = await asyncio.to_thread(server.ask, "config/area_registry/create", name=f"Attic {time.time()}")
        update = {"entity_id": LAMP, "name": "Reading Lamp", "area_id": area["area_id"]}
        await asyncio.to_thread(server.ask, "config/entity_registry/update", **update)
        await asyncio.to_thread(until, lambda: any(renamed(e.news) for e in events))
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    def renamed(news: object) -> bool:
        return isinstance(news, ImportReport) and any(r.after == "Reading Lamp" for r in news.renamed)

    try:
        asyncio.run(rearrange())
        assert watched.view.devices[LAMP].name == "Reading Lamp"
        room = watched.view.room(LAMP)
        assert room is not None
        assert room.name.startswith("Attic")
    finally:
        server.ask("config/entity_registry/update", entity_id=LAMP, name=None, area_id=None)


def test_a_restart_is_survived(server: HomeAssistant) -> None:
    home, heard = open_live(link(server), SystemClock()), list[HomeEvent]()
    with Following(home, heard.append) as following:
        assert following.wait(ENOUGH)
        server.stop()
        until(lambda: any(isinstance(news, ConnectionLost) for news in heard))
        server.start()
        ready = time.perf_counter()
        until(lambda: any(isinstance(news, Connected) and news.again for news in heard))
        figures["connected again"] = f"{time.perf_counter() - ready:.2f} s after the restart was over"
        server.call("light", "turn_on", entity_id=LAMP, brightness=99)
        until(lambda: asyncio.run(home.read()).value(LAMP, "brightness") == 99)
        assert not any(
            isinstance(n, StateChange) and n.attribute_id == "state" and n.after is None for n in heard
        )


def test_files_and_server_give_the_same_catalog(server: HomeAssistant, tmp_path: Path) -> None:
    server.ask("conversation/process", text="hello")  # the first time it decides what Assist may be asked
    documents = fetched(server)
    live = import_linked_home(link(server), documents, "demo").home
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, answer in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(answer), "utf-8")
    packed = tmp_path / "home.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    server.stop()
    stored = tmp_path / "stored"
    shutil.copytree(server.folder / ".storage", stored / ".storage")
    server.start()
    (stored / "states.json").write_text(json.dumps(documents["states"]), "utf-8")
    for source in (folder, packed, stored):
        assert differences(load_home(source, "demo").home, live) == [], source


def differences(one: Home, other: Home) -> list[tuple[object, object]]:
    """What of two homes is not the same, beside their names and what their imports said of themselves."""
    parts = ("floors", "rooms", "profiles", "devices", "scenes", "groups")
    pairs = [pair for name in parts for pair in zip_longest(getattr(one, name), getattr(other, name))]
    return [pair for pair in pairs if pair[0] != pair[1]]


def test_a_wrong_token_is_told(server: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HA_TOKEN", "wrong")
    with pytest.raises(LinkError) as caught:
        fetched(server)
    assert (caught.value.code, caught.value.retryable) == ("unauthorised", False)
    assert "wrong" not in str(caught.value)
