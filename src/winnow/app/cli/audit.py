"""``winnow audit``: shows, verifies, exports and rotates the log of what was done."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.app.cli.options import (
    HomeOption,
    JsonOption,
    command_group,
    message_language,
    say,
    show,
    show_data,
)
from winnow.app.config.settings import Settings, load_settings
from winnow.app.metrics import escape_label
from winnow.app.output import pad_right, plain_data, text_width
from winnow.errors import HomeNotFound, Phrase, WinnowError
from winnow.language.encode import compact_json, encode_text
from winnow.language.messages import message
from winnow.ports.services import run_blocking
from winnow.types.receipt import AuditEntry, ChainHead, ChainVerification, Flaw, UnfinishedAct, recorded_calls
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Call

if TYPE_CHECKING:
    from winnow.ports.services import Audit
    from winnow.types.receipt import ChainVerification
    from winnow.types.scope import Scope

Names = Mapping[str, str]
"""Device or scene id -> what it is called."""
MAX_CALLS_CHARS = 64
"""Characters of what was done that are printed."""
MAX_CALLS_NAMED = 3
"""Calls of an act that are named in its line."""
FLAW_CODES = {"head": "audit_headless"}


@dataclass(slots=True)
class AuditedAct:
    """One act of the log, of all its entries."""

    act: str
    at: float
    user: str
    kinds: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outcomes: list[Mapping[str, Any]] = field(default_factory=list)
    status: str = ""

    @property
    def result(self) -> str:
        """What became of it, in one word."""
        if self.status:
            return self.status
        return "unknown" if "begun" in self.kinds else self.kinds[-1]


def audited_acts(entries: Iterable[AuditEntry], user: str = "") -> list[AuditedAct]:
    """The acts these entries tell of, in the order they began; of that person alone, where one is named."""
    found: dict[str, AuditedAct] = {}
    for entry in entries:
        record = entry.record
        body: Mapping[str, Any] = record.body
        if user not in ("", record.user):
            continue
        deed = found.setdefault(record.act, AuditedAct(record.act, record.at, record.user))
        deed.kinds.append(record.kind)
        if record.kind == "begun":
            deed.calls += recorded_calls(body)
        elif record.kind == "outcome":
            deed.outcomes += [one for one in body.get("outcomes", ()) if isinstance(one, Mapping)]
        elif record.kind == "ended":
            deed.status = str(body.get("status", "done"))
    return list(found.values())


def act_lines(found: Sequence[AuditedAct], names: Names, language: LanguageCode) -> list[str]:
    """A table: when, who, what was done, what became of it."""
    if not found:
        return []
    rows = [[message(f"audit_{part}_head", language) for part in ("when", "who", "did", "outcome")]]
    for deed in found:
        told = [_call_text(call, names) for call in deed.calls]
        more = f" +{len(told) - MAX_CALLS_NAMED}" if len(told) > MAX_CALLS_NAMED else ""
        did = encode_text("; ".join(told[:MAX_CALLS_NAMED]), MAX_CALLS_CHARS) + more
        rows.append(
            [local_time(deed.at), encode_text(deed.user, 16) or "-", did, outcome_text(deed.result, language)]
        )
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(pad_right, row, widths)).rstrip() for row in rows]


def act_detail_lines(found: Sequence[AuditedAct], names: Names, language: LanguageCode) -> list[str]:
    """Acts with every call: how it was before, and after."""
    lines = []
    for deed in found:
        lines.append(f"{local_time(deed.at)}  {encode_text(deed.user) or '-'}  [{encode_text(deed.act)}]")
        lines += [f"  {_outcome_line(one, names, language)}" for one in deed.outcomes]
        left = [] if deed.status else calls_without_outcome(deed)
        lines += [f"  {_call_text(call, names)}  {outcome_text('unknown', language)}" for call in left]
        lines.append(f"  {outcome_text(deed.result, language)}")
    return lines


def calls_without_outcome(deed: AuditedAct) -> list[Call]:
    """The calls of which no outcome is told."""
    left = list(deed.calls)
    for one in recorded_calls({"outcomes": deed.outcomes}):
        if one in left:
            left.remove(one)
    return left


def _outcome_line(one: Mapping[str, Any], names: Names, language: LanguageCode) -> str:
    call = next(recorded_calls({"outcomes": [one]}))
    before, after = one.get("before") or {}, one.get("after") or {}
    changes = []
    for key, value in after.items():
        earlier, later = (
            "?" if state is None else encode_text(str(state)) for state in (before.get(key), value)
        )
        changes.append(f"{encode_text(str(key))}: {earlier} -> {later}")
    told = f"  ({', '.join(changes)})" if changes else ""
    return f"{_call_text(call, names)}  {outcome_text(str(one.get('status', '')), language)}{told}"


def outcome_text(status: str, language: LanguageCode) -> str:
    """What became of something, in words."""
    return message(f"audit_is_{status}", language) or encode_text(status)


def _call_text(call: Call, names: Names) -> str:
    arguments = f" {compact_json(dict(call.arguments))}" if call.arguments else ""
    return (
        f"{encode_text(names.get(call.device_id, call.device_id))} {encode_text(call.command_id)}{arguments}"
    )


def local_time(seconds: float) -> str:
    """To the second, as the clock on the wall shows it."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M:%S}"


