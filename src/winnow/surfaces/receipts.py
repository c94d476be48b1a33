"""Receipts as text for a terminal: a sentence, then every change, failure and condition in a line."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.assemble.view import name_of, room_of
from winnow.converse.receipts import failure, spoken
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.text.encode import encode
from winnow.types.catalog import Scalar
from winnow.types.dialogue import Language
from winnow.types.receipt import Outcome, Receipt
from winnow.types.verdict import Judged
from winnow.types.view import HomeView

HOLDS = {True: "condition_yes", False: "condition_no", None: "condition_unknown"}
SHOWN_ALONE = 3
"""Things with the same change told one by one; more are told together."""
UNITS = {"C": "°C", "F": "°F"}
AGES = ((3600.0, "receipt_hours"), (60.0, "receipt_minutes"), (0.0, "receipt_seconds"))


def receipt_lines(receipt: Receipt, view: HomeView, language: Language) -> Iterator[str]:
    """The receipt for a person: nothing that was tried is left out."""
    sent = receipt.status == "done" and not receipt.of("done")
    status = message(f"receipt_status_{'sent' if sent else receipt.status}", language)
    yield f"{status}: {spoken(receipt, view, language)}"
    for judged in receipt.conditions:
        yield from _condition(judged, receipt.at, view, language)
    yield from _changes(receipt, view)
    for outcome in receipt.of("failed", "unknown", "skipped"):
        yield f"  ! {failure(outcome, view, language)}"
    for refusal in receipt.refused if receipt.outcomes else ():  # else the sentence says it all
        yield f"  - {told(refusal, view, language)}"


def _changes(receipt: Receipt, view: HomeView) -> Iterator[str]:
    """``Study / Desk Lamp  switch: off -> on``; of many that changed alike, the change, then their names."""
    alike: dict[str, list[str]] = {}
    for outcome in receipt.of("done", "sent"):
        place = place_of(outcome.call.device_id, view)
        alike.setdefault(_change(outcome), []).append(place)
        for device_id, changed in outcome.moved.items():
            change = "; ".join(f"{encode(k)}: -> {_value(v)}" for k, v in changed.items())
            alike.setdefault(change, []).append(place_of(device_id, view))
    for change, places in alike.items():
        if len(places) > SHOWN_ALONE:
            yield f"  {change} ({len(places)}): {', '.join(places)}"
        else:
            yield from (f"  {place}  {change}".rstrip() for place in places)


def _change(outcome: Outcome) -> str:
    """``switch: off -> on``; only what differs, or what it is where nothing does."""
    before, after = outcome.before, outcome.changed
    differ = {k: v for k, v in after.items() if before.get(k) != v}
    parts = [f"{encode(k)}: {_value(before.get(k))} -> {_value(v)}" for k, v in differ.items()]
    same = [f"{encode(k)}: {_value(v)}" for k, v in after.items()]
    return "; ".join(parts or same) or encode(outcome.call.command_id)


def _condition(judged: Judged, at: float, view: HomeView, language: Language) -> Iterator[str]:
    """Whether a condition held, by which reading, and how old that was: ``read 2 s ago``."""
    yield "  " + message(HOLDS[judged.holds], language, condition=judged.text)
    told_at = f", {_age(at - judged.at, language)}" if judged.at is not None and at else ""
    for read in judged.reads:
        attributes = view.profile(read.device_id).attributes if read.device_id in view.devices else ()
        unit = judged.unit or next((a.unit for a in attributes if a.id == read.attribute_id), "")
        value = f"{_value(judged.value)} {UNITS.get(unit, unit)}".rstrip()
        yield f"    {place_of(read.device_id, view)}  {encode(read.attribute_id)} = {value}{told_at}"


def _age(seconds: float, language: Language) -> str:
    """``read 2 s ago``."""
    size, code = next(row for row in AGES if max(seconds, 0.0) >= row[0])
    return message(code, language, count=round(max(seconds, 0.0) / (size or 1.0)))


def _value(value: Scalar) -> str:
    return "?" if value is None else encode(f"{value:g}" if isinstance(value, float) else str(value))


def place_of(thing_id: str, view: HomeView) -> str:
    """``Study / Desk Lamp``."""
    name, room = encode(name_of(view, thing_id)), room_of(view, thing_id)
    return f"{encode(room)} / {name}" if room else name
