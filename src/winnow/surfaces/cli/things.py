"""``winnow home set``, ``check`` and ``schema``: what things are, and what is worth knowing of them."""

from __future__ import annotations

from typing import Annotated

import typer

from winnow.config import load_settings
from winnow.errors import Phrase
from winnow.surfaces.cli.options import HomeOption, JsonOption, StoredHome, say, show, show_data, spoken
from winnow.types.catalog import Reach
from winnow.types.override import DANGERS, Override

Thing = Annotated[
    str, typer.Argument(metavar="THING", help="Id or name of a device or room.", show_default=False)
]
Name = Annotated[str, typer.Option("--name", help="What it is called.")]
Alias = Annotated[list[str] | None, typer.Option("--alias", help="A further name. Repeatable.")]
Kind = Annotated[list[str] | None, typer.Option("--kind", help="What it is: light, heater ... Repeatable.")]
Place = Annotated[str, typer.Option("--room", help="Id or name of the room it stands in.")]
Danger = Annotated[str, typer.Option("--risk", help=f"Why it wants a yes first: {', '.join(DANGERS)}.")]
Hide = Annotated[
    bool | None, typer.Option("--hide/--show", help="Meant by its exact name only, or as any other.")
]
Reset = Annotated[bool, typer.Option("--reset", help="Forget all that was said of it.")]


def set_(
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
    from winnow.wiring import find_home, known_kinds, say_of

    settings = load_settings()
    _closed("--risk", [risk] if risk else [], DANGERS)
    _closed("--kind", kind or [], known_kinds())
    # What is neither hidden nor shown stays as it was.
    reach: Reach | None = None if hide is None else "named" if hide else "spoken"
    told = Override("", name, tuple(alias or ()), tuple(kind or ()), room, risk, reach)
    called = say_of(settings, find_home(settings, home), thing, None if reset else told)
    facts = (told.name, *told.aliases, *told.kinds, told.room_id, told.danger, told.reach)
    print(say("cli_set", name=called, facts=None if reset else list(filter(None, facts))))


def check(
    home_id: StoredHome = "",
    as_json: JsonOption = False,
) -> None:
    """Tell what an import left out, guessed or could not use, and what is worth knowing of the home."""
    from winnow.bridge import blocking
    from winnow.checkup import checked
    from winnow.surfaces.report import note_lines
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    home = find_home(settings, home_id)
    states = blocking(open_store(settings).storage.states.read(settings.scope.at(home.id)))
    notes = checked(home, states)
    if as_json:
        show_data(notes)
        return
    lines = note_lines(notes, spoken()) or [say("cli_nothing_noted")]
    show([say("cli_checked", home=home.id, devices=len(home.devices), rooms=len(home.rooms)), *lines])


def _closed(option: str, values: list[str], known: tuple[str, ...]) -> None:
    """Raises a usage error for a value that is none of the known ones."""
    for value in values:
        if value not in known:
            wrong = Phrase("{given!r} is none of {known}", given=value, known=known)
            raise typer.BadParameter(wrong, param_hint=option)


def schema() -> None:
    """Print the JSON Schema of the neutral format."""
    from winnow.wiring import neutral_schema

    print(neutral_schema())
