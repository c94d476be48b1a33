"""Conditions are judged by the program on the states given, never by likeness (law 6)."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from winnow.decide.answers import is_reading_of, place_in_question
from winnow.decide.outcome import DecisionContext, InstructionOutcome, SentenceOutcome
from winnow.decide.score import ScoredDevice
from winnow.decide.values import in_unit
from winnow.language.content_words import LOCK_STATES
from winnow.language.lexicon import reported_states
from winnow.language.tables import table
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.home import Attribute, Device, HomeView, Scalar
from winnow.types.query import Condition, Mention, QueryIR, of_kind
from winnow.types.state import Snapshot
from winnow.types.verdict import ConditionCheck, Read, Refusal

# Whether somebody is home, told by the people themselves before any sensor that saw them move.


HOME_WORDS = ("家", "home", "house")
"""What is said where the whole home is meant, and not a room of it."""
WHOLE_HOME_ZONES = frozenset({"home", "indoor"})
MOVEMENT, PRESENCE = "motion", "presence"
AT_HOME_VALUES = frozenset({"home", "present", "on", "true"})
UNKNOWN_PRESENCE = frozenset({"", "unknown", "unavailable", "none"})


def presence_witnesses(condition: Condition, view: HomeView) -> list[tuple[Device, Attribute]]:
    """Who tells whether somebody, or anybody, is home; empty where it is asked of a room or of somebody."""
    if condition.quantity not in {MOVEMENT, PRESENCE} or not (
        not any(t.data.get("is") not in WHOLE_HOME_ZONES for t in condition.mention.tokens)
        and any(word in condition.text for word in HOME_WORDS)
    ):
        return []
    known = list(_presence_attributes(view))
    return [row for row in known if "person" in row[0].kinds] or known


def _presence_attributes(view: HomeView) -> Iterator[tuple[Device, Attribute]]:
    """All that is told of where somebody is."""
    for device in view.home.devices:
        if device.reach == "spoken":
            told = view.profile(device.id).attributes
            yield from ((device, a) for a in told if a.quantity == PRESENCE)


def is_person_home(value: Scalar) -> bool | None:
    """Whether somebody who reports this is home; any other place is away."""
    told = "" if value is None else str(value).strip().lower()
    return None if told in UNKNOWN_PRESENCE else told in AT_HOME_VALUES


def any_home(each: Iterable[bool | None]) -> bool | None:
    """Whether one is home; None where nobody is and of one it is not known."""
    told = list(each)
    if True in told:
        return True
    return None if None in told or not told else False


STATE_PROPERTIES = frozenset({"state", "lock"})
"""Quantities of the things themselves, not of the air around them."""
OWN_PROPERTIES = STATE_PROPERTIES | {"setpoint"}
"""Quantities that what acts tells as well as any sensor."""
NEAR_SCORE = 1.0
"""How much less than the best a thing may score and still be asked."""
ELSEWHERE_HANDICAP = 4
"""How many places what also acts stands behind what only tells."""
COMPARISONS = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.ge,  # at 26 degrees is what has reached 26 degrees
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Witness:
    """One attribute of one device that can tell what a condition asks."""

    device: Device
    attribute: Attribute
    score: float
    """How well the device is named by the condition, to one decimal: what differs by less is as good."""
    place: int
    """That of its quantity among those that can tell, best first."""


class Testimony(NamedTuple):
    """What was read of one witness."""

    read: Read
    value: Scalar
    """As it was last known."""
    now: Scalar
    """None of what cannot be reached: what it last told says nothing of now."""


def judge_condition(
    condition: Condition, sensors: Sequence[DeviceCandidate], view: HomeView, snapshot: Snapshot
) -> ConditionCheck:
    """Whether ``condition`` holds in ``snapshot``, and what was read for it.

    ``holds`` is None when nothing in the home can tell.
    """
    if known := presence_witnesses(condition, view):
        return _of_people(condition, [Witness(d, a, 0.0, 0) for d, a in known], snapshot)
    # The first; of things named by their kind, every one that is named as well as the first
    witnesses = _witnesses(condition, sensors, view)
    kinds = {t.kind for t in condition.mention.tokens}
    if condition.quantity not in STATE_PROPERTIES or "type" not in kinds or "name" in kinds:
        heard = list(witnesses[:1])
    else:
        of_each: dict[str, Witness] = {}
        for witness in witnesses:
            if witness.score == witnesses[0].score:
                of_each.setdefault(witness.device.id, witness)
        heard = list(of_each.values())
    return _of_things(condition, heard, snapshot) if heard else ConditionCheck(condition.text, (), None)


def _of_things(condition: Condition, heard: Sequence[Witness], snapshot: Snapshot) -> ConditionCheck:
    """Whether those that are heard are as they should be."""
    said = [_witness_testimony(w, snapshot) for w in heard]
    reads = tuple(s.read for s in said)
    if isinstance(condition.threshold, str):
        each = [_in_state(condition, s.now) for s in said]
        every = _all_hold(each)
        # ``!=`` asks whether they are not all so.
        all_hold = every if every is None or condition.comparator != "!=" else not every
        return ConditionCheck(condition.text, reads, all_hold, said[each.index(every)].value)
    threshold, number = condition.threshold, _number_of(said[0].now)
    holds: bool | None = None
    if number is not None and threshold is not None:
        limit = in_unit(threshold, condition.unit, heard[0].attribute.unit)
        holds = COMPARISONS[condition.comparator](number, limit)
    return ConditionCheck(condition.text, reads, holds, said[0].value)


def _of_people(condition: Condition, everyone: Sequence[Witness], snapshot: Snapshot) -> ConditionCheck:
    """Whether anybody is home, or nobody; whether everybody is, where that was said."""
    said = [_witness_testimony(w, snapshot) for w in everyone]
    each = [is_person_home(s.now) for s in said]
    home = any_home(each) if condition.quantity == MOVEMENT else _all_hold(each)
    holds = None if home is None else home == (condition.threshold == "on")
    told = next((s.value for s, at in zip(said, each, strict=True) if at == home), None)
    return ConditionCheck(condition.text, tuple(s.read for s in said), holds, told)


def _witness_testimony(witness: Witness, snapshot: Snapshot) -> Testimony:
    read = Read(witness.device.id, witness.attribute.id)
    value = snapshot.value(read.device_id, read.attribute_id)
    return Testimony(read, value, value if snapshot.online(read.device_id) else None)


def _all_hold(each: Sequence[bool | None]) -> bool | None:
    """Whether all are so; None when one cannot be told and no other settles it."""
    if False in each:
        return False
    return None if None in each else True


def _witnesses(condition: Condition, sensors: Sequence[DeviceCandidate], view: HomeView) -> list[Witness]:
    """All that can tell, best first; what stands elsewhere only where nothing else does."""
    wanted = _state_table()["told_by"].get(condition.quantity, (condition.quantity,))
    found = [
        w
        for c in _near_candidates(sensors, view)
        for w in _telling(c, wanted, view)
        if _is_about(condition, w)
    ]
    own = condition.quantity in OWN_PROPERTIES
    found.sort(key=lambda w: (not own and "sensor" not in w.device.kinds, -w.score, w.place, w.device.id))
    return [w for w in found if w.score] or _only_witness(found, view)


def _near_candidates(sensors: Sequence[DeviceCandidate], view: HomeView) -> list[DeviceCandidate]:
    """Those named about as well as the best, and those that merely stand in the home."""
    best = max((c.score for c in sensors), default=0.0)
    return [
        c for c in sensors if c.device_id in view.devices and (not c.score or c.score >= best - NEAR_SCORE)
    ]


def _only_witness(found: Sequence[Witness], view: HomeView) -> list[Witness]:
    """What stands elsewhere tells where it is the only one of the home; a part is none beside another."""
    told = [w for w in found if w.device.part_of is None] or found
    rooms = {getattr(view.room(w.device.id), "id", w.device.id) for w in told}
    return list(told) if len(rooms) == 1 else []


def _is_about(condition: Condition, witness: Witness) -> bool:
    """Whether it is a reading of what is spoken of: a room's air, that outside, water, or a thing."""
    if (
        condition.quantity in OWN_PROPERTIES
        or isinstance(condition.threshold, str)
        or _is_named(condition, witness)
    ):
        return True
    asked = place_in_question(condition.text.split(), condition.mention.tokens)
    lamp = witness.attribute.quantity == "brightness" and asked is not None
    return not lamp and is_reading_of(asked, witness.device, witness.attribute)