def verification_lines(
    home: str, looked: ChainVerification, names: Names, language: LanguageCode
) -> Iterator[str]:
    """Whether the log of a home holds, what is wrong with it, and of what nobody knows what came."""
    facts = {"home": encode_text(home), "count": looked.entries}
    sound = "audit_holds" if looked.entries else "audit_empty"
    yield message("audit_broken" if looked.broken else sound, language, **facts)
    if looked.entries and not looked.broken:
        yield f"  {looked.head}"
    for flaw in looked.broken:
        yield f"  {flaw_line(flaw, language)}"
    for unknown in looked.unknown:
        yield from _unknown(unknown, names, language)
    if looked.broken:
        yield message("audit_next", language)
        if {"altered", "unsealed"} & {flaw.kind for flaw in looked.broken}:
            yield message("audit_next_key", language)


def flaw_line(flaw: Flaw, language: LanguageCode) -> str:
    """What is wrong with which entries."""
    code = "audit_entry" if flaw.first == flaw.last else "audit_entries"
    which = message(code, language, first=flaw.first, last=flaw.last)
    return message(FLAW_CODES.get(flaw.kind, f"audit_{flaw.kind}"), language, which=which)


def _unknown(one: UnfinishedAct, names: Names, language: LanguageCode) -> Iterator[str]:
    yield message("audit_unknown", language, when=local_time(one.at), who=encode_text(one.user) or "-")
    for call in one.calls:
        yield message("audit_unknown_call", language, call=_call_text(call, names))
    if not one.calls:
        yield message("audit_unknown_end", language)


def tenant_audit_metrics(settings: Settings) -> str:
    """The same of all homes of the tenant. Raises StoreError."""
    from winnow.app.wiring.engine import open_store

    return audit_prometheus(run_blocking(open_store(settings).storage.audit.heads(settings.scope)))


def audit_prometheus(heads: Iterable[ChainHead]) -> str:
    """How many entries each home's log has, in the text format of Prometheus (version 0.0.4)."""
    rows = [(escape_label(encode_text(head.home)), head) for head in heads]
    told = [f'winnow_audit_entries_total{{home="{home}"}} {head.number}' for home, head in rows]
    told += [f'winnow_audit_entries_kept{{home="{home}"}} {head.entry_count}' for home, head in rows]
    return "".join(f"{line}\n" for line in told)


# The commands.


