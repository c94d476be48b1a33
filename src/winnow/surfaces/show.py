"""Verdicts and reports as text for a terminal.

Names go through the encoder here as everywhere.
"""

from __future__ import annotations

from winnow.assemble.view import name_of, room_of
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.text.encode import compact_json, encode
from winnow.types.briefing import Retrieval
from winnow.types.catalog import Scalar
from winnow.types.dialogue import Language
from winnow.types.state import Snapshot
from winnow.types.verdict import (
    Act,
    Call,
    Clarify,
    Confirm,
    Nothing,
    Query,
    Read,
    Refuse,
    Verdict,
    named_calls,
)
from winnow.types.view import HomeView

LONGEST = 200
"""Characters of a query printed."""
SHOWN = 10
"""Calls, reads or candidates printed before the rest is only counted."""
HOLDS = {True: "yes", False: "no", None: "?"}


def answer(retrieval: Retrieval, view: HomeView) -> str:
    """The verdict, then the text to inject with its tokens."""
    language, briefing = retrieval.reading.language, retrieval.briefing
    lines = [*verdict_lines(retrieval, view), *elsewhere(retrieval)]
    if not briefing.text:
        return "\n".join([*lines, "", message("cli_nothing_injected", language)])
    return "\n".join([*lines, "", message("cli_injected", language, tokens=briefing.tokens), briefing.text])


def elsewhere(retrieval: Retrieval) -> list[str]:
    """What is to be searched for outside the home, where a turn needs that."""
    source = retrieval.intent.source if retrieval.intent else "none"
    if source not in {"knowledge", "history"} or not isinstance(retrieval.verdict, Nothing):
        return []
    query = encode(retrieval.query, LONGEST)
    return ["  " + message(f"search_{source}", retrieval.reading.language, query=query)]


def verdict_lines(retrieval: Retrieval, view: HomeView) -> list[str]:
    """The verdict in a few lines: its name and sentence, then what it concerns."""
    verdict, language = retrieval.verdict, retrieval.reading.language
    judged = () if isinstance(verdict, Clarify | Query) else verdict.conditions
    return [
        f"{type(verdict).__name__}: {sentence(verdict, view, language)}".rstrip(": "),
        *(f"  if {encode(j.text)}: {HOLDS[j.holds]}" for j in judged),
        *_details(verdict, view, retrieval.snapshot, language),
    ]


def sentence(verdict: Verdict, view: HomeView, language: Language) -> str:
    """What is said of it to a person; empty for what is done or read."""
    if isinstance(verdict, Confirm | Clarify):
        return verdict.question
    if isinstance(verdict, Refuse):
        return verdict.message or " ".join(told(r, view, language) for r in verdict.refusals)
    return message(verdict.reason, language) if isinstance(verdict, Nothing) else ""


def state_of(read: Read, snapshot: Snapshot) -> Scalar:
    """What is known of the attribute that is read: its value, else that of the device's main state."""
    return snapshot.value(read.device_id, told_by(read, snapshot))


def told_by(read: Read, snapshot: Snapshot) -> str:
    """The attribute whose value answers: the one that is read, else the device's main state."""
    return read.attribute_id if read.attribute_id in snapshot.of(read.device_id) else "state"


def _details(verdict: Verdict, view: HomeView, snapshot: Snapshot, language: Language) -> list[str]:
    if isinstance(verdict, Act | Confirm):
        refused = [f"  - {told(r, view, language)}" for r in verdict.refused]
        return _first([_call(c, view) for c in named_calls(verdict)]) + refused
    if isinstance(verdict, Clarify):
        return [f"  {n}. {encode(o.label)}" for n, o in enumerate(verdict.options, 1)]
    if isinstance(verdict, Query):
        return _first([f"  {reading(read, view, snapshot)}" for read in verdict.reads])
    return []


def _call(call: Call, view: HomeView) -> str:
    arguments = f" {compact_json(dict(call.arguments))}" if call.arguments else ""
    return f"  {_place(call.device_id, view)}  {call.command_id}{arguments}"


def reading(read: Read, view: HomeView, snapshot: Snapshot) -> str:
    """``Study / Desk Lamp  switch = on``."""
    value = encode(str(state_of(read, snapshot)))
    return f"{_place(read.device_id, view)}  {read.attribute_id} = {value}"


def _place(entity_id: str, view: HomeView) -> str:
    name, room = encode(name_of(view, entity_id)), room_of(view, entity_id)
    return f"{encode(room)} / {name}" if room else name


def _first(lines: list[str]) -> list[str]:
    return lines[:SHOWN] + ([f"  ... +{len(lines) - SHOWN}"] if len(lines) > SHOWN else [])
