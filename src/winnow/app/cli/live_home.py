"""``winnow home import --url`` and ``winnow home watch``: homes that are read from their server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated

import typer

from winnow.app.cli.options import JsonOption, StoredHome, message_language, say
from winnow.app.config import checks
from winnow.app.config.settings import Settings, can_use_colours, load_settings
from winnow.app.output import import_report_lines, json_text
from winnow.app.wiring.engine import find_home, open_store
from winnow.app.wiring.live_homes import home_link, linkable_platforms, open_live, refresh_live
from winnow.context.briefing_lines import entity_name, entity_room
from winnow.errors import LinkError, Phrase
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.language.translation import translate_text
from winnow.ports.stores import Storage
from winnow.types.home import HomeView, Scalar
from winnow.types.scope import Scope
from winnow.types.state import (
    Connected,
    ConnectionLost,
    HomeChange,
    ImportReport,
    Link,
    StateChange,
)
from winnow.types.state import HomeEvent as HomeEvent_
from winnow.types.utterance import LanguageCode

MAX_VALUE_CHARS = 60
"""Characters of a value."""
Paint = Callable[[str, str], str]
"""A text in a colour: ``green``, ``yellow`` ..."""


def unpainted(text: str, colour: str) -> str:
    """The text as it is, for what shows no colours."""
    return text


@dataclass
class WatchCounts:
    """What was seen since the beginning."""

    changes: int = 0
    devices: set[str] = field(default_factory=set)
    lost: int = 0
    imports: int = 0

    def count(self, news: HomeEvent_ | ImportReport) -> None:
        """Count one more."""
        if isinstance(news, StateChange):
            self.changes += 1
            self.devices.add(news.device_id)
        self.lost += isinstance(news, ConnectionLost)
        self.imports += isinstance(news, ImportReport)

    def line(self, language: LanguageCode) -> str:
        """All of it in a line."""
        counts = {"changes": self.changes, "devices": len(self.devices)}
        return message("watch_seen", language, **counts, lost=self.lost, imports=self.imports)


@dataclass(frozen=True, slots=True)
class HomeEvent:
    """Something that happened to a home, and when it was heard of (seconds since the epoch)."""

    news: HomeEvent_ | ImportReport
    at: float

    @property
    def moment(self) -> datetime:
        """When it happened, in local time."""
        told = self.news.at if isinstance(self.news, StateChange) else None
        return datetime.fromtimestamp(self.at if told is None else told).astimezone()

    def lines(self, view: HomeView, language: LanguageCode, paint: Paint) -> list[str]:
        """What happened, for a person; nothing for what is only the sign to look again."""
        news = self.news
        match news:
            case StateChange():
                room, name = entity_room(view, news.device_id), entity_name(view, news.device_id)
                before, after = _value(news.before), paint(_value(news.after), "yellow")
                placed = (encode_text(part) for part in (room, name) if part)
                lines = ["  ".join([*placed, encode_text(news.attribute_id), f"{before} -> {after}"])]
            case Connected():
                code = "watch_again" if news.again else "watch_joined"
                lines = [paint(message(code, language, things=news.things), "green")]
            case ConnectionLost():
                why, seconds = translate_text(news.why, language), round(news.pause, 1)
                lines = [paint(message("watch_lost", language, why=why, seconds=seconds), "red")]
            case ImportReport():
                lines = import_report_lines(replace(news, notes=()), language)
            case _:
                return []
        clock = paint(f"{self.moment:%H:%M:%S}", "bright_black")
        return [f"{clock}  {line}" for line in lines]

    def data(self, view: HomeView) -> dict[str, object]:
        """What happened, for a program; empty for what is only the sign to look again."""
        news, about = self.news, dict[str, object]()
        match news:
            case StateChange():
                about = {"event": "changed", "room": entity_room(view, news.device_id)}
                about |= {"name": entity_name(view, news.device_id), "id": news.device_id}
                about |= {"attribute": news.attribute_id, "before": news.before, "after": news.after}
            case Connected():
                about = {"event": "joined", "things": news.things, "again": news.again}
            case ConnectionLost():
                about = {"event": "lost", "why": news.why, "pause": news.pause}
            case ImportReport():
                about = {"event": "imported", "report": news}
            case _:
                return {}
        return {"at": self.moment.isoformat(timespec="milliseconds"), **about}


def _value(value: Scalar) -> str:
    """A value on one line; a dash where there is none."""
    return "-" if value is None else encode_text(str(value), MAX_VALUE_CHARS)


# The commands.


UrlOption = Annotated[
    str, typer.Option("--url", help="Read the home where it runs: the address of its server.")
]
TokenOption = Annotated[
    str, typer.Option("--token-env", help="Name of the environment variable that holds the server's token.")
]
PlatformOption = Annotated[
    str | None,
    typer.Option("--platform", help="What answers at the address. Default: it is found out."),
]


def import_from_server(
    url: str, token_env: str, platform: str | None, home_id: str, language: LanguageCode | None
) -> ImportReport:
    """The report of a home that was read at an address and stored, with its address but not its token."""
    from winnow.app.wiring.engine import open_store
    from winnow.app.wiring.live_homes import expect_token, find_platform, import_live, open_links

    if not token_env:
        raise typer.BadParameter(say("cli_token_env"), param_hint="--token-env")
    try:
        # Whoever pastes the token itself must not see it stored or printed.
        checks.variable(token_env)
    except ValueError:
        raise typer.BadParameter(say("cli_token_itself"), param_hint="--token-env") from None
    if platform and platform not in (known := linkable_platforms()):
        wrong = Phrase("must be one of {names}", names=list(known))
        raise typer.BadParameter(wrong, param_hint="--platform")
    # Before anything is sent: a missing token would look like a refused one.
    expect_token(token_env)
    settings = load_settings()
    link = Link(url, platform or find_platform(url), token_env)
    storage = open_store(settings).storage
    report = asyncio.run(import_live(settings.scope, link, storage, home_id, language, _progress))
    open_links(settings).keep(settings.scope.at(report.home_id), link)
    return report


def _progress(what: str, count: int) -> None:
    """Say what was read, to a person who waits for it."""
    if sys.stderr.isatty():
        print(say("cli_fetched", what=what, count=count), file=sys.stderr)


def watch(
    home_id: StoredHome = "",
    seconds: Annotated[
        float | None, typer.Option("--for", min=0, help="End after so many seconds. Default: at Ctrl-C.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what happens in a home that was imported from its server, as it happens.

    A home that is rearranged meanwhile is imported anew. Nothing is ever changed in the home.
    """
    watched = open_watched(load_settings(), home_id, _print_event_data if as_json else _print_event)
    with suppress(KeyboardInterrupt):
        asyncio.run(watched.run(seconds))
    if not as_json:
        print(watched.counts.line(message_language()))


