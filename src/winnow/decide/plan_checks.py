"""What every plan must keep whatever the words were: conditions, exceptions, settings, all that was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from winnow.decide.answers import measured_place
from winnow.decide.conditions import OWN_PROPERTIES, presence_witnesses
from winnow.decide.gate import DEGREE_UNITS, WIDE_VERBS, has_named_group, is_wide
from winnow.decide.outcome import DecisionContext, InstructionOutcome, PlannedCall, SentenceOutcome
from winnow.language.content_words import ACTS_AGAINST, STOPPING
from winnow.language.lexicon import clusters, type_words
from winnow.language.normalize import is_han, normalise
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Device, HomeView, group_members
from winnow.types.query import PLACE_KINDS, Condition, Limit, Quantifier, QueryIR, Token, has_kind, of_kind
from winnow.types.verdict import Read, Refusal

# A plan: what each instruction of a sentence was, what was found for it, and what it came to


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One instruction, in the order of the sentence; of an order not to act the outcome is empty."""

    query: QueryIR
    shortlist: HomeShortlist = field(default_factory=HomeShortlist)
    outcome: InstructionOutcome = field(default_factory=InstructionOutcome)

    @property
    def device_ids(self) -> frozenset[str]:
        """Who gets a call."""
        return frozenset(d.call.device_id for d in self.outcome.calls)

    @property
    def excluded_ids(self) -> frozenset[str]:
        """Ids of what its exceptions take away, wherever it stands."""
        return frozenset(d.id for d in self.shortlist.dropped if d.stage == "exclude")


Plan = Sequence[PlanStep]


@dataclass(frozen=True, slots=True)
class PlanFlaw:
    """What is wrong with a plan, and how it is told.

    ``struck_calls`` are the deeds that are not done for it; where there are none, nothing of the sentence is
    done.
    """

    refusal: Refusal
    struck_calls: tuple[PlannedCall, ...] = ()


PlanCheck = Callable[[Plan, DecisionContext], Iterable[PlanFlaw]]
"""One thing that every plan must keep. It looks at no words, only at what was read, found and planned."""


def planned_calls(plan: Plan) -> tuple[PlannedCall, ...]:
    """Everything that would be done, in order."""
    return tuple(d for step in plan for d in step.outcome.calls)


def mend_plan(plan: Plan, flaw: PlanFlaw) -> tuple[PlanStep, ...]:
    """The plan without what has the flaw, which is told."""
    if not flaw.struck_calls:
        first, *rest = plan
        came = first.outcome
        spoilt = replace(
            first, outcome=replace(came, refused=(*came.refused, flaw.refusal), blocks_sentence=True)
        )
        return (spoilt, *rest)
    out = []
    for step in plan:
        came = step.outcome
        kept = tuple(d for d in came.calls if d not in flaw.struck_calls)
        if len(kept) < len(came.calls):
            came = replace(came, calls=kept, refused=(*came.refused, flaw.refusal))
        out.append(replace(step, outcome=came))
    return tuple(out)


# Every condition is judged before anything is done on it, and where it was said of.


