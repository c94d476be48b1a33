"""``winnow home``: imports, lists, shows, corrects and deletes homes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from winnow.app.cli.options import (
    HomeOption,
    JsonOption,
    LanguageOption,
    StoredHome,
    command_group,
    message_language,
    say,
    show,
    show_data,
)
from winnow.app.config import checks
from winnow.app.config.settings import Settings, can_use_colours, load_settings
from winnow.app.output import import_report_lines, json_text, plain_data
from winnow.app.wiring.engine import find_home, open_store
from winnow.app.wiring.live_homes import home_link, linkable_platforms, open_live, refresh_live
from winnow.context.briefing_lines import entity_name, entity_room
from winnow.errors import HomeNotFound, LinkError, Phrase
from winnow.language.encode import encode_text
from winnow.language.messages import message, translate_text
from winnow.ports.stores import Storage
from winnow.types.home import OVERRIDE_DANGERS, Device, Home, HomeView, Override, Reach, Room, Scalar
from winnow.types.scope import Scope
from winnow.types.state import (
    Connected,
    ConnectionLost,
    HomeChange,
    HomeInfo,
    ImportReport,
    Link,
    Snapshot,
    StateChange,
)
from winnow.types.state import HomeEvent as HomeEvent_
from winnow.types.utterance import LanguageCode

# ``winnow home import --url`` and ``winnow home watch``: homes that are read from their server.

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


# ``winnow home set``, ``check`` and ``schema``.


Thing = Annotated[
    str, typer.Argument(metavar="THING", help="Id or name of a device or room.", show_default=False)
]
Name = Annotated[str, typer.Option("--name", help="What it is called.")]
Alias = Annotated[list[str] | None, typer.Option("--alias", help="A further name. Repeatable.")]
Kind = Annotated[list[str] | None, typer.Option("--kind", help="What it is: light, heater ... Repeatable.")]
Place = Annotated[str, typer.Option("--room", help="Id or name of the room it stands in.")]
Danger = Annotated[
    str, typer.Option("--risk", help=f"Why it wants a yes first: {', '.join(OVERRIDE_DANGERS)}.")
]
Hide = Annotated[
    bool | None, typer.Option("--hide/--show", help="Meant by its exact name only, or as any other.")
]
Reset = Annotated[bool, typer.Option("--reset", help="Forget all that was said of it.")]


def set_thing(
    thing: Thing,
    name: Name = "",
    alias: Alias = None,
    kind: Kind = None,
    room: Place = "",
    risk: Danger = "",
    hide: Hide = None,
    reset: Reset = False,
    home: HomeOption = "",
) -> None:
    """Say what a thing is, whatever its platform says; that outlives every import."""
    from winnow.app.wiring.engine import device_kinds, find_home, save_override

    settings = load_settings()
    _check_choice("--risk", [risk] if risk else [], OVERRIDE_DANGERS)
    _check_choice("--kind", kind or [], device_kinds())
    # What is neither hidden nor shown stays as it was.
    reach: Reach | None = None if hide is None else "named" if hide else "spoken"
    told = Override("", name, tuple(alias or ()), tuple(kind or ()), room, risk, reach)
    called = save_override(settings, find_home(settings, home), thing, None if reset else told)
    facts = (told.name, *told.aliases, *told.kinds, told.room_id, told.danger, told.reach)
    print(say("cli_set", name=called, facts=None if reset else list(filter(None, facts))))


def check_home(
    home_id: StoredHome = "",
    as_json: JsonOption = False,
) -> None:
    """Tell what an import left out, guessed or could not use, and what is worth knowing of the home."""
    from winnow.app.output import note_lines
    from winnow.app.wiring.engine import find_home, open_store
    from winnow.engine.home_import import home_notes
    from winnow.ports.services import run_blocking

    settings = load_settings()
    home = find_home(settings, home_id)
    states = run_blocking(open_store(settings).storage.states.read(settings.scope.at(home.id)))
    notes = home_notes(home, states)
    if as_json:
        show_data("notes", notes)
        return
    lines = note_lines(notes, message_language()) or [say("cli_nothing_noted")]
    show([say("cli_checked", home=home.id, devices=len(home.devices), rooms=len(home.rooms)), *lines])


def _check_choice(option: str, values: list[str], known: tuple[str, ...]) -> None:
    """Raises a usage error for a value that is none of the known ones."""
    for value in values:
        if value not in known:
            wrong = Phrase("{given!r} is none of {known}", given=value, known=known)
            raise typer.BadParameter(wrong, param_hint=option)


def print_schema() -> None:
    """Print the JSON Schema of the neutral format."""
    from winnow.app.wiring.engine import neutral_schema

    print(neutral_schema())


commands = command_group(help="Import homes and look at them.")


Export = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="Folder, ZIP or file of a SmartThings, Home Assistant or neutral export, "
        "or - for standard input; "
        "or a home that comes along: example:cottage, example:home40, example:home150; "
        "as messy as real ones: example:apartment-zh, example:townhouse-en, example:smartthings-raw.",
        show_default=False,
    ),
]
NewId = Annotated[
    str, typer.Option("--id", help="Id to store it under. Default: the folder's name, or the server's.")
]
Texts = Annotated[
    LanguageOption | None,
    typer.Option("--texts", help="Language its descriptions come in first. Default: zh."),
]
Specification = Annotated[
    Path | None, typer.Option("--spec", help="SmartThings command specification (JSON lines).")
]


@commands.command("import", epilog="Example: winnow home import ./payloads --id flat")
def import_(
    path: Export = "",
    home_id: NewId = "",
    texts: Texts = None,
    spec: Specification = None,
    url: UrlOption = "",
    token_env: TokenOption = "",
    platform: PlatformOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import a home, replacing the stored one of that id as a whole."""
    from winnow.app.output import import_report_lines
    from winnow.app.wiring.engine import import_path, open_store

    if bool(path) == bool(url):
        raise typer.BadParameter(say("cli_path_or_url"), param_hint="PATH, --url")
    settings = load_settings()
    first: LanguageCode | None = texts.value if texts else None
    if url:
        report = import_from_server(url, token_env, platform, home_id, first)
    else:
        homes = open_store(settings).storage.homes
        report = import_path(settings.scope, path, homes, home_id, first, spec)
    if as_json:
        show_data("import", report)
    else:
        show(import_report_lines(report, message_language()))


