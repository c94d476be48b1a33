"""``winnow home import --url`` and ``winnow home watch``, against servers on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.home_assistant_stand_in import TOKEN, HomeAssistant, in_a_thread, state, until
from tests.smartthings_stand_in import smartthings

import winnow as package
from winnow.app.cli.home import HomeEvent, WatchCounts, open_watched, unpainted
from winnow.app.config.settings import load_settings
from winnow.app.wiring.live_homes import find_platform, open_links
from winnow.errors import StoreError
from winnow.types.home import Home, HomeView
from winnow.types.scope import Scope
from winnow.types.state import Connected, ConnectionLost, HomeChange, ImportReport, Link, StateChange

Run = Callable[..., Any]
LATER = "2026-03-01T09:00:00+00:00"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[HomeAssistant]:
    monkeypatch.setenv("HA_TOKEN", TOKEN)
    lamps = ("light.desk_lamp", "light.wall_lamp")
    running = HomeAssistant({i: state(i, "off", supported_color_modes=["onoff"]) for i in lamps})
    with in_a_thread(running):
        yield running


def imported(winnow: Run, server: HomeAssistant, *more: str) -> Any:
    return winnow("home", "import", "--url", server.url, "--token-env", "HA_TOKEN", *more)


def test_a_home_is_imported_from_its_server_and_the_token_is_kept_nowhere(
    winnow: Run, server: HomeAssistant
) -> None:
    done = imported(winnow, server, "--id", "flat")
    assert (done.code, "2 devices" in done.out) == (0, True)
    assert open_links(load_settings()).link(Scope(home="flat")) == Link(
        server.url, "homeassistant", "HA_TOKEN"
    )
    kept = [file.read_bytes() for file in load_settings().data.rglob("*") if file.is_file()]
    assert not any(TOKEN.encode() in data for data in kept)
    assert TOKEN not in done.out + done.err


def test_its_id_is_what_the_server_calls_it(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server)
    assert "stand-in" in winnow("home", "list").out


def seen(happened: Callable[[HomeEvent], bool]) -> tuple[list[HomeEvent], list[str]]:
    """What is seen of the only home until something happened, as events and as lines."""
    events: list[HomeEvent] = []
    lines: list[str] = []

    def tell(event: HomeEvent, view: HomeView) -> None:
        events.append(event)
        lines.extend(event.lines(view, "en", unpainted))

    async def watch() -> None:
        watching = asyncio.create_task(open_watched(load_settings(), "", tell).run(20))
        await until(lambda: any(map(happened, events)) or watching.done())
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(watch())
    return events, lines


def test_what_happens_is_told_with_name_and_values(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server)
    server.then = [state("light.desk_lamp", "on", LATER)]
    _, lines = seen(lambda event: isinstance(event.news, StateChange))
    assert "connected, 2 things" in lines[0]
    assert any("Desk Lamp  state  off -> on" in line for line in lines)


def test_a_home_that_was_rearranged_is_imported_again(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server)
    server.states["light.new_lamp"] = state("light.new_lamp", "on")
    events, _ = seen(lambda event: isinstance(event.news, ImportReport))
    assert events[-1].news.added == ("light.new_lamp",)  # type: ignore[union-attr]
    assert "New Lamp" in winnow("home", "show").out


def test_watching_ends_when_it_was_told_to_and_sums_up(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server)
    done = winnow("home", "watch", "--for", "0.3")
    assert done.code == 0
    assert "changes of" in done.out.splitlines()[-1]


def test_a_home_that_is_as_it_was_is_not_stored_again(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server)
    assert "imported" not in winnow("home", "watch", "--for", "1", "--json").out
    assert "v1" in winnow("home", "list").out


def test_a_home_of_files_cannot_be_watched(flat: Run) -> None:
    done = flat("home", "watch", "flat")
    assert (done.code, "was not imported from a server" in done.err) == (2, True)


def test_a_deleted_home_is_linked_to_nothing(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server, "--id", "flat")
    winnow("home", "delete", "flat")
    assert open_links(load_settings()).link(Scope(home="flat")) is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--url", "http://127.0.0.1:1", "--token-env", "HA_TOKEN"], "cannot be reached"),
        (["--url", "http://127.0.0.1:1"], "--token-env"),
        (["--url", "127.0.0.1", "--token-env", "HA_TOKEN"], "is no address of a server"),
        (["example:cottage", "--url", "http://127.0.0.1:1"], "not both"),
        ([], "PATH"),
    ],
)
def test_what_is_wrong_is_told(
    winnow: Run, arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HA_TOKEN", "t0ken")
    done = winnow("home", "import", *arguments)
    assert (done.code, told in done.err) == (2, True)


def test_without_the_token_nothing_is_sent(winnow: Run, server: HomeAssistant) -> None:
    done = winnow(
        "home", "import", "--url", server.url, "--token-env", "NOBODY", "--platform", "homeassistant"
    )
    assert (done.code, "NOBODY holds no token" in done.err) == (2, True)
    assert winnow("home", "import", "--url", server.url, "--token-env", "NOBODY").code == 2
    assert server.asked == []


@pytest.mark.parametrize("token", ["eyJhbGciOi.eyJpc3MiOi.x-9_", "0b9e6e1c-3f0a-4c43-8a0e-1f", "令牌"])
def test_a_token_in_the_place_of_the_name_of_its_variable_goes_nowhere(
    winnow: Run, server: HomeAssistant, token: str
) -> None:
    done = winnow("home", "import", "--url", server.url, "--token-env", token)
    assert (done.code, "not the token itself" in done.err, token in done.err + done.out) == (2, True, False)
    assert server.asked == []


def test_states_of_linked_homes_are_read_where_they_are(winnow: Run, server: HomeAssistant) -> None:
    imported(winnow, server, "--id", "flat")
    server.states["light.desk_lamp"] = state("light.desk_lamp", "on", LATER)
    asked = package.open(live=True).sync.retrieve("is the desk lamp on")
    assert asked.snapshot.value("light.desk_lamp", "state") == "on"
    assert "state = on" in winnow("ask", "is the desk lamp on", "--live").out
    assert "state = off" in winnow("ask", "is the desk lamp on").out
    asked = package.open().sync.retrieve("is the desk lamp on")
    assert asked.snapshot.value("light.desk_lamp", "state") == "off"


def test_smartthings_is_told_by_how_it_turns_strangers_away() -> None:
    with smartthings() as account:
        assert find_platform(account.url) == "smartthings"
        assert {request.token for request in account.asked} == {""}


def test_a_file_of_links_that_is_none_is_told(winnow: Run) -> None:
    file = load_settings().data / "links.json"
    file.parent.mkdir(parents=True)
    file.write_text("[1]")
    with pytest.raises(StoreError, match="links"):
        open_links(load_settings()).link(Scope(home="x"))


@pytest.mark.parametrize(
    ("news", "line", "event"),
    [
        (StateChange("a", "on", None, True, 5.0), "a  on  - -> True", "changed"),
        (Connected(3), "connected, 3 things", "joined"),
        (Connected(3, again=True), "connected again, 3 things", "joined"),
        (ConnectionLost("It broke.", 1.26), "It broke. Trying again in 1.3 s.", "lost"),
        (ImportReport("h", 2), "Imported", "imported"),
    ],
)
def test_what_happened_is_told_in_a_line_and_as_data(news: Any, line: str, event: str) -> None:
    view, happened = HomeView.of(Home("h", "h", "neutral")), HomeEvent(news, 9.0)
    assert line in happened.lines(view, "en", unpainted)[0]
    assert happened.data(view)["event"] == event


def test_the_sign_to_look_again_is_not_told() -> None:
    view, happened = HomeView.of(Home("h", "h", "neutral")), HomeEvent(HomeChange(), 9.0)
    assert happened.lines(view, "en", unpainted) == []
    assert happened.data(view) == {}


def test_what_was_seen_is_counted() -> None:
    seen = WatchCounts()
    for news in (
        StateChange("a", "x", 1, 2),
        StateChange("a", "y", 1, 2),
        ConnectionLost("", 1.0),
        ImportReport("h", 1),
    ):
        seen.count(news)
    assert seen.line("en") == "2 changes of 1 devices, 1 imports, 1 times disconnected."
