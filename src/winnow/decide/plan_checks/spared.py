"""What is excepted or forbidden is touched by nothing, and every exception takes something away."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.decide.outcome import Deed
from winnow.decide.plan_checks.plan import Flaw, Plan, Step
from winnow.decide.situation import Situation
from winnow.types.query import Quantifier
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView, group_members

HALTING = frozenset({"pause", "stop"})
"""Acts of what goes on: ``leave the lamp where it is`` halts nothing."""


def exceptions_take_something(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """An exception takes something away of one of the sets it is said of: else it was misunderstood."""
    taken = {m.text for s in plan for m in s.query.excluded if m.text not in s.shortlist.idle}
    for step in plan:
        lost = [text for text in step.shortlist.idle if text not in taken]
        if lost and step.query.quantifier is Quantifier.EXCEPT and step.outcome.deeds:
            yield Flaw(Refusal("idle_exception", {"what": ", ".join(lost)}), step.outcome.deeds)


def what_is_spared_stays(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """Nothing that was taken away, or that an order says not to touch, is moved by any call of the sentence.

    Whatever moves it: its own command, that of the device it is a part of, a group it is in, or a scene.
    """
    held = group_members(situation.view.home) if situation.view.home.groups else {}
    for step in plan:
        spared = step.left_out | _forbidden(step, plan)
        set_of = spared if step.outcome.bulk else frozenset()
        struck = tuple(
            d
            for d in step.outcome.deeds
            if _touches(d, spared, situation.view, held) or _belongs(d, set_of, situation.view)
        )
        if struck:
            yield Flaw(_refusal(struck, spared, situation.view), struck)


def _refusal(struck: tuple[Deed, ...], spared: frozenset[str], view: HomeView) -> Refusal:
    ids = tuple(d.call.device_id for d in struck)
    thing = view.devices.get(ids[0]) or view.scenes.get(ids[0])
    return Refusal("touches_spared", {"name": thing.name if thing else ids[0]}, ids)


def _forbidden(step: Step, plan: Plan) -> frozenset[str]:
    """What orders not to act say of the same act, or of any."""
    return frozenset(i for other in plan if _forbids(other, step) for i in _meant(other))


def _forbids(other: Step, step: Step) -> bool:
    """Whether one instruction says not to do what the other does, or to leave as it is what nothing halts."""
    acts = other.query.action_cluster
    if other.query.action in HALTING and other is not step and not other.outcome.deeds:
        return True
    if not other.query.negated or other.query.conditions:
        return False
    return not acts or not set(acts).isdisjoint(step.query.action_cluster)


def _meant(step: Step) -> Iterator[str]:
    """Everything that its words explain in full."""
    for candidate in step.shortlist.candidates:
        if all(e.lane != "missing" for e in candidate.evidence) and step.query.target.things:
            yield candidate.device_id


def _touches(deed: Deed, spared: frozenset[str], view: HomeView, held: dict[str, tuple[str, ...]]) -> bool:
    """Whether a call moves something that is spared; of a scene nobody can tell what it moves."""
    target = deed.call.device_id
    if not spared:
        return False
    if target in view.scenes or target in spared or not spared.isdisjoint(held.get(target, ())):
        return True
    return any(p.id in spared and _moves(deed, p.id, view) for p in view.parts(target))


def _belongs(deed: Deed, spared: frozenset[str], view: HomeView) -> bool:
    """Whether it is a part of what is spared: as a member of a set, it was not named itself."""
    device = view.devices.get(deed.call.device_id)
    return device is not None and device.part_of in spared


def _moves(deed: Deed, part: str, view: HomeView) -> bool:
    """Whether the command of a device is one of its part as well: a gang goes off with its switch."""
    trait = deed.command.trait if deed.command else ""
    return any(c.trait == trait for c in view.profile(part).commands)