commands = command_group(help="What was done, by whom, and whether the log of it holds.")
PAGE_ENTRIES = 5000
"""Entries read at a time."""
ENTRIES_PER_ACT = 20
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
    from winnow.ports.services import run_blocking

    settings = load_settings()
    audit, scope = _open_log(settings, home_id)
    entries = run_blocking(
        audit.of_act(scope, act) if act else audit.last(scope, max(PAGE_ENTRIES, ENTRIES_PER_ACT * last))
    )
    found = audited_acts(entries, user)[-last:]
    if as_json:
        show_data("acts", found)
        return
    told = act_detail_lines if act else act_lines
    show(told(found, _thing_names(settings, scope), message_language()), otherwise=say("audit_none"))


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
    settings = load_settings()
    looked = _verifications(settings, home_id, expect)
    if as_json:
        show_data("logs", [{"home": home, **plain_data(one)} for home, one in looked.items()])
    else:
        lines: list[str] = []
        for home, one in looked.items():
            lines += verification_lines(
                home, one, _thing_names(settings, settings.scope.at(home)), message_language()
            )
        show(lines, otherwise=say("audit_none"))
    if any(one.broken for one in looked.values()):
        raise typer.Exit(1)


def _verifications(settings: Settings, home_id: str, expect: str) -> dict[str, ChainVerification]:
    """Home -> what a look through its log found: of that home, else of all that have a log."""
    from winnow.app.wiring.engine import open_store
    from winnow.ports.services import run_blocking

    storage, scope = open_store(settings).storage, settings.scope
    known = [head.home for head in run_blocking(storage.audit.heads(scope))]
    if home_id and home_id not in known:  # a slip in the name of a home must not look like a sound log
        stored = [info.id for info in run_blocking(storage.homes.list_homes(scope))]
        if home_id not in stored:
            raise HomeNotFound(home_id, sorted({*stored, *known}))
    homes = [home_id] if home_id else known
    return {home: run_blocking(storage.audit.verification(scope.at(home), expect)) for home in homes}


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
    audit, scope = _open_log(load_settings(), home_id)
    missing: list[Flaw] = []
    lines = _export_lines(audit, scope, missing)
    if target == "-":
        sys.stdout.writelines(lines)
    else:
        print(say("audit_exported", count=_write(target, lines), path=target))
    for flaw in missing:
        print(flaw_line(flaw, message_language()), file=sys.stderr)
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
    from winnow.ports.services import run_blocking

    settings = load_settings()
    audit, scope = _open_log(settings, home_id)
    count = run_blocking(audit.rotate(scope, keep))
    print(say("audit_rotated", count=count, path=settings.data / "audit"))


def _open_log(settings: Settings, home_id: str) -> tuple[Audit, Scope]:
    """The log, and the home that is meant: the one named, the configured one, or the only one with a log."""
    from winnow.app.wiring.engine import open_store
    from winnow.ports.services import run_blocking

    audit, scope = open_store(settings).storage.audit, settings.scope
    known = [head.home for head in run_blocking(audit.heads(scope))]
    home = home_id or settings.home or (known[0] if len(known) == 1 else "")
    if not home and known:
        raise HomeNotFound("", known)
    return audit, scope.at(home)


def _thing_names(settings: Settings, scope: Scope) -> dict[str, str]:
    """What devices and scenes are called; nothing of a home that is no more."""
    from winnow.app.wiring.engine import find_home

    with suppress(HomeNotFound):
        home = find_home(settings, scope.home)
        return {device.id: device.name for device in home.devices} | {s.id: s.name for s in home.scenes}
    return {}


def _export_lines(audit: Audit, scope: Scope, missing: list[Flaw]) -> Iterator[str]:
    """Every entry as a line of JSON; those that should stand between them go to ``missing``."""
    from winnow.app.output import json_text
    from winnow.ports.services import run_blocking

    # In pages: a log may be larger than memory.
    after = 0
    while entries := run_blocking(audit.entries(scope, after, PAGE_ENTRIES)):
        for entry in entries:
            # Numbers have no gaps, so a gap is an archive that is gone or damaged.
            if entry.number > after + 1:
                missing.append(Flaw("archive", after + 1, entry.number - 1))
            record = entry.record
            told = {name: getattr(record, name) for name in ("at", "user", "kind", "act", "body")}
            flat = {"number": entry.number, **told, "previous": entry.previous, "hash": entry.hash}
            yield f"{json_text(flat)}\n"
            after = entry.number
