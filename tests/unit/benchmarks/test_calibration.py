"""Figures of probabilities, on made ones whose truth is known."""

from __future__ import annotations

import pytest
from benchmarks.ablations import each_off, switched, without
from benchmarks.calibration import Decision, judged

from winnow.language.tables import table

HOW_OFTEN = [(0.2, at < 2, 1.0) for at in range(10)] + [(0.8, at < 8, 1.0) for at in range(10)]
"""Two of ten that are said with 0.2 are so, and eight of ten that are said with 0.8."""


def nobody() -> list[tuple[float, bool, float]]:
    return []


def test_what_is_so_as_often_as_it_is_said_has_no_error() -> None:
    assert judged(HOW_OFTEN, Decision(nobody, 0.5))["ece"] == 0


def test_what_is_said_too_surely_has_the_distance_as_its_error() -> None:
    too_sure = [(0.95 if said > 0.5 else 0.05, so, count) for said, so, count in HOW_OFTEN]
    assert judged(too_sure, Decision(nobody, 0.5))["ece"] == 15


def test_a_threshold_away_from_its_costs_is_dearer() -> None:
    """At 0.9 all ten that are so are lost, where 0.5 loses two and takes two that are not."""
    figures = judged(HOW_OFTEN, Decision(nobody, 0.9, 1.0))
    assert (figures["dearer"], judged(HOW_OFTEN, Decision(nobody, 0.5, 1.0))["dearer"]) == (150, 0)


def test_a_threshold_is_right_for_its_odds() -> None:
    assert judged(HOW_OFTEN, Decision(nobody, 0.75, 3.0))["right for"] == pytest.approx(3)


def test_what_is_switched_off_counts_nothing_and_is_back_afterwards() -> None:
    weights = table("winnow.retrieve.history", "weights.yaml")
    before = dict(weights)
    with without("winnow.retrieve.history", "weights.yaml", "window"):
        assert weights == before | {"window": 0.0}
    assert weights == before


def test_each_weight_is_switched_off_alone() -> None:
    weights = table("winnow.retrieve.history", "weights.yaml")
    found = switched(
        each_off("winnow.retrieve.history", "weights.yaml"),
        lambda: {"off": sum(not w for w in weights.values())},
    )
    assert [row["off"] for row in found.values()] == [0] + [1] * len(weights)
