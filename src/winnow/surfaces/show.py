"""Values as text for a terminal and as plain data for ``--json``.

Names go through the encoder here as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from winnow.assemble.view import name_of, room_of, states_of
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.text.encode import compact_json, encode
from winnow.types.briefing import Retrieval
from winnow.types.dialogue import Language
from winnow.types.imports import ImportReport
from winnow.types.verdict import Act, Call, Clarify, Confirm, Nothing, Query, Refuse, Verdict, named_calls
from winnow.types.view import HomeView

LONGEST = 200
"""Characters of a query printed."""
SHOWN = 10
"""Calls, reads or candidates printed before the rest is only counted."""


def plain(value: Any) -> Any:
    """Dataclasses, tuples and mappings as JSON data; a verdict also says which one it is."""
    if is_dataclass(value) and not isinstance(value, type):
        named = {"verdict": type(value).__name__} if isinstance(value, Verdict) else {}
        return {**named, **{f.name: plain(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


def answer(retrieval: Retrieval, view: HomeView) -> str:
    """The verdict, then the text to inject with its tokens."""
    language, briefing = retrieval.reading.language, retrieval.briefing
    lines = [*verdict_lines(retrieval.verdict, view, language), *elsewhere(retrieval)]
    if not briefing.text:
        return "\n".join([*lines, "", message("cli_nothing_injected", language)])
    return "\n".join([*lines, "", message("cli_injected", language, tokens=briefing.tokens), briefing.text])


def elsewhere(retrieval: Retrieval) -> list[str]:
    """What is to be searched for outside the home, where a turn needs that."""
    intent = retrieval.intent
    if (
        intent is None
        or intent.source not in {"knowledge", "history"}
        or not isinstance(retrieval.verdict, Nothing)
    ):
        return []
    return [
        "  "
        + message(
            f"search_{intent.source}", retrieval.reading.language, query=encode(retrieval.query, LONGEST)
        )
    ]


def verdict_lines(verdict: Verdict, view: HomeView, language: Language) -> list[str]:
    """The verdict in a few lines: its name and sentence, then what it concerns."""
    conditions = (
        []
        if isinstance(verdict, Clarify | Query)
        else [f"  if {encode(j.text)}: {_holds(j.holds)}" for j in verdict.conditions]
    )
    return [
        f"{type(verdict).__name__}: {_sentence(verdict, view, language)}".rstrip(": "),
        *conditions,
        *_details(verdict, view, language),
    ]


def report_lines(report: ImportReport, language: Language) -> list[str]:
    """What an import stored and what it changed."""
    lines = [message("cli_imported", language, home=report.home_id, version=report.version, **report.counts)]
    if report.first:
        return lines
    changes = {"added": len(report.added), "removed": len(report.removed), "renamed": len(report.renamed)}
    lines.append(message("cli_changes", language, **(changes if any(changes.values()) else {})))
    return lines + [f"  {encode(r.before)} -> {encode(r.after)}" for r in report.renamed[:SHOWN]]


def _sentence(verdict: Verdict, view: HomeView, language: Language) -> str:
    if isinstance(verdict, Confirm | Clarify):
        return verdict.question
    if isinstance(verdict, Refuse):
        return verdict.message or " ".join(told(r, view, language) for r in verdict.refusals)
    return message(verdict.reason, language) if isinstance(verdict, Nothing) else ""


def _details(verdict: Verdict, view: HomeView, language: Language) -> list[str]:
    if isinstance(verdict, Act | Confirm):
        refused = [f"  - {told(r, view, language)}" for r in verdict.refused]
        return _first([_call(c, view) for c in named_calls(verdict)]) + refused
    if isinstance(verdict, Clarify):
        return [f"  {n}. {encode(o.label)}" for n, o in enumerate(verdict.options, 1)]
    if isinstance(verdict, Query):
        return _first(
            [
                f"  {_place(r.device_id, view)}  {r.attribute_id} = {_state(r.device_id, r.attribute_id, view)}"
                for r in verdict.reads
            ]
        )
    return []


def _call(call: Call, view: HomeView) -> str:
    arguments = f" {compact_json(dict(call.arguments))}" if call.arguments else ""
    return f"  {_place(call.device_id, view)}  {call.command_id}{arguments}"


def _place(entity_id: str, view: HomeView) -> str:
    room = room_of(view, entity_id)
    return (
        f"{encode(room)} / {encode(name_of(view, entity_id))}" if room else encode(name_of(view, entity_id))
    )


def _state(device_id: str, attribute: str, view: HomeView) -> str:
    states = states_of(view, device_id)
    return encode(str(states.get(attribute, states.get("state"))))


def _holds(holds: bool | None) -> str:
    return {True: "yes", False: "no", None: "?"}[holds]


def _first(lines: list[str]) -> list[str]:
    return lines[:SHOWN] + ([f"  ... +{len(lines) - SHOWN}"] if len(lines) > SHOWN else [])
