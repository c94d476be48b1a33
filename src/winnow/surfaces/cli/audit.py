"""``winnow audit``: what was done, by whom, and whether the log of it holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.config import Settings, load_settings
from winnow.errors import HomeNotFound, Phrase, WinnowError
from winnow.surfaces.audit import flaw_line
from winnow.surfaces.cli.options import HomeOption, JsonOption, group, say, show, show_data, spoken
from winnow.types.audit import Flaw

if TYPE_CHECKING:
    from winnow.ports import Audit
    from winnow.types.audit import Verified
    from winnow.types.scope import Scope

commands = group(help="What was done, by whom, and whether the log of it holds.")
PAGE = 5000
"""Entries read at a time."""
AN_ACT = 20
"""Entries that are read for each act to be shown."""


@commands.command("show", epilog="Example: winnow audit show --user ida --last 5")
def show_(
    home_id: HomeOption = "",
    user: Annotated[str, typer.Option("--user", help="Only what this person did.")] = "",
    last: Annotated[int, typer.Option("--last", min=1, help="How many acts, the latest.")] = 20,
    act: Annotated[str, typer.Option("--act", help="Id of one act, shown with every call.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Show the latest acts: when, who, what was done, what became of it. What was said is not on record."""
    from winnow.bridge import blocking
    from winnow.surfaces.audit import deed_lines, deeds, detail_lines

    settings = load_settings()
    audit, scope = _opened(settings, home_id)
    entries = blocking(audit.of_act(scope, act) if act else audit.last(scope, max(PAGE, AN_ACT * last)))
    found = deeds(entries, user)[-last:]
    if as_json:
        show_data(found)
        return
    told = detail_lines if act else deed_lines
    show(told(found, _names(settings, scope), spoken()), otherwise=say("audit_none"))


@commands.command("verify", epilog="Example: winnow audit verify --home flat --expect 9f86d081884c7d65...")
def verify(
    home_id: HomeOption = "",
    expect: Annotated[
        str, typer.Option("--expect", help="Hash of an entry, written down earlier, that has to be there.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Tell whether the log holds: nothing altered, removed, put in or cut off; and which acts never ended.

    Without --home all homes are looked at. Ends with 1 where a log does not hold. Nobody can forge entries
    where WINNOW_AUDIT_KEY is set; only a hash that was written down elsewhere tells of a whole log, or its
    end, that was put back to an earlier state.
    """
    from winnow.surfaces.audit import verified_lines

    settings = load_settings()
    looked = _looked(settings, home_id, expect)
    if as_json:
        show_data(looked)
    else:
        lines: list[str] = []
        for home, one in looked.items():
            lines += verified_lines(home, one, _names(settings, settings.scope.at(home)), spoken())
        show(lines, otherwise=say("audit_none"))
    if any(one.broken for one in looked.values()):
        raise typer.Exit(1)


def _looked(settings: Settings, home_id: str, expect: str) -> dict[str, Verified]:
    """Home -> what a look through its log found: of that home, else of all that have a log."""
    from winnow.bridge import blocking
    from winnow.wiring import open_store

    storage, scope = open_store(settings).storage, settings.scope
    known = [head.home for head in blocking(storage.audit.heads(scope))]
    if home_id and home_id not in known:  # a slip in the name of a home must not look like a sound log
        stored = [info.id for info in blocking(storage.homes.list_homes(scope))]
        if home_id not in stored:
            raise HomeNotFound(home_id, sorted({*stored, *known}))
    homes = [home_id] if home_id else known
    return {home: blocking(storage.audit.verified(scope.at(home), expect)) for home in homes}


@commands.command("export", epilog="Example: winnow audit export flat-audit.jsonl --home flat")
def export(
    target: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Where to write, or - for standard output.", show_default=False),
    ],
    home_id: HomeOption = "",
) -> None:
    """Write all entries of a home's log, archives included, as one JSON object a line.

    Entries whose archive is gone or damaged are named; then it ends with 1.
    """
    audit, scope = _opened(load_settings(), home_id)
    missing: list[Flaw] = []
    lines = _lines(audit, scope, missing)
    if target == "-":
        sys.stdout.writelines(lines)
    else:
        print(say("audit_exported", count=_write(target, lines), path=target))
    for flaw in missing:
        print(flaw_line(flaw, spoken()), file=sys.stderr)
    if missing:
        raise typer.Exit(1)


def _write(target: str, lines: Iterator[str]) -> int:
    """How many lines were written there. Raises WinnowError."""
    try:
        with Path(target).open("w", encoding="utf-8", errors="surrogatepass") as file:
            return sum(bool(file.write(line)) for line in lines)
    except OSError as error:
        raise WinnowError(
            Phrase("{path} cannot be written: {why}.", path=target, why=error.strerror),
            hint="Name another file, or - for standard output.",
        ) from error


@commands.command("rotate", epilog="Example: winnow audit rotate --home flat --keep 1000")
def rotate(
    home_id: HomeOption = "",
    keep: Annotated[int, typer.Option("--keep", min=0, help="How many entries stay in the store.")] = 1000,
) -> None:
    """Put all but the latest entries into an archive of the data folder; the chain goes on from them."""
    from winnow.bridge import blocking

    settings = load_settings()
    audit, scope = _opened(settings, home_id)
    count = blocking(audit.rotate(scope, keep))
    print(say("audit_rotated", count=count, path=settings.data / "audit"))


def _opened(settings: Settings, home_id: str) -> tuple[Audit, Scope]:
    """The log, and the home that is meant: the one named, the configured one, or the only one with a log."""
    from winnow.bridge import blocking
    from winnow.wiring import open_store

    audit, scope = open_store(settings).storage.audit, settings.scope
    known = [head.home for head in blocking(audit.heads(scope))]
    home = home_id or settings.home or (known[0] if len(known) == 1 else "")
    if not home and known:
        raise HomeNotFound("", known)
    return audit, scope.at(home)


def _names(settings: Settings, scope: Scope) -> dict[str, str]:
    """What devices and scenes are called; nothing of a home that is no more."""
    from winnow.wiring import find_home

    with suppress(HomeNotFound):
        home = find_home(settings, scope.home)
        return {device.id: device.name for device in home.devices} | {s.id: s.name for s in home.scenes}
    return {}


def _lines(audit: Audit, scope: Scope, missing: list[Flaw]) -> Iterator[str]:
    """Every entry as a line of JSON; those that should stand between them go to ``missing``."""
    from winnow.bridge import blocking
    from winnow.surfaces.plain import json_text

    after = 0
    while entries := blocking(audit.entries(scope, after, PAGE)):
        for entry in entries:
            if entry.number > after + 1:
                missing.append(Flaw("archive", after + 1, entry.number - 1))
            record = entry.record
            told = {name: getattr(record, name) for name in ("at", "user", "kind", "act", "body")}
            flat = {"number": entry.number, **told, "previous": entry.previous, "hash": entry.hash}
            yield f"{json_text(flat)}\n"
            after = entry.number
