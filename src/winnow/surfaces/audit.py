"""The audit log as text: one line an act, what a look through it found, and how much there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from winnow.bridge import blocking
from winnow.config import Settings
from winnow.say.messages import message
from winnow.surfaces.caches import escape_label
from winnow.surfaces.widths import padded, width
from winnow.text.encode import compact_json, encode
from winnow.types.audit import AuditEntry, ChainHead, Flaw, Unknown, Verified, calls_of
from winnow.types.dialogue import Language
from winnow.types.verdict import Call

Names = Mapping[str, str]
"""Device or scene id -> what it is called."""
DID = 64
"""Characters of what was done that are printed."""
FEW = 3
"""Calls of an act that are named in its line."""
CODES = {"head": "audit_headless"}


@dataclass(slots=True)
class Deed:
    """One act of the log, of all its entries."""

    act: str
    at: float
    user: str
    kinds: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outcomes: list[Mapping[str, Any]] = field(default_factory=list)
    status: str = ""

    @property
    def came(self) -> str:
        """What became of it, in one word."""
        if self.status:
            return self.status
        return "unknown" if "begun" in self.kinds else self.kinds[-1]


def deeds(entries: Iterable[AuditEntry], user: str = "") -> list[Deed]:
    """The acts these entries tell of, in the order they began; of that person alone, where one is named."""
    found: dict[str, Deed] = {}
    for entry in entries:
        record = entry.record
        body: Mapping[str, Any] = record.body
        if user not in ("", record.user):
            continue
        deed = found.setdefault(record.act, Deed(record.act, record.at, record.user))
        deed.kinds.append(record.kind)
        if record.kind == "begun":
            deed.calls += calls_of(body)
        elif record.kind == "outcome":
            deed.outcomes += [one for one in body.get("outcomes", ()) if isinstance(one, Mapping)]
        elif record.kind == "ended":
            deed.status = str(body.get("status", "done"))
    return list(found.values())


def deed_lines(found: Sequence[Deed], names: Names, language: Language) -> list[str]:
    """A table: when, who, what was done, what became of it."""
    if not found:
        return []
    rows = [[message(f"audit_{part}_head", language) for part in ("when", "who", "did", "outcome")]]
    for deed in found:
        told = [_called(call, names) for call in deed.calls]
        more = f" +{len(told) - FEW}" if len(told) > FEW else ""
        did = encode("; ".join(told[:FEW]), DID) + more
        rows.append([moment(deed.at), encode(deed.user, 16) or "-", did, outcome(deed.came, language)])
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(padded, row, widths)).rstrip() for row in rows]


def detail_lines(found: Sequence[Deed], names: Names, language: Language) -> list[str]:
    """Acts with every call: how it was before, and after."""
    lines = []
    for deed in found:
        lines.append(f"{moment(deed.at)}  {encode(deed.user) or '-'}  [{encode(deed.act)}]")
        lines += [f"  {_came(one, names, language)}" for one in deed.outcomes]
        left = [] if deed.status else unsettled(deed)
        lines += [f"  {_called(call, names)}  {outcome('unknown', language)}" for call in left]
        lines.append(f"  {outcome(deed.came, language)}")
    return lines


def unsettled(deed: Deed) -> list[Call]:
    """The calls of which no outcome is told."""
    left = list(deed.calls)
    for one in calls_of({"outcomes": deed.outcomes}):
        if one in left:
            left.remove(one)
    return left


def _came(one: Mapping[str, Any], names: Names, language: Language) -> str:
    call = next(calls_of({"outcomes": [one]}))
    before, after = one.get("before") or {}, one.get("after") or {}
    changes = []
    for key, value in after.items():
        earlier, later = ("?" if state is None else encode(str(state)) for state in (before.get(key), value))
        changes.append(f"{encode(str(key))}: {earlier} -> {later}")
    told = f"  ({', '.join(changes)})" if changes else ""
    return f"{_called(call, names)}  {outcome(str(one.get('status', '')), language)}{told}"


def outcome(status: str, language: Language) -> str:
    """What became of something, in words."""
    return message(f"audit_is_{status}", language) or encode(status)


def _called(call: Call, names: Names) -> str:
    arguments = f" {compact_json(dict(call.arguments))}" if call.arguments else ""
    return f"{encode(names.get(call.device_id, call.device_id))} {encode(call.command_id)}{arguments}"


def moment(seconds: float) -> str:
    """To the second, as the clock on the wall shows it."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M:%S}"


def verified_lines(home: str, looked: Verified, names: Names, language: Language) -> Iterator[str]:
    """Whether the log of a home holds, what is wrong with it, and of what nobody knows what came."""
    facts = {"home": encode(home), "count": looked.entries}
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


def flaw_line(flaw: Flaw, language: Language) -> str:
    """What is wrong with which entries."""
    code = "audit_entry" if flaw.first == flaw.last else "audit_entries"
    which = message(code, language, first=flaw.first, last=flaw.last)
    return message(CODES.get(flaw.kind, f"audit_{flaw.kind}"), language, which=which)


def _unknown(one: Unknown, names: Names, language: Language) -> Iterator[str]:
    yield message("audit_unknown", language, when=moment(one.at), who=encode(one.user) or "-")
    for call in one.calls:
        yield message("audit_unknown_call", language, call=_called(call, names))
    if not one.calls:
        yield message("audit_unknown_end", language)


def kept(settings: Settings) -> str:
    """The same of all homes of the tenant. Raises StoreError."""
    from winnow.wiring import open_store

    return prometheus(blocking(open_store(settings).storage.audit.heads(settings.scope)))


def prometheus(heads: Iterable[ChainHead]) -> str:
    """How many entries each home's log has, in the text format of Prometheus (version 0.0.4)."""
    rows = [(escape_label(encode(head.home)), head) for head in heads]
    told = [f'winnow_audit_entries_total{{home="{home}"}} {head.number}' for home, head in rows]
    told += [f'winnow_audit_entries_kept{{home="{home}"}} {head.kept}' for home, head in rows]
    return "".join(f"{line}\n" for line in told)
