from __future__ import annotations

from typing import Any

import pytest
from benchmarks import tables
from benchmarks.devices import DOUBTFUL, scored
from benchmarks.scoring import completed, exact, figures, miscontrol, one_device, paired, percentile, rates


def case(
    decision: str = "act", calls: tuple[str, ...] = ("d1",), tags: tuple[str, ...] = (), **expect: Any
) -> dict[str, Any]:
    wanted = [{"device": device, "commands": ["on"], "args": {}} for device in calls]
    empty: dict[str, Any] = {"reads": [], "candidates": [], "rejected": 0}
    return {
        "id": "c1",
        "category": "plain",
        "tags": list(tags),
        "expect": {"decision": decision, "calls": wanted, **empty, **expect},
    }


def answer(decision: str = "act", calls: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {
        "id": "c1",
        "decision": decision,
        "calls": [{"device": d, "command": "on", "args": {}} for d in calls],
        **more,
    }


def test_the_wanted_call_is_exact() -> None:
    pair = paired(case(), answer(calls=("d1",)))
    assert (exact(pair), completed(pair), miscontrol(pair)) == (True, True, False)


def test_another_device_is_a_miscontrol() -> None:
    pair = paired(case(), answer(calls=("d2",)))
    assert (exact(pair), completed(pair), miscontrol(pair)) == (False, False, True)


def test_half_a_set_is_wrong_but_harmless() -> None:
    pair = paired(case(calls=("d1", "d2")), answer(calls=("d1",)))
    assert (exact(pair), miscontrol(pair)) == (False, False)


def test_an_alternative_is_as_right_as_the_first_list() -> None:
    other = case(alternatives=[[{"device": "d9", "commands": ["on"], "args": {}}]])
    assert exact(paired(other, answer(calls=("d9",))))
    assert not miscontrol(paired(other, answer(calls=("d9",))))


def test_acting_where_nothing_should_happen_is_a_miscontrol() -> None:
    pair = paired(case("none", calls=()), answer(calls=("d1",)))
    assert miscontrol(pair)
    assert rates(pair)["abstain_right"] == 0.0


def test_wanting_a_yes_is_never_a_miscontrol() -> None:
    assert not miscontrol(paired(case(), answer("confirm", ("d2",))))


def test_a_question_that_offers_the_device_completes() -> None:
    pair = paired(case(), answer("clarify", candidates=["d1", "d2"]))
    assert (exact(pair), completed(pair)) == (False, True)
    assert rates(pair)["unneeded_clarify"] == 1.0


@pytest.mark.parametrize("offered", [["d2", "d3"], ["d1", "d2", "d3", "d4", "d5", "d6"]])
def test_a_question_that_misses_it_or_offers_too_much_does_not(offered: list[str]) -> None:
    assert not completed(paired(case(), answer("clarify", candidates=offered)))


def test_a_condition_that_does_not_hold_must_have_been_read() -> None:
    unlit = case(condition_holds=False, reads=[{"device": "s1"}])
    assert miscontrol(paired(unlit, answer(calls=("d1",))))
    assert not miscontrol(paired(unlit, answer(calls=("d1",), reads=[{"device": "s1"}])))
    assert exact(
        paired(
            {**unlit, "expect": {**unlit["expect"], "decision_also": ["none"]}},
            answer("none", reads=[{"device": "s1"}]),
        )
    )


def test_a_question_reads_exactly_what_was_asked() -> None:
    asked = case("query", calls=(), reads=[{"device": "s1"}])
    assert exact(paired(asked, answer("query", reads=[{"device": "s1"}])))
    more = paired(asked, answer("query", reads=[{"device": "s1"}, {"device": "s2"}]))
    assert (exact(more), completed(more)) == (False, True)


def test_another_decision_that_was_allowed_is_exact() -> None:
    assert exact(paired(case("reject", calls=(), decision_also=["clarify"]), answer("clarify")))


def test_recall_counts_devices_once_and_commands_by_place() -> None:
    shortlist = [
        {"device": "d2", "command": "on"},
        {"device": "d2", "command": "off"},
        {"device": "d1", "command": "on"},
    ]
    found = rates(paired(case(), answer(shortlist=shortlist)))
    assert (found["device_R@1"], found["device_R@5"], found["command_R@1"], found["command_R@5"]) == (
        0.0,
        1.0,
        0.0,
        1.0,
    )


def test_recall_leaves_sets_out_and_coverage_takes_them() -> None:
    found = rates(paired(case(calls=("d1", "d2"), tags=("bulk",)), answer(calls=("d1",))))
    assert "device_R@1" not in found
    assert found["bulk_coverage"] == 0.5


def test_a_case_without_a_prediction_counts_as_wrong() -> None:
    assert figures([case()], {})["exact"] == 0.0


def test_figures_are_percentages_and_percentiles() -> None:
    cases = [{**case(), "id": i} for i in ("a", "b", "c")]
    answers = {
        i: {**answer(calls=(d,)), "ms": ms, "context": "x"}
        for i, d, ms in (("a", "d1", 1.0), ("b", "d1", 2.0), ("c", "d2", 9.0))
    }
    found = figures(cases, answers)
    assert (found["n"], found["exact"], found["miscontrol"], found["ms_p50"], found["ms_p95"]) == (
        3,
        66.7,
        33.3,
        2.0,
        9.0,
    )
    assert found["abstain_right"] is None


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile(range(1, 101), 95) == 95
    assert percentile([], 50) is None


def test_an_order_for_one_device_is_no_set_and_no_question() -> None:
    assert one_device(case())
    assert not one_device(case(tags=("bulk",)))
    assert not one_device(case(calls=("d1", "d2")))
    assert not one_device(case("confirm"))


def test_a_file_with_rows_whose_gold_is_in_doubt_is_told_without_them_too() -> None:
    plain, doubtful = case(), {**case("reject", calls=()), "id": "c2", "flags": [DOUBTFUL]}
    done = {
        key: {**answer(calls=("d1",)), "shortlist": [], "reads": [], "context": ""} for key in ("c1", "c2")
    }
    told = dict(tables.file_rows({"set": scored([plain, doubtful], done)}, categories=False))
    assert (told["set"]["n"], told["set, gold not in doubt"]["n"]) == (2, 1)
    assert (told["set"]["miscontrol"], told["set, gold not in doubt"]["miscontrol"]) == (50.0, 0.0)
    assert "undoubted" not in scored([plain], done)
