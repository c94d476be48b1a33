"""Weighted sums of features, and what each feature adds to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.linear import explain, probability, shares, weighted_rows, weighted_sum

FIGURES = st.dictionaries(st.sampled_from("abcd"), st.floats(-9, 9), max_size=4)


@given(FIGURES, FIGURES, st.floats(-9, 9))
def test_what_is_explained_and_the_bias_add_up_to_the_sum(
    features: dict[str, float], weights: dict[str, float], bias: float
) -> None:
    weights = {**weights, "bias": bias}
    parts = explain(features, weights)
    assert bias + sum(parts.values()) == weighted_sum(features, weights)
    assert {name for name, part in parts.items() if part} <= weights.keys()


def test_a_probability_is_one_half_where_nothing_speaks_and_never_overflows() -> None:
    assert probability({}, {}) == 0.5
    assert probability({"a": 1e9}, {"a": 1.0}) == pytest.approx(1)
    assert probability({"a": -1e9}, {"a": 1.0}) == pytest.approx(0)


def test_shares_are_of_one_whole_and_of_nothing_there_are_none() -> None:
    assert shares(np.array([1.0, 2.0])).tolist() == pytest.approx([1 / (1 + np.e), np.e / (1 + np.e)])
    assert shares(np.zeros(0)).tolist() == []


def test_rows_are_weighed_by_the_features_that_are_computed() -> None:
    rows = {"a": np.array([1, 2], np.float32)}
    assert weighted_rows(rows, {"a": 2.0, "b": 5.0}).tolist() == [2, 4]
