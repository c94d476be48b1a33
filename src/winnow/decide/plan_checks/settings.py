"""One setting of one device gets one value; the same value twice is one call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from winnow.decide.outcome import Deed
from winnow.decide.plan_checks.plan import Flaw, Plan, Step, deeds_of
from winnow.decide.situation import Situation
from winnow.language.families import ACTS_AGAINST
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView

SETTING = frozenset({"Set", "SetPosition", "Step"})
"""Acts of a trait that leave a value behind. To be sent to two rooms, or to play two songs, is none."""

ACTING = frozenset({"verb", "light_verb", "step"})
"""Kinds of words that say what to do."""

Setting = tuple[str, str, str]
"""Device, family of the trait, argument."""


def one_value_for_a_setting(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """No device is told a thing and its opposite, or two values for one setting.

    Two orders that each name the thing or each say what to do are done one after the other; a second value
    alone (``30, 40``) may as well have been meant instead of the first, and a bare act (``then start it``)
    never stands for another value than the one just told.
    """
    said: dict[Setting, tuple[object, str, frozenset[int]]] = {}
    for step in plan:
        acts = frozenset(t.start for t in step.query.tokens if t.kind in ACTING)
        for deed in step.outcome.deeds:
            for setting, value in _values(deed):
                first, words, before = said.setdefault(setting, (value, deed.words, acts))
                if (
                    first != value
                    and _is_bare(step, acts <= before)
                    and (step.query.inherited or deed.words == words)
                ):
                    yield _two_values(deed, first, value, situation.view)
                    return
                said[setting] = value, deed.words, acts
    yield from _opposed(plan)


def _is_bare(step: Step, silent: bool) -> bool:
    """Whether a step says nothing new to do, or no value."""
    return silent or step.query.value is None


def _two_values(deed: Deed, first: object, second: object, view: HomeView) -> Flaw:
    device = view.devices[deed.call.device_id]
    return Flaw(Refusal("two_values", {"name": device.name, "values": f"{first}, {second}"}, (device.id,)))


def _values(deed: Deed) -> Iterator[tuple[Setting, object]]:
    """What a deed sets to what, whichever command does it."""
    family, _, act = deed.command.trait.partition(".") if deed.command else ("", "", "")
    if act in SETTING:
        for name, value in deed.call.arguments.items():
            yield (deed.call.device_id, family, name), value


def _opposed(plan: Plan) -> Iterator[Flaw]:
    done: dict[str, set[str]] = {}
    for deed in deeds_of(plan):
        done.setdefault(deed.call.device_id, set()).add(_act(deed.call.command_id))
    if any(one in acts and other in acts for acts in done.values() for one, other in ACTS_AGAINST):
        yield Flaw(Refusal("contradiction"))


def _act(command_id: str) -> str:
    """The bare act of a command id: ``on`` of ``light.turn_on`` and of ``main-switch-on``."""
    name = command_id.replace("turn_", "").replace("_cover", "").replace("_valve", "")
    return name.replace("-", ".").split(".")[-1]


def folded(plan: Plan) -> tuple[Step, ...]:
    """The plan with every setting made once, though two commands could make it."""
    done: set[tuple[tuple[Setting, object], ...]] = set()
    return tuple(_folded(step, done) for step in plan)


def _folded(step: Step, done: set[tuple[tuple[Setting, object], ...]]) -> Step:
    kept = []
    for deed in step.outcome.deeds:
        values = tuple(_values(deed))
        if values and values in done:
            continue
        done.add(values)
        kept.append(deed)
    return replace(step, outcome=replace(step.outcome, deeds=tuple(kept)))