def _print_event(event: HomeEvent, view: HomeView) -> None:
    """Each line as soon as it is known, in colours where they can be seen and are wanted."""
    colours = sys.stdout.isatty() and can_use_colours()
    paint: Paint = (lambda text, colour: typer.style(text, fg=colour)) if colours else unpainted
    for line in event.lines(view, message_language(), paint):
        print(line, flush=True)


def _print_event_data(event: HomeEvent, view: HomeView) -> None:
    if data := event.data(view):
        print(json_text(data), flush=True)


# Watching: events are reported, and a rearranged home is imported anew.


Tell = Callable[[HomeEvent, HomeView], None]


@dataclass
class WatchedHome:
    """A stored home with its server. ``report_event`` gets what happens, as it happens."""

    settings: Settings
    scope: Scope
    link: Link
    storage: Storage
    view: HomeView
    report_event: Tell
    counts: WatchCounts = field(default_factory=WatchCounts)

    async def run(self, seconds: float | None = None) -> None:
        """Watch for so many seconds, or until it is called off.

        Raises LinkError when the home cannot be reached at first, or for a reason that does not pass.
        """
        home = open_live(self.link, self.storage.clock)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for news in home.news():
                    # A home that was rearranged is imported anew where it is not as it was.
                    event = await self._refresh() if isinstance(news, HomeChange) else news
                    if event is not None:
                        self.counts.count(event)
                        self.report_event(HomeEvent(event, self.storage.clock.now()), self.view)

    async def _refresh(self) -> ImportReport | None:
        try:
            report = await refresh_live(self.scope, self.link, self.storage)
        except LinkError as error:
            if not error.retryable:
                raise
            return None  # once the server is back, the home counts as rearranged
        if report is not None:
            self.view = HomeView.of(find_home(self.settings, self.scope.home))
        return report


def open_watched(settings: Settings, home_id: str, tell: Tell) -> WatchedHome:
    """The stored home of that id (empty: the only one). Raises HomeNotFound, StoreError, LinkError."""
    home = find_home(settings, home_id)
    scope = settings.scope.at(home.id)
    link = home_link(settings, home.id)
    return WatchedHome(settings, scope, link, open_store(settings).storage, HomeView.of(home), tell)
