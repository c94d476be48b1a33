"""Verdicts and reports as text for a terminal.

Names go through the encoder here as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.say.messages import message
from winnow.say.telling import told
from winnow.surfaces.receipts import HOLDS, place_of
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
    Judged,
    Nothing,
    NotUnderstood,
    Query,
    Read,
    Refuse,
    Verdict,
    conditions_of,
    named_calls,
)
from winnow.types.view import HomeView

LONGEST = 200
"""Characters of a query printed."""
SHOWN = 10
"""Calls, reads or candidates printed before the rest is only counted."""
GROUPED = 4
"""Readings from which on those with one value are told together, where that is shorter."""


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
    if source not in {"knowledge", "history"} or not isinstance(retrieval.verdict, Nothing | NotUnderstood):
        return []
    query = encode(retrieval.query, LONGEST)
    return ["  " + message(f"search_{source}", retrieval.reading.language, query=query)]


def verdict_lines(retrieval: Retrieval, view: HomeView) -> list[str]:
    """The verdict in a few lines: its name and sentence, then what it concerns."""
    verdict, language = retrieval.verdict, retrieval.reading.language
    name = message(f"verdict_{type(verdict).__name__.lower()}", language)
    return [
        f"{name}: {sentence(verdict, view, language)}".rstrip(": "),
        *(line for j in conditions_of(verdict) for line in _judged(j, view, retrieval.snapshot, language)),
        *_details(verdict, view, retrieval.snapshot, language),
    ]


def _judged(judged: Judged, view: HomeView, snapshot: Snapshot, language: Language) -> list[str]:
    """Whether a condition holds, and every reading it was judged by."""
    told = "  " + message(HOLDS[judged.holds], language, condition=judged.text)
    return [told, *_first(["    " + reading(r, view, snapshot) for r in judged.reads])]


def sentence(verdict: Verdict, view: HomeView, language: Language) -> str:
    """What is said of it to a person; empty for what is done or read."""
    if isinstance(verdict, Confirm | Clarify):
        return verdict.question
    if isinstance(verdict, Refuse):
        return verdict.message or " ".join(told(r, view, language) for r in verdict.refusals)
    if isinstance(verdict, NotUnderstood):
        return verdict.message
    return message(verdict.reason, language) if isinstance(verdict, Nothing) else ""


def state_of(read: Read, snapshot: Snapshot) -> Scalar:
    """What is known of the attribute that is read: its value, else that of the device's main state."""
    return snapshot.value(read.device_id, told_by(read, snapshot))


def told_by(read: Read, snapshot: Snapshot) -> str:
    """The attribute whose value answers: the one that is read, else the device's main state."""
    return read.attribute_id if read.attribute_id in snapshot.of(read.device_id) else "state"


def _details(verdict: Verdict, view: HomeView, snapshot: Snapshot, language: Language) -> list[str]:
    if isinstance(verdict, Act | Confirm):
        calls = [_call(call, view) for call in named_calls(verdict)]
        refused = [f"  - {told(refusal, view, language)}" for refusal in verdict.refused]
        return _first(calls) + refused + _left_out(verdict, view, snapshot, language)
    if isinstance(verdict, Clarify):
        return [f"  {n}. {encode(o.label)}" for n, o in enumerate(verdict.options, 1)]
    if isinstance(verdict, Query):
        alike = readings_by_value(verdict.reads, view, snapshot)
        return alike or _first([f"  {reading(read, view, snapshot)}" for read in verdict.reads])
    return []


def readings_by_value(reads: Sequence[Read], view: HomeView, snapshot: Snapshot) -> list[str]:
    """``state = on (2): Study / Desk Lamp, Hall / Lamp``; nothing where telling them singly is as short."""
    groups: dict[str, list[str]] = {}
    for read in reads:
        value = f"{read.attribute_id} = {encode(str(state_of(read, snapshot)))}"
        groups.setdefault(value, []).append(place_of(read.device_id, view))
    if len(reads) < GROUPED or 2 * len(groups) > len(reads):
        return []
    return [f"  {value} ({len(places)}): {', '.join(places)}" for value, places in groups.items()]


def _left_out(verdict: Act | Confirm, view: HomeView, snapshot: Snapshot, language: Language) -> list[str]:
    """Who of a set is not acted on: those that are offline, and those that cannot do it."""
    bulk = verdict.bulk if isinstance(verdict, Act) else None
    left = bulk.uncovered if bulk else ()
    offline = [place_of(i, view) for i in left if not snapshot.online(i)]
    unable = [place_of(i, view) for i in left if snapshot.online(i)]
    told_of = {"left_offline": offline, "left_unable": unable}
    return [f"  - {message(code, language, names=names)}" for code, names in told_of.items() if names]


def _call(call: Call, view: HomeView) -> str:
    arguments = f" {compact_json(dict(call.arguments))}" if call.arguments else ""
    return f"  {place_of(call.device_id, view)}  {call.command_id}{arguments}"


def reading(read: Read, view: HomeView, snapshot: Snapshot) -> str:
    """``Study / Desk Lamp  switch = on``."""
    value = encode(str(state_of(read, snapshot)))
    return f"{place_of(read.device_id, view)}  {read.attribute_id} = {value}"


def _first(lines: list[str]) -> list[str]:
    return lines[:SHOWN] + ([f"  ... +{len(lines) - SHOWN}"] if len(lines) > SHOWN else [])
