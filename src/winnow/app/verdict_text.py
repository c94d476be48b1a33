"""Verdicts and receipts as text for a terminal; names are encoded here as everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from winnow.context.briefing_lines import entity_name, entity_room
from winnow.engine.replies import failure_sentence, receipt_sentences
from winnow.language.encode import compact_json, encode_text
from winnow.language.messages import message
from winnow.language.naming import refusal_text
from winnow.types.home import HomeView, Scalar
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.state import Snapshot
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import (
    Act,
    Clarify,
    ConditionCheck,
    Confirm,
    Nothing,
    NotUnderstood,
    Query,
    Read,
    Refuse,
    Verdict,
    conditions_of,
    named_calls,
)

# Receipts: a sentence, then a line for every change, failure and condition.


CONDITION_CODES = {True: "condition_yes", False: "condition_no", None: "condition_unknown"}
MAX_SINGLE_LINES = 3
"""Things with the same change told one by one; more are told together."""
UNITS = {"C": "°C", "F": "°F"}
AGE_UNITS = ((3600.0, "receipt_hours"), (60.0, "receipt_minutes"), (0.0, "receipt_seconds"))


def receipt_lines(receipt: Receipt, view: HomeView, language: LanguageCode) -> Iterator[str]:
    """The receipt for a person: nothing that was tried is left out."""
    sent = receipt.status == "done" and not receipt.of("done")
    status = message(f"receipt_status_{'sent' if sent else receipt.status}", language)
    yield f"{status}: {receipt_sentences(receipt, view, language)}"
    for judged in receipt.conditions:
        yield from _condition(judged, receipt.at, view, language)
    yield from _changes(receipt, view)
    for outcome in receipt.of("failed", "unknown", "skipped"):
        yield f"  ! {failure_sentence(outcome, view, language)}"
    for refusal in receipt.refused if receipt.outcomes else ():  # else the sentence says it all
        yield f"  - {refusal_text(refusal, view, language)}"


def _changes(receipt: Receipt, view: HomeView) -> Iterator[str]:
    """``Study / Desk Lamp  switch: off -> on``; of many that changed alike, the change, then their names."""
    alike: dict[str, list[str]] = {}
    for outcome in receipt.of("done", "sent"):
        place = place_of(outcome.call.device_id, view)
        alike.setdefault(_change(outcome), []).append(place)
        for device_id, changed in outcome.moved.items():
            change = "; ".join(f"{encode_text(k)}: -> {_value(v)}" for k, v in changed.items())
            alike.setdefault(change, []).append(place_of(device_id, view))
    for change, places in alike.items():
        # Twenty lamps that were switched off are one line, not twenty.
        if len(places) > MAX_SINGLE_LINES:
            yield f"  {change} ({len(places)}): {', '.join(places)}"
        else:
            yield from (f"  {place}  {change}".rstrip() for place in places)


def _change(outcome: Outcome) -> str:
    """``switch: off -> on``; only what differs, or what it is where nothing does."""
    before, after = outcome.before, outcome.changed
    differ = {k: v for k, v in after.items() if before.get(k) != v}
    parts = [f"{encode_text(k)}: {_value(before.get(k))} -> {_value(v)}" for k, v in differ.items()]
    same = [f"{encode_text(k)}: {_value(v)}" for k, v in after.items()]
    return "; ".join(parts or same) or encode_text(outcome.call.command_id)


def _condition(judged: ConditionCheck, at: float, view: HomeView, language: LanguageCode) -> Iterator[str]:
    """Whether a condition held, by which reading, and how old that was: ``read 2 s ago``."""
    yield "  " + message(CONDITION_CODES[judged.holds], language, condition=judged.text)
    told_at = f", {_age(at - judged.at, language)}" if judged.at is not None and at else ""
    for read in judged.reads:
        attributes = view.profile(read.device_id).attributes if read.device_id in view.devices else ()
        unit = judged.unit or next((a.unit for a in attributes if a.id == read.attribute_id), "")
        value = f"{_value(judged.value)} {UNITS.get(unit, unit)}".rstrip()
        yield f"    {place_of(read.device_id, view)}  {encode_text(read.attribute_id)} = {value}{told_at}"


def _age(seconds: float, language: LanguageCode) -> str:
    """``read 2 s ago``."""
    size, code = next(row for row in AGE_UNITS if max(seconds, 0.0) >= row[0])
    return message(code, language, count=round(max(seconds, 0.0) / (size or 1.0)))


def _value(value: Scalar) -> str:
    return "?" if value is None else encode_text(f"{value:g}" if isinstance(value, float) else str(value))


def place_of(thing_id: str, view: HomeView) -> str:
    """``Study / Desk Lamp``."""
    name, room = encode_text(entity_name(view, thing_id)), entity_room(view, thing_id)
    return f"{encode_text(room)} / {name}" if room else name


MAX_QUERY_CHARS = 200
"""Characters of a query printed."""
MAX_CALL_LINES = 10
"""Calls, reads or candidates printed before the rest is only counted."""
MIN_GROUPED_READINGS = 4
"""Readings from which on those with one value are told together, where that is shorter."""


def answer_text(retrieval: Retrieval, view: HomeView) -> str:
    """The verdict, then the text to inject with its tokens."""
    language, briefing = retrieval.reading.language, retrieval.briefing
    lines = [*verdict_lines(retrieval, view), *search_lines(retrieval)]
    if not briefing.text:
        return "\n".join([*lines, "", message("cli_nothing_injected", language)])
    return "\n".join([*lines, "", message("cli_injected", language, tokens=briefing.tokens), briefing.text])


def search_lines(retrieval: Retrieval) -> list[str]:
    """What is to be searched for outside the home, where a turn needs that."""
    source = retrieval.intent.source if retrieval.intent else "none"
    if source not in {"knowledge", "history"} or not isinstance(retrieval.verdict, Nothing | NotUnderstood):
        return []
    query = encode_text(retrieval.query, MAX_QUERY_CHARS)
    return ["  " + message(f"search_{source}", retrieval.reading.language, query=query)]


def verdict_lines(retrieval: Retrieval, view: HomeView) -> list[str]:
    """The verdict in a few lines: its name and sentence, then what it concerns."""
    verdict, language = retrieval.verdict, retrieval.reading.language
    name = message(f"verdict_{type(verdict).__name__.lower()}", language)
    return [
        f"{name}: {verdict_sentence(verdict, view, language)}".rstrip(": "),
        *(
            line
            for j in conditions_of(verdict)
            for line in _condition_lines(j, view, retrieval.snapshot, language)
        ),
        *_details(verdict, view, retrieval.snapshot, language),
    ]


def _condition_lines(
    judged: ConditionCheck, view: HomeView, snapshot: Snapshot, language: LanguageCode
) -> list[str]:
    """Whether a condition holds, and every reading it was judged by."""
    told = "  " + message(CONDITION_CODES[judged.holds], language, condition=judged.text)
    return [told, *_first_lines(["    " + reading_text(r, view, snapshot) for r in judged.reads])]


def verdict_sentence(verdict: Verdict, view: HomeView, language: LanguageCode) -> str:
    """What is said of it to a person; empty for what is done or read."""
    if isinstance(verdict, Confirm | Clarify):
        return verdict.question
    if isinstance(verdict, Refuse):
        return verdict.message or " ".join(refusal_text(r, view, language) for r in verdict.refusals)
    if isinstance(verdict, NotUnderstood):
        return verdict.message
    return message(verdict.reason, language) if isinstance(verdict, Nothing) else ""


def state_of(read: Read, snapshot: Snapshot) -> Scalar:
    """What is known of the attribute that is read: its value, else that of the device's main state."""
    return snapshot.value(read.device_id, answering_attribute(read, snapshot))


