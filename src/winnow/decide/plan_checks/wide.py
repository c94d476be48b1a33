"""A set of the whole home that nobody called so is asked about first."""

from __future__ import annotations

from dataclasses import replace

from winnow.decide.everything import WIDELY
from winnow.decide.how_many import is_wide, names_a_group
from winnow.decide.plan_checks.plan import Step
from winnow.decide.situation import Situation
from winnow.types.query import Quantifier, QueryIR
from winnow.types.view import HomeView


def marked_wide(step: Step, situation: Situation) -> Step:
    """The step, marked if it does the whole home something: then a smaller number is asked about."""
    if not step.outcome.bulk or not _is_of_the_home(step, situation.view) or _is_called_so(step.query):
        return step
    return replace(step, outcome=replace(step.outcome, everywhere=True))


def _is_of_the_home(step: Step, view: HomeView) -> bool:
    """Whether its devices stand in several rooms, and neither a place nor earlier words say which."""
    query = step.query
    if query.scope_include or names_a_group(query) or query.antecedents:
        return False
    return len({view.devices[i].room_id for i in step.device_ids if i in view.devices}) > 1


def _is_called_so(query: QueryIR) -> bool:
    """Whether it was said that all are meant, or all but some. ``Everything`` is too much for a switch.

    A plural alone says no such thing: ``the lights`` are as often those of one room.
    """
    if is_wide(query):
        return query.action not in WIDELY
    return query.quantifier is Quantifier.EXCEPT or any(t.kind == "quantifier" for t in query.tokens)
