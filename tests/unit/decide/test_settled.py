"""What a set is to do when its members would do different things."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.decide.rows import query, row, view

from winnow.decide.bulk import BulkChoice, CapabilityOption, choose_bulk_act
from winnow.types.plan import DEFAULT_LIMITS, ActionLimits
from winnow.types.query import Value
from winnow.types.state import EMPTY_SNAPSHOT

LAMP, SHADE = row("a", trait="Brightness.Set"), row("b", trait="Cover.SetPosition")
VALVE = row("c", trait="Valve.SetPosition")
HALF = Value("absolute", 50.0, "%")


def done(
    *rows: Any, evidence: dict[str, float], limits: ActionLimits = DEFAULT_LIMITS, **fields: Any
) -> BulkChoice:
    """What is settled when recall found so much for each capability."""
    found = [CapabilityOption(name, p, (), 1.0) for name, p in evidence.items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("winnow.decide.bulk.capability_options", lambda *_: found)
        return choose_bulk_act(
            query(action="set", **fields), rows, (), view("a", "b", "c"), EMPTY_SNAPSHOT, limits
        )


def test_a_setting_that_is_named_means_itself_on_every_device() -> None:
    assert done(SHADE, VALVE, evidence={}, value=HALF, property="position").chosen == (SHADE, VALVE)
    assert done(SHADE, VALVE, evidence={}, value=HALF).options


def test_acts_that_nothing_speaks_for_are_offered_last() -> None:
    got = done(
        LAMP, SHADE, evidence={"Cover.SetPosition": 0.3}, limits=ActionLimits(top1_ratio=2.0), value=HALF
    )
    assert [o.capability for o in got.options] == ["Cover.SetPosition", "Brightness.Set"]


def test_a_question_offers_at_least_two() -> None:
    got = done(LAMP, SHADE, VALVE, evidence={}, limits=ActionLimits(options=1), value=HALF)
    assert len(got.options) == 2


def test_setting_and_stepping_one_thing_are_no_rivals() -> None:
    both = {"Brightness.Set": 0.5, "Brightness.Step": 0.1, "Cover.SetPosition": 0.2}
    # of the 0.7 that are left without the step, light has 71 % and leads by 43 %
    trusted = ActionLimits(top1_ratio=0.7, margin=0.4)
    assert done(LAMP, SHADE, evidence=both, limits=trusted, value=HALF).chosen == (LAMP,)
    assert done(LAMP, SHADE, evidence=both, limits=ActionLimits(top1_ratio=0.72), value=HALF).options