def _is_named(condition: Condition, witness: Witness) -> bool:
    """Whether it is a sensor that was called by its name, wherever it measures."""
    names = [t for t in of_kind(condition.mention.tokens, "name") if t.data.get("full")]
    return "sensor" in witness.device.kinds and any(witness.device.id in t.refs for t in names)


def _telling(candidate: DeviceCandidate, wanted: Sequence[str], view: HomeView) -> Iterator[Witness]:
    device = view.devices[candidate.device_id]
    behind = ELSEWHERE_HANDICAP if "sensor" not in device.kinds else 0
    for attribute in view.profile(device.id).attributes:
        if attribute.quantity in wanted:
            place = wanted.index(attribute.quantity) + behind
            yield Witness(device, attribute, round(candidate.score, 1), place)


def _in_state(condition: Condition, told: Scalar) -> bool | None:
    """Whether what a device reports is what is wanted of it; None when that cannot be told from it.

    A bolt tells nothing of whether its door stands open.
    """
    wanted, value = str(condition.threshold), _reported_state(told)
    kinds = {t.data.get("is") for t in of_kind(condition.mention.tokens, "type")}
    if wanted not in LOCK_STATES and value in LOCK_STATES and not kinds.isdisjoint(_state_table()["opening"]):
        return None
    if wanted in LOCK_STATES and condition.quantity != PRESENCE:
        return _is_locked_so(value, wanted)
    on = is_person_home(told) if condition.quantity == PRESENCE else _is_on(told)
    return None if on is None else on == (wanted == "on")


