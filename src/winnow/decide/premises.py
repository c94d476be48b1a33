"""The conditions of an instruction, judged in order (law 6), and what they say of its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from winnow.decide.conditions import OWN, judged
from winnow.decide.outcome import Outcome, Sentence
from winnow.decide.situation import Situation
from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.query import Condition, QueryIR
from winnow.types.verdict import Judged, Refusal


def premises(query: QueryIR, shortlist: HomeShortlist, before: Sentence, situation: Situation) -> Outcome:
    """The conditions up to the first that does not hold; the same words are judged once in a sentence."""
    known = {j.text: j for j in before.judged}
    if query.otherwise:
        return _alternative(query.otherwise, known)
    found: list[Judged] = []
    for condition, sensors in zip(query.conditions, shortlist.sensors, strict=False):
        # Whether it names nothing and asks for a state: ``if it is on`` is said of what is meant
        told = _own(shortlist) if condition.quantity in OWN and not condition.mention.tokens else sensors
        one = known.get(condition.text) or _judged(condition, told, situation)
        known[condition.text] = one
        found.append(one)
        if one.holds is None:
            return Outcome(refused=(_undecided(condition),), judged=tuple(found))
        if not one.holds:
            break
    return Outcome(judged=tuple(found))


def _alternative(conditions: Sequence[Condition], known: Mapping[str, Judged]) -> Outcome:
    """What is for when these do not all hold: it is done if one does not, and idle if all do."""
    told = [(c, known[c.text].holds if c.text in known else None) for c in conditions]
    if any(holds is False for _, holds in told):
        return Outcome()
    unknown = tuple(_undecided(c) for c, holds in told if holds is None)
    return Outcome(refused=unknown[:1], idle=True)


def _own(shortlist: HomeShortlist) -> list[DeviceCandidate]:
    """The things that the words of the order explain in full."""
    return [c for c in shortlist.candidates if all(e.lane != "missing" for e in c.evidence)]


def _judged(condition: Condition, sensors: Sequence[DeviceCandidate], situation: Situation) -> Judged:
    if not condition.decidable:
        return Judged(condition.text, (), None)
    return judged(condition, sensors, situation.view, situation.snapshot)


def _undecided(condition: Condition) -> Refusal:
    """Why nobody can tell whether it holds."""
    facts = {"condition": condition.text}
    if condition.decidable:
        return Refusal("unknown_condition", facts)
    return Refusal("time_trigger" if condition.timed else "undecidable_condition", facts)


def placed(query: QueryIR, read: Sequence[Judged], situation: Situation) -> QueryIR:
    """The instruction with the rooms its conditions were read in.

    ``卧室超过28度就开空调`` means the one there, when there is more than one.
    """
    if not (query.conditions or query.otherwise):
        return query
    rooms = (situation.view.room(r.device_id) for j in read for r in j.reads)
    return replace(query, scope_said=(*query.scope_said, *(room.id for room in rooms if room)))
