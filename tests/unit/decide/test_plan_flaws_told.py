"""What a person is told of a plan that does not keep what every plan has to: names, numbers and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.unit.decide.rows import query, token
from tests.unit.decide.test_plan_checks import DEN, HERE, conditioned, deed, found, left_out, step

from winnow.decide.outcome import DecisionContext, InstructionOutcome
from winnow.decide.plan_checks import PlanStep, check_plan, every_figure_is_used
from winnow.types.query import Condition, Limit, Mention, Value
from winnow.types.verdict import Read, Refusal

COOL, COOLER = (
    deed("cooler", "Temperature.Set", "20", value=20),
    deed("cooler", "Temperature.Set", "24", value=24),
)
LAMP, TORCH = token("lamp", "name", "lamp", full=True), token("torch", "name", "torch", full=True)
WARM = Condition("warm", Mention((DEN,)), "temperature")
SAID = replace(HERE, text="lamp to 30 and torch to 50 and 60")


def silent(**fields: object) -> PlanStep:
    return PlanStep(query(TORCH, action="on", **fields), found("torch"))


@pytest.mark.parametrize(
    ("plan", "at", "told"),
    [
        ((step(deed("lamp"), count=3),), HERE, ("miscounted", {"said": "3", "found": "1"})),
        (
            (step(COOL), step(COOLER, inherited=True)),
            HERE,
            ("two_values", {"name": "cooler", "values": "20, 24"}),
        ),
        ((step(deed("lamp")), silent()), HERE, ("not_understood", {"what": "torch"})),
        (
            (PlanStep(query(LAMP, TORCH), outcome=InstructionOutcome((deed("lamp"),))),),
            HERE,
            ("unplaced", {"words": "torch"}),
        ),
        (
            (
                PlanStep(
                    query(said=(token("30", "number"),), value=Value("absolute", 30.0)),
                    outcome=InstructionOutcome((deed("lamp"),)),
                ),
            ),
            SAID,
            ("unplaced", {"words": "50, 60"}),
        ),
        ((conditioned(WARM),), HERE, ("unknown_condition", {"condition": "warm"})),
        (
            (conditioned(WARM, Read("gauge", "t")),),
            HERE,
            ("read_elsewhere", {"condition": "warm", "name": "gauge"}),
        ),
        (
            (step(deed("lamp"), otherwise=(WARM,)),),
            HERE,
            ("unknown_condition", {"condition": "warm"}),
        ),
        (
            (step(deed("lamp"), limits=(Limit("not too bright", strict=True),)),),
            HERE,
            ("how_far", {"what": "not too bright"}),
        ),
    ],
)
def test_a_flaw_is_told_with_what_it_is_about(
    plan: tuple[PlanStep, ...], at: DecisionContext, told: tuple[str, Mapping[str, object]]
) -> None:
    assert [(one.code, dict(one.facts)) for one in check_plan(plan, at).refusals] == [told]


def test_what_is_read_elsewhere_and_what_gets_two_values_is_named_by_id() -> None:
    (read,) = check_plan((conditioned(WARM, Read("gauge", "t")),), HERE).refusals
    (values,) = check_plan((step(COOL), step(COOLER, inherited=True)), HERE).refusals
    assert (read.device_ids, values.device_ids) == (("gauge",), ("cooler",))


@pytest.mark.parametrize(
    ("value", "action", "strict", "kept"),
    [
        (None, "off", False, True),  # what is switched off goes no other way
        (None, "off", True, False),
        (None, "on", False, False),
        (Value("extreme"), "off", False, True),
        (Value("extreme"), "on", False, False),
        (Value("absolute", 30.0), "on", True, True),
        (Value("relative", None, text="a little"), "on", True, True),
        (Value("relative", None), "on", True, False),
    ],
)
def test_a_limit_is_kept_where_a_value_says_how_far(
    value: Value | None, action: str, strict: bool, kept: bool
) -> None:
    plan = step(deed("lamp"), value=value, action=action, limits=(Limit("not so much", strict=strict),))
    assert [one.code for one in check_plan((plan,), HERE).refusals] == ([] if kept else ["how_far"])


def test_an_idle_exception_and_what_is_spared_are_told() -> None:
    spared = replace(step(deed("lamp")), shortlist=left_out("lamp"))
    assert check_plan((spared,), HERE).refusals[0].facts == {"name": "lamp"}
    assert check_plan((step(deed("lamp")),), HERE).refusals == ()
    refused = replace(step(), outcome=InstructionOutcome(refused=(Refusal("no_device"),)))
    assert [one.code for one in check_plan((refused,), HERE).refusals] == ["no_device"]


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({}, "30, 50, 60"),
        ({"value": Value("absolute", 50.0)}, "30, 60"),
        ({"count": 60}, "30, 50"),
        ({"conditions": (Condition("warm enough", threshold=30.0),)}, "50, 60"),
        ({"conditions": (Condition("over 30"),)}, "50, 60"),
        ({"limits": (Limit("at most 60", strict=True),), "value": Value("absolute", 50.0)}, "30"),
    ],
)
def test_the_figures_that_no_order_uses_are_told(fields: Mapping[str, object], lost: str) -> None:
    plan = PlanStep(query(said=(token("set", "verb"),), **fields))
    (flaw,) = every_figure_is_used((plan,), SAID)
    assert flaw.refusal.facts == {"words": lost}


def test_no_figure_is_missed_where_all_are_used_or_a_model_read_the_words() -> None:
    said = (token("30", "number"), token("50", "number"), token("60", "number"))
    assert list(every_figure_is_used((PlanStep(query(said=said)),), SAID)) == []
    assert list(every_figure_is_used((PlanStep(query()),), SAID)) == []
