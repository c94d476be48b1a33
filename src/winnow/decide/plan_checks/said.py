"""As much is done as was said: every thing that was named, as many as were counted, every figure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from winnow.decide.plan_checks.plan import Flaw, Plan, Step, deeds_of
from winnow.decide.situation import Situation
from winnow.language.families import STOPPING
from winnow.types.query import Limit, Quantifier, QueryIR, Token
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView

WHOLE = frozenset({"group", "scene"})
"""Words that are the name of something of this home, beside the whole name of a device."""
FIGURE = re.compile(r"\d+(?:\.\d+)?")


def everything_named_is_answered(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """Every thing that was named gets a call, or a reason why it gets none."""
    acted = {d.call.device_id for d in deeds_of(plan)}
    for step in plan:
        if _is_silent(step, acted):
            yield Flaw(Refusal("not_understood", {"what": step.query.target.text}))
        elif missed := _missed(step, situation.view):
            yield Flaw(Refusal("unplaced", {"words": missed.text}), step.outcome.deeds)


def _is_silent(step: Step, acted: set[str]) -> bool:
    """Whether an order came to nothing at all, and no other order does it."""
    query = step.query
    if not step.outcome.silent or query.negated or query.inherited or query.quantifier is Quantifier.ANY:
        return False
    return acted.isdisjoint(step.shortlist.device_ids)


def _missed(step: Step, view: HomeView) -> Token | None:
    """A name of which nothing is moved, though the order moves what another of its names says."""
    reached = step.device_ids | _wholes(step, view) | step.left_out | set(step.outcome.uncovered)
    named = [t for t in step.query.target.tokens if t.refs and (t.kind in WHOLE or t.data.get("full"))]
    missed = [t for t in named if reached.isdisjoint(t.refs)]
    # where no name is reached, the words were those of a thing that is called so among others
    return missed[0] if 0 < len(missed) < len(named) else None


def _wholes(step: Step, view: HomeView) -> set[str | None]:
    """Ids of what the moved things are parts of."""
    moved = (view.devices.get(i) for i in step.device_ids)
    return {d.part_of for d in moved if d}


def no_limit_is_passed(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """What is to go only so far (``but not too bright``) is done only where a value says how far."""
    for step in plan:
        for limit in step.query.limits:
            if step.outcome.deeds and not _keeps(step.query, limit):
                yield Flaw(Refusal("how_far", {"what": limit.text}))
                return


def _keeps(query: QueryIR, limit: Limit) -> bool:
    """Whether an order says itself how far it goes; what is switched off goes no other way."""
    value = query.value
    if value is None or value.kind == "extreme":
        return not limit.strict and query.action in STOPPING
    return value.kind == "relative" or value.number is not None or bool(value.text)


def as_many_as_said(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """Where a number of things was said, that many are moved."""
    for step in plan:
        said = step.query.count
        found = len(step.device_ids | set(step.outcome.uncovered))
        if said is not None and step.outcome.deeds and found != said:
            facts = {"said": str(said), "found": str(found)}
            yield Flaw(Refusal("miscounted", facts), step.outcome.deeds)


def every_figure_is_used(plan: Plan, situation: Situation) -> Iterator[Flaw]:
    """No figure that was said is lost: of two values for two things, neither may be given to both."""
    if not any(step.query.tokens for step in plan):  # a model says what was meant, and not by which words
        return
    used = set(FIGURE.findall("\n".join(_texts(plan, situation.view))))
    meant = set(chain.from_iterable(map(_numbers, plan)))
    if lost := [f for f in FIGURE.findall(situation.text) if f not in used and float(f) not in meant]:
        yield Flaw(Refusal("unplaced", {"words": ", ".join(lost)}))


def _texts(plan: Plan, view: HomeView) -> Iterator[str]:
    """The words that were taken for something, and the names of what is moved."""
    for step in plan:
        yield from (t.text for t in step.query.tokens)
        yield from (c.text for c in step.query.conditions)
        yield from (limit.text for limit in step.query.limits)
        yield from (view.devices[i].name for i in step.device_ids if i in view.devices)


def _numbers(step: Step) -> Iterator[float | str | None]:
    query = step.query
    yield query.value.number if query.value else None
    yield query.count
    yield from (c.threshold for c in query.conditions)
