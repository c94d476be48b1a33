"""Scenario files: what is said in which home, and what is to come of it.

Each file is a list of items::

    - say: 把书房的台灯关掉
      home: home40
      room: 客厅                     # where the person stands (optional)
      history: [user: 你好, assistant: 您好]
      before: [打开院门]             # said before, in place of a history: what we answered is put behind each
      expect:
        decision: act                # act | confirm | clarify | reject (or not understood) | query | none
        calls: [[书房/台灯, main-switch-off]]           # device, command, arguments

A device is ``room/name`` where the name is not unique, or its id. Commands and values may be alternatives:
``main-a | main-b``, ``{value: [10, 32]}``; a text such as ``"> 22"`` compares, ``any`` takes all. ``options``
are the devices a question offers, ``refusal`` the code of the first refusal, ``reads`` devices, or pairs of
device and attribute, ``reason`` why nothing is done, ``risks`` the named risks, ``reading`` fields of the
first query (or ``intent``).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.homes import engine, home, imported

from winnow.language.tables import parse_yaml, table
from winnow.types.home import Device, Home, Scene
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import (
    Act,
    Call,
    Clarify,
    Confirm,
    Nothing,
    NotUnderstood,
    Query,
    Refuse,
    named_calls,
)

HERE = Path(__file__).resolve().parent
PENDING = "pending.yaml"
DECISIONS: dict[type, str] = {
    Act: "act",
    Confirm: "confirm",
    Clarify: "clarify",
    Refuse: "reject",
    Query: "query",
    Nothing: "none",
    NotUnderstood: "reject",
}
DOING = {"act", "confirm"}
"""Decisions with calls; one that may be made instead of them has none."""
FIELDS = {"decision", "calls", "options", "refusal", "reads", "reason", "risks", "reading"}
_COMPARISON = re.compile(r"(>=|<=|>|<) *(-?[\d.]+)")
_COMPARE = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


_LATEST: list[tuple[Scenario, Retrieval]] = []


@dataclass(frozen=True, slots=True)
class Scenario:
    """One item of a scenario file."""

    file: str
    number: int
    utterance: Utterance
    home: str
    expect: dict[str, Any]
    why: str = ""
    before: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.file}-{self.number}-{self.utterance.text[:24]}"


@cache
def read(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of one file."""
    rows = parse_yaml(path.read_text("utf-8")) or []
    return tuple(_scenario(path.stem, number, row) for number, row in enumerate(rows, 1))


def _scenario(file: str, number: int, row: dict[str, Any]) -> Scenario:
    unknown = set(row["expect"]) - FIELDS
    assert not unknown, f"{file}-{number}: unknown expectations {unknown}"
    turns = tuple(Turn(role, text) for turn in row.get("history", ()) for role, text in turn.items())
    said = Utterance(row["say"], room=row.get("room"), history=turns)
    before = tuple(row.get("before", ()))
    return Scenario(file, number, said, row["home"], row["expect"], row.get("why", ""), before)


def collected() -> list[Scenario]:
    """Every scenario that must hold."""
    files = sorted(p for p in HERE.glob("*.yaml") if p.name != PENDING)
    return [scenario for path in files for scenario in read(path)]


def pending() -> tuple[Scenario, ...]:
    """Every scenario that is known to be answered wrongly, with ``why``."""
    return read(HERE / PENDING)


def device_id(named: str, where: Home) -> str:
    """The id of ``name`` or ``room/name``, device or scene, which must be the only one; or an id itself."""
    room, _, name = named.rpartition("/")
    rooms = {r.id: r.name for r in where.rooms}
    things: tuple[Device | Scene, ...] = (*where.devices, *where.scenes)
    if any(thing.id == named for thing in things):
        return named
    found = [d.id for d in things if d.name == name and (not room or rooms.get(d.room_id or "") == room)]
    assert len(found) == 1, f"{named!r} names {len(found)} devices of {where.id}"
    return found[0]


def answered(scenario: Scenario) -> Retrieval:
    """What comes of it; what was asked last is at hand, since one sentence is judged in several ways."""
    if not _LATEST or _LATEST[0][0] is not scenario:
        ready, said = engine(scenario.home).sync, scenario.utterance
        for text in scenario.before:
            verdict = ready.retrieve(replace(said, text=text)).verdict
            reply = getattr(verdict, "question", "") or getattr(verdict, "message", "") or "OK."
            said = replace(said, history=(*said.history, Turn("user", text), Turn("assistant", reply)))
        _LATEST[:] = [(scenario, ready.retrieve(said))]
    return _LATEST[0][1]


def faults(scenario: Scenario, answer: Retrieval | None = None) -> list[str]:
    """What is wrong with the answer (``answer``: another than Winnow's), a line each; empty if nothing is."""
    where = home(scenario.home)
    retrieval = answer or answered(scenario)
    got, expect = retrieval.verdict, scenario.expect
    found = []
    decided, allowed = DECISIONS[type(got)], expect["decision"].split(" | ")
    if decided not in allowed:
        found.append(f"decision: expected {expect['decision']}, got {decided}")
    if "calls" in expect and (decided in DOING or decided not in allowed):
        found += _call_faults(expect["calls"], named_calls(got), scenario.home)
    for name, seen in (("options", _options(got)), ("reads", _reads(got, expect.get("reads", ())))):
        if name in expect:
            wanted = {
                device_id(x, where) if isinstance(x, str) else (device_id(x[0], where), x[1])
                for x in expect[name]
            }
            found += (
                [f"{name}: expected {sorted(map(str, wanted))}, got {sorted(map(str, seen))}"]
                if wanted != seen
                else []
            )
    for name, one in (
        ("refusal", _refusal(got)),
        ("reason", getattr(got, "reason", "")),
        ("risks", list(getattr(got, "risks", ()))),
    ):
        if name in expect and one != expect[name]:
            found.append(f"{name}: expected {expect[name]}, got {one}")
    return found + _reading_faults(expect.get("reading", {}), retrieval)


