"""The checks in their order, applied once, after planning and before the verdict."""

from __future__ import annotations

from winnow.decide.outcome import Sentence
from winnow.decide.plan_checks.conditions import (
    alternatives_are_due,
    conditions_are_met,
    conditions_are_read_where_said,
)
from winnow.decide.plan_checks.plan import Check, Plan, deeds_of, mended
from winnow.decide.plan_checks.said import (
    as_many_as_said,
    every_figure_is_used,
    everything_named_is_answered,
    no_limit_is_passed,
)
from winnow.decide.plan_checks.settings import folded, one_value_for_a_setting
from winnow.decide.plan_checks.spared import exceptions_take_something, what_is_spared_stays
from winnow.decide.plan_checks.temperature import degrees_are_no_colour, food_keeps_its_temperature
from winnow.decide.plan_checks.wide import marked_wide
from winnow.decide.situation import Situation

CHECKS: tuple[Check, ...] = (
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


def checked(plan: Plan, situation: Situation) -> Sentence:
    """What a plan comes to once it kept every check: without what is wrong with it, which is told."""
    for check in CHECKS:
        for flaw in check(plan, situation) if deeds_of(plan) else ():
            plan = mended(plan, flaw)
    return Sentence(tuple(marked_wide(step, situation).outcome for step in folded(plan)))