def answering_attribute(read: Read, snapshot: Snapshot) -> str:
    """The attribute whose value answers: the one that is read, else the device's main state."""
    return read.attribute_id if read.attribute_id in snapshot.of(read.device_id) else "state"


def _details(verdict: Verdict, view: HomeView, snapshot: Snapshot, language: LanguageCode) -> list[str]:
    if isinstance(verdict, Act | Confirm):
        calls: list[str] = []
        for call in named_calls(verdict):
            arguments = f" {compact_json(dict(call.arguments))}" if call.arguments else ""
            calls.append(f"  {place_of(call.device_id, view)}  {call.command_id}{arguments}")
        refused = [f"  - {refusal_text(refusal, view, language)}" for refusal in verdict.refused]
        return _first_lines(calls) + refused + _left_out(verdict, view, snapshot, language)
    if isinstance(verdict, Clarify):
        return [f"  {n}. {encode_text(o.label)}" for n, o in enumerate(verdict.options, 1)]
    if isinstance(verdict, Query):
        alike = readings_by_value(verdict.reads, view, snapshot)
        return alike or _first_lines([f"  {reading_text(read, view, snapshot)}" for read in verdict.reads])
    return []


def readings_by_value(reads: Sequence[Read], view: HomeView, snapshot: Snapshot) -> list[str]:
    """``state = on (2): Study / Desk Lamp, Hall / Lamp``; nothing where telling them singly is as short."""
    groups: dict[str, list[str]] = {}
    for read in reads:
        value = f"{read.attribute_id} = {encode_text(str(state_of(read, snapshot)))}"
        groups.setdefault(value, []).append(place_of(read.device_id, view))
    # Grouping pays only where values repeat.
    if len(reads) < MIN_GROUPED_READINGS or 2 * len(groups) > len(reads):
        return []
    return [f"  {value} ({len(places)}): {', '.join(places)}" for value, places in groups.items()]


def _left_out(
    verdict: Act | Confirm, view: HomeView, snapshot: Snapshot, language: LanguageCode
) -> list[str]:
    """Who of a set is not acted on: those that are offline, and those that cannot do it."""
    bulk = verdict.bulk if isinstance(verdict, Act) else None
    left = bulk.uncovered if bulk else ()
    offline = [place_of(i, view) for i in left if not snapshot.online(i)]
    unable = [place_of(i, view) for i in left if snapshot.online(i)]
    told_of = {"left_offline": offline, "left_unable": unable}
    return [f"  - {message(code, language, names=names)}" for code, names in told_of.items() if names]


def reading_text(read: Read, view: HomeView, snapshot: Snapshot) -> str:
    """``Study / Desk Lamp  switch = on``."""
    value = encode_text(str(state_of(read, snapshot)))
    return f"{place_of(read.device_id, view)}  {read.attribute_id} = {value}"


def _first_lines(lines: list[str]) -> list[str]:
    return lines[:MAX_CALL_LINES] + (
        [f"  ... +{len(lines) - MAX_CALL_LINES}"] if len(lines) > MAX_CALL_LINES else []
    )