def explained(scenario: Scenario) -> str:
    """What was said, what came of it and how it was read, for a failure report."""
    retrieval = answered(scenario)
    tokens = [f"{t.text}/{t.kind}" for q in retrieval.reading.queries for t in q.tokens]
    fields = (
        "action",
        "property",
        "value",
        "type_hint",
        "name_hint",
        "scope_include",
        "quantifier",
        "negated",
    )
    queries = [{f: v for f in fields if (v := getattr(q, f))} for q in retrieval.reading.queries]
    lines = [f"said: {scenario.utterance.text!r} in {scenario.home}", f"verdict: {retrieval.verdict}"]
    return "\n  ".join(
        [
            *lines,
            f"intent: {retrieval.reading.intent} {retrieval.reading.reason}",
            f"tokens: {' '.join(tokens)}",
            f"queries: {queries}",
        ]
    )


def _options(got: object) -> set[str]:
    return {i for option in got.options for i in option.device_ids} if isinstance(got, Clarify) else set()


def _reads(got: object, wanted: list[Any]) -> set[Any]:
    """What is read: devices where only devices are wanted, else devices with their attributes."""
    reads = got.reads if isinstance(got, Query) else ()
    by_device = wanted and all(isinstance(one, str) for one in wanted)
    return {r.device_id if by_device else (r.device_id, r.attribute_id) for r in reads}


def _refusal(got: object) -> str:
    return got.refusals[0].code if isinstance(got, Refuse) else ""


def _call_faults(wanted: list[list[Any]], got: tuple[Call, ...], home_name: str) -> list[str]:
    """Each wanted call must be there and no other."""
    where, states = home(home_name), imported(home_name).states
    left = _folded(got)
    found = []
    for row in wanted:
        name, commands, arguments = (*row, {})[:3]
        target = device_id(name, where)
        match = next(
            (
                c
                for c in left
                if c.device_id == target
                and any(_carries(form, commands, arguments) for form in (c, _reached(c, states.of(target))))
            ),
            None,
        )
        if match is None:
            found.append(f"call missing: {name} {commands} {arguments}")
        else:
            left.remove(match)
    names = {d.id: d.name for d in where.devices}
    return found + [
        f"call too many: {names.get(c.device_id, c.device_id)} {c.command_id} {dict(c.arguments)}"
        for c in left
    ]


def _folded(calls: tuple[Call, ...]) -> list[Call]:
    """The calls, those of one command of one device as one where they say different things."""
    out: list[Call] = []
    for call in calls:
        one = call.device_id, call.command_id
        same = next((c for c in out if (c.device_id, c.command_id) == one), None)
        if same is None or set(same.arguments) & set(call.arguments):
            out.append(call)
        else:
            out[out.index(same)] = replace(same, arguments={**same.arguments, **call.arguments})
    return out


def _reached(call: Call, now: Mapping[str, Any]) -> Call:
    """The call by what it comes to: a step as its sum, a fan on at a speed as that, a cover at 0 as shut."""
    arguments = dict(call.arguments)
    step = arguments.pop("brightness_step_pct", None)
    if isinstance(step, int | float):
        before = round(100 * (now.get("brightness") or 0) / 255)
        arguments["brightness_pct"] = min(100, max(0, before + step))
    command = "fan.set_percentage" if "percentage" in arguments else call.command_id
    if command == "cover.set_cover_position" and arguments.get("position") in {0, 100}:
        command = "cover.open_cover" if arguments.pop("position") else "cover.close_cover"
    return replace(call, command_id=command, arguments=arguments)


def _carries(call: Call, commands: str, arguments: dict[str, Any] | list[dict[str, Any]] | str) -> bool:
    if call.command_id not in [c.strip() for c in commands.split("|")]:
        return False
    if isinstance(arguments, list):
        return any(_carries(call, commands, one) for one in arguments)
    if arguments == "any":
        return True
    assert isinstance(arguments, dict)
    given = dict(call.arguments)
    if "rgb_color" in arguments and (name := given.pop("color_name", None)):  # the same colour in other words
        given["rgb_color"] = table("winnow.language", "colours.yaml")[name]
    return set(given) == set(arguments) and all(
        _equal(given[k], v, 0.5 if k.endswith(("_pct", "percentage", "position")) else 0.01)
        for k, v in arguments.items()
    )


def _equal(got: object, wanted: object, within: float = 0.01) -> bool:
    """``within``: half of one percent for shares, since a third is 33 and 33.3."""
    if isinstance(wanted, list) and isinstance(got, list):
        return got == wanted
    if isinstance(wanted, list):
        return any(_equal(got, one, within) for one in wanted)
    if wanted == "any":
        return True
    if isinstance(wanted, str) and (parts := _COMPARISON.fullmatch(wanted)):
        return isinstance(got, int | float) and _COMPARE[parts[1]](got, float(parts[2]))
    if isinstance(wanted, int | float) and isinstance(got, int | float) and not isinstance(wanted, bool):
        return abs(got - wanted) <= max(within, abs(wanted) * 0.005)
    return got == wanted


def _reading_faults(wanted: dict[str, Any], retrieval: Retrieval) -> list[str]:
    reading = retrieval.reading
    first = reading.queries[0] if reading.queries else None
    found = []
    for name, value in wanted.items():
        got = getattr(reading if name in {"intent", "language"} else first, name, None)
        got = list(got) if isinstance(got, tuple) else got
        if got != value:
            found.append(f"reading.{name}: expected {value!r}, got {got!r}")
    return found