def _is_locked_so(value: str, wanted: str) -> bool | None:
    """Whether a lock is as is wanted; None when what it reports is not of a lock."""
    told = value in LOCK_STATES or value in _state_table()["unsettled_locks"]
    return value == wanted if told and value not in _state_table()["unknown"] else None


def _is_on(told: Scalar) -> bool | None:
    """Whether what a device reports is that it runs; None when that cannot be told from it."""
    value, number = _reported_state(told), _number_of(told)
    if value in _state_table()["unknown"]:
        return None
    if number is not None:
        return number > 0
    state = reported_states().get(value)
    return None if state is None else state == "on"


def _number_of(value: Scalar) -> float | None:
    try:
        return float(_reported_state(value))
    except ValueError:
        return None


def _reported_state(value: Scalar) -> str:
    return "" if value is None else str(value).strip().lower()


def _state_table() -> Mapping[str, Any]:
    found: Mapping[str, Any] = table("winnow.decide", "conditions.yaml")
    return found


# Of the things a set names, those of which what was said holds: ``the lights that are on``.


@dataclass(frozen=True, slots=True)
class FilteredSet:
    """Members by what was said of them."""

    rows: tuple[ScoredDevice, ...]
    """Those it holds for."""
    judgements: tuple[ConditionCheck, ...]
    """What was read of them, one for each thing that was said."""
    unknown: tuple[str, ...] = ()
    """Ids of those of whom nothing tells."""


