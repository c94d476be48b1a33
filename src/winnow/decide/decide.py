"""Shortlists -> Verdict: pure, no I/O. When in doubt nothing is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from winnow.decide import bulk
from winnow.decide.bulk import LIMITS, CallKey, Limits, batches, key
from winnow.decide.clarify import question
from winnow.decide.conditions import judged
from winnow.decide.gate import Gated, gate
from winnow.decide.hindrance import Hindrance, hindrance, scene_of
from winnow.decide.near import naming_near
from winnow.decide.reads import reads_for
from winnow.decide.risk import risk
from winnow.decide.score import Scored, scored
from winnow.language.families import ACTS_AGAINST
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.types.catalog import Command
from winnow.types.dialogue import Language, Utterance
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import Quantifier, QueryIR, Reading, Token
from winnow.types.state import Snapshot
from winnow.types.usage import Usage
from winnow.types.verdict import (
    Act,
    Bulk,
    Call,
    Clarify,
    Confirm,
    Judged,
    Nothing,
    Option,
    Query,
    Refusal,
    Refuse,
    Verdict,
)
from winnow.types.view import HomeView

__all__ = ["Plan", "batches", "decide"]
CONFIRM = {
    "unlock": "confirm_unlock", "open_door": "confirm_open_door", "open_valve": "confirm_open_valve", "alarm": "confirm_siren",
    "heat": "confirm_heater",
}  # fmt: skip

DURATIONS = frozenset({"second", "minute", "hour", "day"})


@dataclass(slots=True)
class Plan:
    """What is gathered over the instructions of one sentence."""

    calls: list[Call] = field(default_factory=list)
    risks: list[tuple[str, Scored]] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    ask: Clarify | None = None
    doubt: bool = False
    """Whether a part that names something of the home was not understood: then nothing is done."""
    grave: bool = False
    """Whether what must be asked is dangerous: then nothing is done before the answer."""
    unclear: list[Refusal] = field(default_factory=list)
    """Instructions that need a question; told as refused when others of the sentence are done."""
    judged: list[Judged] = field(default_factory=list)
    bulk: bool = False
    everywhere: bool = False
    """Whether everything in the whole home is switched."""
    excluded: list[str] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    commands: dict[CallKey, Command] = field(default_factory=dict)
    """The command of each call."""
    said: dict[CallKey, str] = field(default_factory=dict)
    """The words each call was read from."""
    hints: list[str] = field(default_factory=list)
    picked: list[tuple[Token, ...]] = field(default_factory=list)
    """The words of the instructions that have their calls."""
    clarified: bool = False
    guess: str = ""
    """What a model took the words for, where only the person can say whether it is right."""
    limits: Limits = LIMITS
    habits: Usage = field(default_factory=Usage)
    snapshot: Snapshot = field(default_factory=Snapshot)


def decide(
    reading: Reading,
    shortlists: Sequence[HomeShortlist],
    view: HomeView,
    snapshot: Snapshot,
    utterance: Utterance,
    *,
    limits: Limits = LIMITS,
) -> Verdict:
    """What may be done about ``reading`` while the devices report what is in ``snapshot``.

    ``limits``: how large a set may be before it is asked about.
    """
    if reading.intent in {"none", "hostile", "empty"}:
        return Nothing(reading.reason or reading.intent)
    if reading.intent == "query":
        pairs = zip(reading.queries, shortlists, strict=True)
        reads = [r for q, s in pairs for r in reads_for(q, s, view, snapshot)]
        return Query(tuple(dict.fromkeys(reads))) if reads else Nothing("knowledge")
    if blocked := _blocked(reading):
        return blocked
    if all(q.negated for q in reading.queries):
        return Nothing("negated")
    plan = Plan(
        clarified=reading.clarified,
        guess=reading.guess,
        limits=limits,
        habits=utterance.usage,
        snapshot=snapshot,
    )
    room = view.room_named(utterance.room) if utterance.room else None
    for query, shortlist in zip(reading.queries, shortlists, strict=True):
        if query.quantifier is Quantifier.ANY and query.tokens in plan.picked:
            continue  # one of them was enough
        if not query.negated and _allowed(plan, query, shortlist, view):
            _plan(plan, query, shortlist, view, room.id if room else None, reading.language)
    return _verdict(plan, view, reading.language, confirmed=reading.confirmed)


def _blocked(reading: Reading) -> Verdict | None:
    """What the program cannot judge yet: times, events, conditions (law 1)."""
    kinds = {t.kind for q in reading.queries for t in q.tokens}
    timings = [
        t for q in reading.queries for t in q.tokens if t.kind == "timing" or t.data.get("unit") == "clock"
    ]
    delays = [t for q in reading.queries for t in q.tokens if t.data.get("unit") in DURATIONS]
    if delays and any(
        (t.kind == "timing" and t.data.get("is") == "after") or t.text == "in"
        for q in reading.queries
        for t in q.tokens
    ):
        return Nothing("timer")
    if not timings:
        timings = [t for q in reading.queries for t in _lasting(q)]
    if timings:
        return Refuse(
            (Refusal("time_trigger", {"condition": timings[0].text}),),
            message("time_trigger", reading.language),
        )
    if "condition" in kinds or ("compare" in kinds and not any(q.conditions for q in reading.queries)):
        return Refuse((Refusal("unknown_condition"),), message("unknown_condition", reading.language))
    return None


def _lasting(query: QueryIR) -> list[Token]:
    """Durations that are no setting of the act: how long, or when."""
    set_in_time = query.value is not None and query.value.unit in DURATIONS
    return (
        []
        if set_in_time or query.property in {"media", "interval"}
        else [t for t in query.tokens if t.data.get("unit") in DURATIONS]
    )


def _allowed(plan: Plan, query: QueryIR, shortlist: HomeShortlist, view: HomeView) -> bool:
    """Whether the conditions of an instruction hold; what was read is noted either way."""
    for condition, sensors in zip(query.conditions, shortlist.sensors, strict=False):
        known = next((j for j in plan.judged if j.text == condition.text), None)
        found = known or (
            judged(condition, sensors, view, plan.snapshot)
            if condition.decidable
            else Judged(condition.text, (), None)
        )
        if known is None:
            plan.judged.append(found)
        if found.holds is None:
            code = (
                "unknown_condition"
                if condition.decidable
                else "time_trigger"
                if condition.timed
                else "undecidable_condition"
            )
            plan.refused.append(Refusal(code, {"condition": condition.text}))
        if not found.holds:
            return False
    return True


def _plan(
    plan: Plan, query: QueryIR, shortlist: HomeShortlist, view: HomeView, area: str | None, language: Language
) -> None:
    told = tuple(room.id for j in plan.judged for r in j.reads if (room := view.room(r.device_id)))
    query = replace(query, scope_said=(*query.scope_said, *told)) if query.conditions else query
    query = _placed_value(query, view, area)
    if hindered := hindrance(query, shortlist, view, area):
        _hinder(plan, replace(hindered, refusal=naming_near(hindered.refusal, shortlist, view)), language)
        return
    if scene := scene_of(shortlist, view):
        plan.calls.append(Call(scene, view.scenes[scene].command_id, {}))
        return
    rows = scored(query, shortlist, view, plan.snapshot, plan.habits)
    if not rows and not query.target.tokens:
        plan.ask = plan.ask or Clarify(message("which_one", language), (), "one")
        plan.unclear.append(Refusal("not_understood"))
        return
    if not rows:
        plan.refused.append(naming_near(_none_found(query), shortlist, view))
        return
    gated = _settled(plan, query, gate(query, rows, view, area), shortlist, view)
    if gated.refusal is not None:
        gated = replace(gated, refusal=naming_near(gated.refusal, shortlist, view))
    _take(plan, query, gated, view, language)


def _hinder(plan: Plan, hindered: Hindrance, language: Language) -> None:
    plan.doubt = plan.doubt or hindered.doubt
    if hindered.asks:
        plan.ask = plan.ask or Clarify(message(f"which_{hindered.asks}", language), (), hindered.asks)
        plan.unclear.append(hindered.refusal)
    else:
        plan.refused.append(hindered.refusal)


def _placed_value(query: QueryIR, view: HomeView, area: str | None) -> QueryIR:
    """A room as a value, under the name the source takes: its id in Home Assistant, its name elsewhere."""
    value = query.value
    if value is None or value.unit != "room":
        return query
    room = view.rooms.get(area or "" if value.text == "here" else value.text)
    text = (room.id if view.home.source == "homeassistant" else room.name) if room else ""
    return replace(query, value=replace(value, text=text))


def _none_found(query: QueryIR) -> Refusal:
    for token in query.target.tokens:
        if token.kind == "room" and not token.refs:
            return Refusal("no_room", {"what": token.text})
    return Refusal("no_device" if query.target.tokens else "not_understood", {"what": query.target.text})


def _settled(plan: Plan, query: QueryIR, gated: Gated, shortlist: HomeShortlist, view: HomeView) -> Gated:
    """A set with one act for all its members, or with the acts to choose from."""
    if not gated.bulk:
        return gated
    found = bulk.settled(query, gated.chosen, shortlist.candidates, view, plan.snapshot, plan.limits)
    return replace(gated, chosen=found.chosen, spared=(*gated.spared, *found.uncovered), acts=found.options)


def _ask_act(plan: Plan, acts: Sequence[Option], language: Language) -> None:
    """What to do is asked once; then some of the devices that may be meant are named, and nothing is done."""
    refusal = Refusal("be_specific", {}, bulk.representatives(acts, plan.limits.representatives))
    if plan.clarified:
        plan.refused.append(refusal)
        plan.hints.append(bulk.SPECIFIC)
    else:
        plan.ask = plan.ask or bulk.which_action(acts, language)
        plan.unclear.append(refusal)


def _take(plan: Plan, query: QueryIR, gated: Gated, view: HomeView, language: Language) -> None:
    if gated.refusal is not None:
        if not (query.inherited and gated.refusal in plan.refused):
            plan.refused.append(gated.refusal)
        return
    if gated.tied:
        plan.grave = plan.grave or any(
            s.fit.call and s.fit.command and risk(s.fit.command, s.device, s.fit.call) for s in gated.tied
        )
        plan.ask = plan.ask or question(query, [s.device for s in gated.tied], view, language)
        plan.unclear.append(
            Refusal(
                "ambiguous",
                {"names": ", ".join(s.device.name for s in gated.tied[:3])},
                tuple(s.device.id for s in gated.tied),
            )
        )
        return
    if gated.acts:
        _ask_act(plan, gated.acts, language)
        return
    _add(plan, gated, query)
    plan.picked.append(query.tokens)
    if gated.uncovered and query.value is not None:
        plan.refused.append(gated.uncovered[0].fit.refusal or Refusal("no_ability"))
    if query.quantifier is Quantifier.EXCEPT:
        plan.excluded.extend(m.text for m in query.excluded)


def _add(plan: Plan, gated: Gated, query: QueryIR) -> None:
    """The calls of what passed, their risks, and the members that get none."""
    plan.bulk = plan.bulk or gated.bulk
    plan.everywhere = plan.everywhere or gated.everywhere
    plan.uncovered.extend(s.device.id for s in (*gated.uncovered, *gated.spared))
    if gated.bulk and not any(s.online for s in gated.chosen):
        plan.refused.extend(
            Refusal("unavailable", {"name": s.device.name}, (s.device.id,)) for s in gated.chosen[:1]
        )
    for row in gated.chosen:
        if not row.online and gated.bulk:
            plan.uncovered.append(row.device.id)
            continue
        call, command = row.fit.call, row.fit.command
        assert call is not None
        assert command is not None
        if _told_already(plan, call, command):
            continue
        plan.calls.append(call)
        plan.commands[key(call)] = command
        plan.said[key(call)] = " ".join(t.text for t in query.tokens)
        if danger := risk(command, row.device, call):
            plan.risks.append((danger, row))


def _told_already(plan: Plan, call: Call, command: Command) -> bool:
    """Whether the device was told the same deed by another command: ``拉警报，警号响起来`` is one alarm."""
    before = (c for c in plan.calls if c.device_id == call.device_id and c.command_id != call.command_id)
    return not call.arguments and any(
        not c.arguments and plan.commands[key(c)].trait == command.trait
        for c in before
        if key(c) in plan.commands
    )


def _verdict(plan: Plan, view: HomeView, language: Language, *, confirmed: bool = False) -> Verdict:
    refused = (*plan.refused, *(plan.unclear if plan.calls else ()))
    calls = tuple({key(c): c for c in plan.calls}.values())
    if plan.ask is not None and (not calls or plan.grave):
        return _ask(plan.ask, len(plan.unclear), language)
    conditions = tuple(plan.judged)
    if not calls and not refused and conditions:
        return Nothing("condition_false", conditions)
    if plan.doubt or _contradicts(calls, plan.said):
        first = next((r for r in refused if r.code == "unplaced"), Refusal("contradiction"))
        return Refuse((first,), told(first, view, language), conditions)
    if not calls:
        first = refused[0] if refused else Refusal("not_understood")
        return Refuse(refused or (first,), told(first, view, language), conditions, tuple(plan.hints))
    together = bulk.groups(calls, plan.commands)
    many = bulk.too_many(together, plan.limits, everywhere=plan.everywhere) if plan.bulk else 0
    hints = (*plan.hints, bulk.TOO_MANY) if many else tuple(plan.hints)
    if (plan.risks or many or plan.guess) and not confirmed:
        risks = (*dict.fromkeys(r for r, _ in plan.risks), *(["guess"] if plan.guess else []))
        return Confirm(calls, _confirmation(plan, many, view, language), risks, refused, conditions, hints)
    if plan.bulk:
        split = batches(calls, plan.commands, plan.limits)
        left = tuple(dict.fromkeys(plan.uncovered))
        told_of = Bulk(split, tuple(plan.excluded), left, hints, together)
        return Act(calls, told_of, refused, conditions)
    return Act(calls, None, refused, conditions)


def _ask(ask: Clarify, unclear: int, language: Language) -> Clarify:
    """The question; that another order of the sentence is unclear as well is said before it."""
    if unclear < 2:
        return ask
    return replace(
        ask, question=message("also_open", language) + ask.question, hints=(*ask.hints, "also_open")
    )


def _contradicts(calls: Sequence[Call], said: Mapping[CallKey, str]) -> bool:
    """Whether one device is told to do a thing and its opposite, or one setting gets two values in one breath."""
    settings: dict[tuple[object, ...], object] = {}
    for call in calls:
        for name, value in call.arguments.items():
            breath = (call.device_id, call.command_id, name, said.get(key(call)))
            if settings.setdefault(breath, value) != value:
                return True
    words: dict[str, set[str]] = {}
    for call in calls:
        act = (
            call.command_id.replace("turn_", "")
            .replace("-", ".")
            .replace("_cover", "")
            .replace("_valve", "")
            .split(".")[-1]
        )
        words.setdefault(call.device_id, set()).add(act)
    return any(a in said and b in said for said in words.values() for a, b in ACTS_AGAINST)


def _confirmation(plan: Plan, many: int, view: HomeView, language: Language) -> str:
    """The question that names the danger, and how many devices when they are too many."""
    asked = [message(bulk.TOO_MANY, language, count=many)] if many else []
    if plan.guess:
        devices = (view.devices.get(c.device_id) or view.scenes.get(c.device_id) for c in plan.calls[:3])
        asked.append(
            message("confirm_guess", language, said=plan.guess, names=", ".join(d.name for d in devices if d))
        )
    for danger, row in plan.risks[:1]:
        room = view.room(row.device.id)
        asked.append(
            message(CONFIRM[danger], language, name=row.device.name, room=room.name if room else None)
        )
    return " ".join(asked)