def _home_data(home: Home | HomeInfo) -> dict[str, object]:
    """A home as data; its id is called as everywhere else."""
    told = plain_data(home)
    return {"home": told.pop("id"), **told}


@commands.command("list", epilog="Example: winnow home list")
def list_(as_json: JsonOption = False) -> None:
    """List the stored homes."""
    from winnow.app.wiring.engine import open_store
    from winnow.ports.services import run_blocking

    settings = load_settings()
    homes = run_blocking(open_store(settings).storage.homes.list_homes(settings.scope))
    if as_json:
        show_data("homes", [_home_data(one) for one in homes])
    else:
        show(home_rows(homes), otherwise=say("cli_no_homes"))


@commands.command("show", epilog="Example: winnow home show flat")
def show_(
    home_id: StoredHome = "",
    as_json: JsonOption = False,
) -> None:
    """Show a home's floors, rooms and devices as a tree."""
    from winnow.app.wiring.engine import find_home, open_store
    from winnow.ports.services import run_blocking

    settings = load_settings()
    home = find_home(settings, home_id)
    states = run_blocking(open_store(settings).storage.states.read(settings.scope.at(home.id)))
    if as_json:
        show_data("home", {**_home_data(home), "states": states})
    else:
        show(home_tree(home, states))


commands.command("watch", epilog="Example: winnow home watch flat --for 60")(watch)
commands.command("set", epilog="Example: winnow home set 'Plug 3' --kind heater --alias 'towel rail'")(
    set_thing
)
commands.command("check", epilog="Example: winnow home check flat")(check_home)
commands.command("schema", epilog="Example: winnow home schema")(print_schema)


@commands.command("delete", epilog="Example: winnow home delete flat")
def delete(
    home_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the home.", show_default=False)],
    with_audit: Annotated[
        bool, typer.Option("--with-audit", help="Delete the log of what was done in it as well.")
    ] = False,
) -> None:
    """Forget a home. What was done in it stays in the audit log."""
    from winnow.app.wiring.engine import open_store
    from winnow.app.wiring.live_homes import open_links
    from winnow.ports.services import run_blocking

    settings = load_settings()
    scope = settings.scope.at(home_id)
    storage = open_store(settings).storage
    if not with_audit:
        run_blocking(storage.homes.delete_home(scope))
    else:
        with suppress(HomeNotFound):  # a log may be all that is left of it
            run_blocking(storage.homes.delete_home(scope))
        print(say("audit_forgotten", count=run_blocking(storage.audit.forget(scope))))
    # A home imported later under that id must not be read from the old server.
    open_links(settings).forget(scope)
    print(say("cli_deleted", home=home_id))


# Homes as text: a list, or one home as a tree of floors, rooms and devices.


def home_rows(homes: Iterable[HomeInfo]) -> list[str]:
    """One line per home: id, name, source, version, devices, when it was imported (local time)."""
    lines = []
    for home in homes:
        at = f"{datetime.fromtimestamp(home.imported_at).astimezone():%Y-%m-%d %H:%M}"
        about = encode_text(home.id), encode_text(home.name), home.source, f"v{home.version}"
        lines.append("  ".join((*about, f"{home.devices} devices", at)))
    return lines


def home_tree(home: Home, states: Snapshot) -> list[str]:
    """Its lines: floors, their rooms, the devices in each; then what is in none, then scenes and groups."""
    lines, floors = (
        [f"{encode_text(home.name)} ({encode_text(home.id)}, {home.source}, v{home.version})"],
        set(),
    )
    for floor in home.floors:
        floors.add(floor.id)
        lines.append(f"  {encode_text(floor.name)}")
        lines += _rooms([room for room in home.rooms if room.floor_id == floor.id], home, states, "    ")
    lines += _rooms([room for room in home.rooms if room.floor_id not in floors], home, states, "  ")
    lines += _roomless(home, states)
    lines += [f"  scene {encode_text(scene.name)}" for scene in home.scenes]
    return lines + [f"  group {encode_text(group.name)} ({len(group.members)})" for group in home.groups]


def _roomless(home: Home, states: Snapshot) -> Iterator[str]:
    rooms = {room.id for room in home.rooms}
    return (f"  {_device(device, states)}" for device in home.devices if device.room_id not in rooms)


def _rooms(rooms: Iterable[Room], home: Home, states: Snapshot, indent: str) -> Iterator[str]:
    for room in rooms:
        yield f"{indent}{_names_text(room.name, room.aliases)}"
        yield from (f"{indent}  {_device(d, states)}" for d in home.devices if d.room_id == room.id)


def _device(device: Device, states: Snapshot) -> str:
    kind = f" [{device.kinds[0]}]" if device.kinds else ""
    return (
        _names_text(device.name, device.aliases) + kind + ("" if states.online(device.id) else " (offline)")
    )


def _names_text(name: str, aliases: tuple[str, ...]) -> str:
    return f"{encode_text(name)} ({', '.join(map(encode_text, aliases))})" if aliases else encode_text(name)