def filter_set(
    rows: Sequence[ScoredDevice],
    where: Sequence[Condition],
    candidates: Sequence[DeviceCandidate],
    situation: DecisionContext,
) -> FilteredSet:
    """The members that are as was said; that none is so is told as a condition that does not hold."""
    kept, unknown, told = list(rows), list[str](), []
    for condition in where:
        each = {row.device.id: _judgement_of_row(row, condition, candidates, situation) for row in kept}
        unknown += [i for i, known in each.items() if known.holds is None]
        kept = [row for row in kept if each[row.device.id].holds]
        reads = tuple(read for known in each.values() for read in known.reads)
        # unknown where it holds for none, and of some nothing is known
        told.append(ConditionCheck(condition.text, reads, bool(kept) if kept or not unknown else None))
    return FilteredSet(tuple(kept), tuple(told), tuple(dict.fromkeys(unknown)))


def _judgement_of_row(
    row: ScoredDevice, condition: Condition, candidates: Sequence[DeviceCandidate], situation: DecisionContext
) -> ConditionCheck:
    """Whether a thing itself is as was said."""
    if not condition.decidable:
        return ConditionCheck(condition.text, (), None)
    own = [replace(c, score=1.0) for c in candidates if c.device_id == row.device.id][:1]
    return judge_condition(replace(condition, mention=Mention()), own, situation.view, situation.snapshot)


# The conditions of an instruction, judged in order (law 6), and what they say of its place.


def judge_conditions(
    query: QueryIR, shortlist: HomeShortlist, before: SentenceOutcome, situation: DecisionContext
) -> InstructionOutcome:
    """The conditions up to the first that does not hold; the same words are judged once in a sentence."""
    known = {j.text: j for j in before.judgements}
    if query.otherwise:
        return _alternative_outcome(query.otherwise, known)
    found: list[ConditionCheck] = []
    for condition, sensors in zip(query.conditions, shortlist.sensors, strict=False):
        # Whether it names nothing and asks for a state: ``if it is on`` is said of what is meant
        told = (
            _explained_candidates(shortlist)
            if condition.quantity in OWN_PROPERTIES and not condition.mention.tokens
            else sensors
        )
        one = known.get(condition.text) or (
            ConditionCheck(condition.text, (), None)
            if not condition.decidable
            else judge_condition(condition, told, situation.view, situation.snapshot)
        )
        known[condition.text] = one
        found.append(one)
        if one.holds is None:
            # What hangs on it and names nothing was no order of its own: the rest hangs on it too.
            adrift = not query.target.tokens and not query.references
            refused = (_condition_refusal(condition),)
            return InstructionOutcome(refused=refused, judged=tuple(found), blocks_sentence=adrift)
        if not one.holds:
            break
    return InstructionOutcome(judged=tuple(found))


def _alternative_outcome(
    conditions: Sequence[Condition], known: Mapping[str, ConditionCheck]
) -> InstructionOutcome:
    """What is for when these do not all hold: it is done if one does not, and idle if all do."""
    told = [(c, known[c.text].holds if c.text in known else None) for c in conditions]
    if any(holds is False for _, holds in told):
        return InstructionOutcome()
    unknown = tuple(_condition_refusal(c) for c, holds in told if holds is None)
    return InstructionOutcome(refused=unknown[:1], idle=True)


def _explained_candidates(shortlist: HomeShortlist) -> list[DeviceCandidate]:
    """The things that the words of the order explain in full."""
    return [c for c in shortlist.candidates if all(e.lane != "missing" for e in c.evidence)]


def _condition_refusal(condition: Condition) -> Refusal:
    """Why nobody can tell whether it holds."""
    facts = {"condition": condition.text}
    if condition.decidable:
        return Refusal("unknown_condition", facts)
    return Refusal("time_trigger" if condition.timed else "undecidable_condition", facts)


def in_condition_rooms(query: QueryIR, read: Sequence[ConditionCheck], situation: DecisionContext) -> QueryIR:
    """The instruction with the rooms its conditions were read in.

    ``卧室超过28度就开空调`` means the one there, when there is more than one.
    """
    if not (query.conditions or query.otherwise):
        return query
    rooms = (situation.view.room(r.device_id) for j in read for r in j.reads)
    return replace(query, scope_said=(*query.scope_said, *(room.id for room in rooms if room)))
