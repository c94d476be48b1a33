"""Every condition is judged before anything is done on it, and where it was said of."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.decide.conditions import OWN
from winnow.decide.people import people
from winnow.decide.plan_checks.plan import Flaw, Plan, Step
from winnow.decide.situation import Situation
from winnow.decide.where import told_of
from winnow.types.query import Condition
from winnow.types.verdict import Read, Refusal
from winnow.types.view import HomeView


def conditions_are_met(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """What has a condition is done only if each of its conditions was read and holds.

    A condition whose own order names no act was said of the rest of the sentence.
    """
    for step in plan:
        lost = _lost(step)
        if lost and step.outcome.deeds:
            yield Flaw(_unknown(lost[0]), step.outcome.deeds)
        elif step.query.conditions and not step.query.action_cluster and not step.shortlist.candidates:
            yield Flaw(_unknown(step.query.conditions[0]))


def alternatives_are_due(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """What is for when conditions do not hold is done only if one of them was read and does not."""
    failed = {j.text for step in plan for j in step.outcome.judged if j.holds is False and j.reads}
    for step in plan:
        against = step.query.otherwise
        if against and step.outcome.deeds and failed.isdisjoint(c.text for c in against):
            yield Flaw(_unknown(against[0]), step.outcome.deeds)


def _lost(step: Step) -> list[Condition]:
    """The conditions of an order that were not read, or do not hold."""
    held = {j.text for j in step.outcome.judged if j.holds and j.reads}
    return [c for c in step.query.conditions if c.text not in held]


def _unknown(condition: Condition) -> Refusal:
    return Refusal("unknown_condition", {"condition": condition.text})


def conditions_are_read_where_said(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """A condition is read on the thing or in the room it names, else on the order's thing or in its room."""
    for step in plan:
        reads = {j.text: j.reads for j in step.outcome.judged}
        for condition in step.query.conditions:
            strays = [r for r in reads.get(condition.text, ()) if _strays(r, condition, step, situation.view)]
            if strays and step.outcome.deeds:
                read = strays[0]
                facts = {"condition": condition.text, "name": situation.view.devices[read.device_id].name}
                yield Flaw(Refusal("read_elsewhere", facts, (read.device_id,)), step.outcome.deeds)
                break


def _strays(read: Read, condition: Condition, step: Step, view: HomeView) -> bool:
    """Whether this was read of another thing or room than was said."""
    if people(condition, view):
        return False
    if _is_of_another(read, condition, view):
        return True
    if condition.mention.things:
        return _is_away(read, condition.mention.places, view)
    if condition.quantity in OWN and not condition.mention.tokens:
        return read.device_id not in step.device_ids
    return _is_away(read, condition.mention.places or step.query.scope_include, view)


def _is_of_another(read: Read, condition: Condition, view: HomeView) -> bool:
    """Whether things are named in the condition and this was read of none of them."""
    named = [t.refs for t in condition.mention.things if t.kind == "name" and t.refs]
    return bool(named) and all(
        read.device_id not in refs and view.devices[read.device_id].part_of not in refs for refs in named
    )


def _is_away(read: Read, places: tuple[str, ...], view: HomeView) -> bool:
    """Whether it stands in another room or on another floor. What is outdoors stands where it can."""
    known = {p for p in places if p in view.rooms or p in view.floors}
    room = view.room(read.device_id)
    if room is None or not known or len(known) < len(places) or _is_outdoors(read, view):
        return False
    return known.isdisjoint({room.id, room.floor_id})


def _is_outdoors(read: Read, view: HomeView) -> bool:
    device = view.devices[read.device_id]
    told = (a for a in view.profile(device.id).attributes if a.id == read.attribute_id)
    return any(told_of(device, a) == "outdoor" for a in told)