def conditions_are_met(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """What has a condition is done only if each of its conditions was read and holds.

    A condition whose own order names no act was said of the rest of the sentence.
    """
    for step in plan:
        lost = _unmet_conditions(step)
        if lost and step.outcome.calls:
            yield PlanFlaw(_unknown_condition(lost[0]), step.outcome.calls)
        elif step.query.conditions and not step.query.action_cluster and not step.shortlist.candidates:
            yield PlanFlaw(_unknown_condition(step.query.conditions[0]))


def alternatives_are_due(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """What is for when conditions do not hold is done only if one of them was read and does not."""
    failed = {j.text for step in plan for j in step.outcome.judged if j.holds is False and j.reads}
    for step in plan:
        against = step.query.otherwise
        if against and step.outcome.calls and failed.isdisjoint(c.text for c in against):
            yield PlanFlaw(_unknown_condition(against[0]), step.outcome.calls)


def _unmet_conditions(step: PlanStep) -> list[Condition]:
    """The conditions of an order that were not read, or do not hold."""
    held = {j.text for j in step.outcome.judged if j.holds and j.reads}
    return [c for c in step.query.conditions if c.text not in held]


def _unknown_condition(condition: Condition) -> Refusal:
    return Refusal("unknown_condition", {"condition": condition.text})


def conditions_are_read_where_said(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """A condition is read on the thing or in the room it names, else on the order's thing or in its room."""
    for step in plan:
        reads = {j.text: j.reads for j in step.outcome.judged}
        for condition in step.query.conditions:
            strays = [
                r
                for r in reads.get(condition.text, ())
                if _is_read_elsewhere(r, condition, step, situation.view)
            ]
            if strays and step.outcome.calls:
                read = strays[0]
                facts = {"condition": condition.text, "name": situation.view.devices[read.device_id].name}
                yield PlanFlaw(Refusal("read_elsewhere", facts, (read.device_id,)), step.outcome.calls)
                break


def _is_read_elsewhere(read: Read, condition: Condition, step: PlanStep, view: HomeView) -> bool:
    """Whether this was read of another thing or room than was said."""
    if presence_witnesses(condition, view):
        return False
    if _is_of_another(read, condition, view):
        return True
    if condition.mention.things:
        return _is_away(read, condition.mention.places, view)
    if condition.quantity in OWN_PROPERTIES and not condition.mention.tokens:
        return read.device_id not in step.device_ids
    return _is_away(read, condition.mention.places or step.query.scope_include, view)


def _is_of_another(read: Read, condition: Condition, view: HomeView) -> bool:
    """Whether things are named in the condition and this was read of none of them."""
    named = [t.refs for t in of_kind(condition.mention.things, "name") if t.refs]
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
    return any(measured_place(device, a) == "outdoor" for a in told)


WHOLE_KINDS = frozenset({"group", "scene"})
"""Words that are the name of something of this home, beside the whole name of a device."""
NUMBER_PATTERN = re.compile(r"\d+(?:\.\d+)?")


def everything_named_is_answered(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """Every thing that was named gets a call, or a reason why it gets none."""
    acted = {d.call.device_id for d in planned_calls(plan)}
    for step in plan:
        query = step.query
        # An order that came to nothing at all, and that no other order carries out.
        excused = query.negated or query.inherited or query.quantifier is Quantifier.ANY
        if step.outcome.is_silent and not excused and acted.isdisjoint(step.shortlist.device_ids):
            yield PlanFlaw(Refusal("not_understood", {"what": query.target.text}))
        elif missed := _missed_name(step, situation.view):
            yield PlanFlaw(Refusal("unplaced", {"words": missed.text}), step.outcome.calls)


def _missed_name(step: PlanStep, view: HomeView) -> Token | None:
    """A name of which nothing is moved, though the order moves what another of its names says."""
    wholes = {view.devices[i].part_of for i in step.device_ids if i in view.devices}
    reached = step.device_ids | wholes | step.excluded_ids | set(step.outcome.uncovered)
    named = [t for t in step.query.target.tokens if t.refs and (t.kind in WHOLE_KINDS or t.data.get("full"))]
    missed = [t for t in named if reached.isdisjoint(t.refs)]
    # where no name is reached, the words were those of a thing that is called so among others
    return missed[0] if 0 < len(missed) < len(named) else None


def no_limit_is_passed(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """What is to go only so far (``but not too bright``) is done only where a value says how far."""
    for step in plan:
        for limit in step.query.limits:
            if step.outcome.calls and not _keeps_limit(step.query, limit):
                yield PlanFlaw(Refusal("how_far", {"what": limit.text}))
                return


def _keeps_limit(query: QueryIR, limit: Limit) -> bool:
    """Whether an order says itself how far it goes: by a value, or a step whose size is said.

    What is switched off goes no other way.
    """
    value = query.value
    if value is None or value.kind == "extreme":
        return not limit.strict and query.action in STOPPING
    return value.number is not None or bool(value.text)


def as_many_as_said(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """Where a number of things was said, that many are moved."""
    for step in plan:
        said = step.query.count
        found = len(step.device_ids | set(step.outcome.uncovered))
        if said is not None and step.outcome.calls and found != said:
            facts = {"said": str(said), "found": str(found)}
            yield PlanFlaw(Refusal("miscounted", facts), step.outcome.calls)


def every_figure_is_used(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """No figure that was said is lost: of two values for two things, neither may be given to both."""
    if not any(step.query.tokens for step in plan):  # a model says what was meant, and not by which words
        return
    used = set(NUMBER_PATTERN.findall("\n".join(_explained_texts(plan, situation.view))))
    meant: set[float | str | None] = set()
    for step in plan:
        query = step.query
        meant |= {query.value.number if query.value else None, query.count}
        meant.update(c.threshold for c in query.conditions)
    if lost := [f for f in NUMBER_PATTERN.findall(situation.text) if f not in used and float(f) not in meant]:
        yield PlanFlaw(Refusal("unplaced", {"words": ", ".join(lost)}))


def _explained_texts(plan: Plan, view: HomeView) -> Iterator[str]:
    """The words that were taken for something, and the names of what is moved."""
    for step in plan:
        yield from (t.text for t in step.query.tokens)
        yield from (c.text for c in step.query.conditions)
        yield from (limit.text for limit in step.query.limits)
        yield from (view.devices[i].name for i in step.device_ids if i in view.devices)


# One setting of one device gets one value; the same value twice is one call.


SETTING_ACTIONS = frozenset({"Set", "SetPosition", "Step"})
"""Acts of a trait that leave a value behind. To be sent to two rooms, or to play two songs, is none."""

ACT_KINDS = frozenset({"verb", "light_verb", "step"})
"""Kinds of words that say what to do."""

SettingKey = tuple[str, str, str]
"""Device, family of the trait, argument."""


def one_value_for_a_setting(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """No device is told a thing and its opposite, or two values for one setting.

    Two orders that each name the thing or each say what to do are done one after the other; a second value
    alone (``30, 40``) may as well have been meant instead of the first, and a bare act (``then start it``)
    never stands for another value than the one just told.
    """
    said: dict[SettingKey, tuple[object, str, frozenset[int]]] = {}
    for step in plan:
        acts = frozenset(t.start for t in of_kind(step.query.tokens, *ACT_KINDS))
        for deed in step.outcome.calls:
            for setting, value in _set_values(deed):
                first, words, before = said.setdefault(setting, (value, deed.words, acts))
                is_repeated = step.query.inherited or deed.words == words
                # Whether a step says nothing new to do, or no value
                if first != value and is_repeated and (acts <= before or step.query.value is None):
                    device = situation.view.devices[deed.call.device_id]
                    facts = {"name": device.name, "values": f"{first}, {value}"}
                    yield PlanFlaw(Refusal("two_values", facts, (device.id,)))
                    return
                said[setting] = value, deed.words, acts
    yield from _opposite_calls(plan)


def _set_values(deed: PlannedCall) -> Iterator[tuple[SettingKey, object]]:
    """What a deed sets to what, whichever command does it."""
    family, _, act = deed.command.trait.partition(".") if deed.command else ("", "", "")
    if act in SETTING_ACTIONS:
        for name, value in deed.call.arguments.items():
            yield (deed.call.device_id, family, name), value


def _opposite_calls(plan: Plan) -> Iterator[PlanFlaw]:
    done: dict[str, set[str]] = {}
    for call in (deed.call for deed in planned_calls(plan)):
        # The bare act of a command id: ``on`` of ``light.turn_on`` and of ``main-switch-on``.
        name = call.command_id.replace("turn_", "").replace("_cover", "").replace("_valve", "")
        done.setdefault(call.device_id, set()).add(name.replace("-", ".").split(".")[-1])
    if any(one in acts and other in acts for acts in done.values() for one, other in ACTS_AGAINST):
        yield PlanFlaw(Refusal("contradiction"))


def fold_settings(plan: Plan) -> tuple[PlanStep, ...]:
    """The plan with every setting made once, though two commands could make it."""
    done: set[tuple[tuple[SettingKey, object], ...]] = set()
    out = []
    for step in plan:
        kept = []
        for deed in step.outcome.calls:
            values = tuple(_set_values(deed))
            if not values or values not in done:
                done.add(values)
                kept.append(deed)
        is_same = len(kept) == len(step.outcome.calls)
        out.append(step if is_same else replace(step, outcome=replace(step.outcome, calls=tuple(kept))))
    return tuple(out)


# What is excepted or forbidden is touched by nothing, and every exception takes something away.


HALTING_VERBS = frozenset({"pause", "stop"})
"""Acts of what goes on: ``leave the lamp where it is`` halts nothing."""


def exceptions_take_something(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """An exception takes something away of one of the sets it is said of: else it was misunderstood."""
    taken = {m.text for s in plan for m in s.query.exclusions if m.text not in s.shortlist.idle}
    for step in plan:
        lost = [text for text in step.shortlist.idle if text not in taken]
        if lost and step.query.quantifier is Quantifier.EXCEPT and step.outcome.calls:
            yield PlanFlaw(Refusal("idle_exception", {"what": ", ".join(lost)}), step.outcome.calls)


def what_is_spared_stays(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """Nothing that was taken away, or that an order says not to touch, is moved by any call of the sentence.

    Whatever moves it: its own command, that of the device it is a part of, a group it is in, or a scene.
    """
    held = group_members(situation.view.home) if situation.view.home.groups else {}
    for step in plan:
        spared = step.excluded_ids | _forbidden_ids(step, plan)
        set_of = spared if step.outcome.bulk else frozenset()
        struck = tuple(
            d
            for d in step.outcome.calls
            if _moves_spared(d, spared, situation.view, held) or _is_part_of_spared(d, set_of, situation.view)
        )
        if struck:
            yield PlanFlaw(_spared_refusal(struck, spared, situation.view), struck)


def _spared_refusal(struck: tuple[PlannedCall, ...], spared: frozenset[str], view: HomeView) -> Refusal:
    ids = tuple(d.call.device_id for d in struck)
    thing = view.devices.get(ids[0]) or view.scenes.get(ids[0])
    return Refusal("touches_spared", {"name": thing.name if thing else ids[0]}, ids)


def _forbidden_ids(step: PlanStep, plan: Plan) -> frozenset[str]:
    """What orders not to act say of the same act, or of any."""
    forbidden: set[str] = set()
    for other in plan:
        if _forbids_step(other, step) and other.query.target.things:
            forbidden.update(
                c.device_id
                for c in other.shortlist.candidates
                if all(e.lane != "missing" for e in c.evidence)
            )
    return frozenset(forbidden)


def _forbids_step(other: PlanStep, step: PlanStep) -> bool:
    """Whether one instruction says not to do what the other does, or to leave as it is what nothing halts."""
    acts = other.query.action_cluster
    if other.query.action in HALTING_VERBS and other is not step and not other.outcome.calls:
        return True
    if not other.query.negated or other.query.conditions:
        return False
    return not acts or not set(acts).isdisjoint(step.query.action_cluster)


def _moves_spared(
    deed: PlannedCall, spared: frozenset[str], view: HomeView, held: dict[str, tuple[str, ...]]
) -> bool:
    """Whether a call moves something that is spared; of a scene nobody can tell what it moves."""
    target = deed.call.device_id
    if not spared:
        return False
    if target in view.scenes or target in spared or not spared.isdisjoint(held.get(target, ())):
        return True
    # The command of a device may be one of its part as well: a gang goes off with its switch.
    trait = deed.command.trait if deed.command else ""
    return any(
        part.id in spared and any(c.trait == trait for c in view.profile(part.id).commands)
        for part in view.parts(target)
    )


def _is_part_of_spared(deed: PlannedCall, spared: frozenset[str], view: HomeView) -> bool:
    """Whether it is a part of what is spared: as a member of a set, it was not named itself."""
    device = view.devices.get(deed.call.device_id)
    return device is not None and device.part_of in spared


# Whose temperature a temperature is: not that of food unless it was named, and never that of light.


COLOR_TRAIT = "ColorTemperature"
"""The family of the temperature of light."""


def food_keeps_its_temperature(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """No temperature is set on a refrigerator, freezer or wine cooler that was not named."""
    for step in plan:
        struck = tuple(d for d in step.outcome.calls if _changes_food_temperature(d, step, situation.view))
        if struck:
            device = situation.view.devices[struck[0].call.device_id]
            ids = tuple(d.call.device_id for d in struck)
            yield PlanFlaw(Refusal("cools_food", {"name": device.name}, ids), struck)


def degrees_are_no_colour(plan: Plan, situation: DecisionContext) -> Iterator[PlanFlaw]:
    """What was said in degrees is set on nothing whose temperature is that of its light."""
    for step in plan:
        value = step.query.value
        if value is None or value.unit not in DEGREE_UNITS:
            continue
        struck = tuple(d for d in step.outcome.calls if d.command and d.command.trait.startswith(COLOR_TRAIT))
        if struck:
            ids = tuple(d.call.device_id for d in struck)
            yield PlanFlaw(Refusal("no_ability", {"name": situation.view.devices[ids[0]].name}, ids), struck)


def _changes_food_temperature(deed: PlannedCall, step: PlanStep, view: HomeView) -> bool:
    device = view.devices.get(deed.call.device_id)
    family = deed.command.trait.partition(".")[0] if deed.command else ""
    if device is None or family == COLOR_TRAIT or "Temperature" not in family:
        return False
    whole = view.devices.get(device.part_of or "", device)
    if not (_is_food_cooler(device) or _is_food_cooler(whole)):
        return False
    return not any(_is_named_by(token, device, whole) for token in step.query.target.tokens)


def _is_food_cooler(device: Device) -> bool:
    """By its kind, or by a word of its name: an import may know it as no more than a thermostat."""
    if not _food_kinds().isdisjoint(device.kinds):
        return True
    texts = [f" {normalise(name)} " for name in (device.name, *device.aliases)]
    words = clusters()["cooling_food"]["words"]
    return any((word if is_han(word[0]) else f" {word} ") in text for text in texts for word in words)


def _is_named_by(token: Token, device: Device, whole: Device) -> bool:
    """Whether a word means this thing: its name, a part of that, or the kind of it."""
    if token.kind in PLACE_KINDS or token.kind == "group":
        return False
    if token.kind == "type":
        named, kinds = token.data.get("named"), type_words()[str(token.data["is"])].kinds
        refs = named if isinstance(named, tuple) else ()
        return not _food_kinds().isdisjoint(kinds) or not {device.id, whole.id}.isdisjoint(refs)
    return not {device.id, whole.id}.isdisjoint(token.refs) or normalise(token.text) in normalise(device.name)


def _food_kinds() -> frozenset[str]:
    return frozenset(clusters()["cooling_food"]["kinds"])


# A set of the whole home that nobody called so is asked about first.


def mark_wide(step: PlanStep, situation: DecisionContext) -> PlanStep:
    """The step, marked if it does the whole home something: then a smaller number is asked about.

    That of which neither a place nor an earlier turn says where it is stands in several rooms.
    """
    query, devices = step.query, situation.view.devices
    placed = query.scope_include or has_named_group(query) or query.antecedents
    rooms = {devices[i].room_id for i in step.device_ids if i in devices}
    if not step.outcome.bulk or placed or len(rooms) < 2 or _says_whole_home(query):
        return step
    return replace(step, outcome=replace(step.outcome, everywhere=True))


def _says_whole_home(query: QueryIR) -> bool:
    """Whether it was said that all are meant, or all but some. ``Everything`` is too much for a switch.

    A plural alone says no such thing: ``the lights`` are as often those of one room.
    """
    if is_wide(query):
        return query.action not in WIDE_VERBS
    return query.quantifier is Quantifier.EXCEPT or has_kind(query.tokens, "quantifier")


# The checks in their order, applied once, after planning and before the verdict.


PLAN_CHECKS: tuple[PlanCheck, ...] = (
    conditions_are_met,
    alternatives_are_due,
    conditions_are_read_where_said,
    exceptions_take_something,
    what_is_spared_stays,
    food_keeps_its_temperature,
    degrees_are_no_colour,
    everything_named_is_answered,
    as_many_as_said,
    no_limit_is_passed,
    every_figure_is_used,
    one_value_for_a_setting,
)


def check_plan(plan: Plan, situation: DecisionContext) -> SentenceOutcome:
    """What a plan comes to once it kept every check: without what is wrong with it, which is told."""
    for check in PLAN_CHECKS:
        for flaw in check(plan, situation) if planned_calls(plan) else ():
            plan = mend_plan(plan, flaw)
    return SentenceOutcome(tuple(mark_wide(step, situation).outcome for step in fold_settings(plan)))
