"""The fit of what a later statement is to an earlier one."""

from __future__ import annotations

import numpy as np
import pytest
from training.knowledge.fit_facts import fitted, judged, macro_f1, names_of, persons, softmax


def test_a_feature_that_tells_the_relations_apart_is_found() -> None:
    right = np.arange(90) % 3
    told = np.column_stack([right == 0, right == 1, np.tile([0.0, 1.0], 45)]).astype(float)
    weights = fitted(told, right, ["one", "two", "noise"])
    assert macro_f1(right, judged(told, weights)) == 100.0
    assert softmax(told @ weights[:-1] + weights[-1]).sum(1) == pytest.approx(np.ones(90))


def test_macro_f1_is_the_mean_over_the_relations() -> None:
    assert macro_f1(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])) == pytest.approx(
        (200 / 3 + 200 / 3 + 100) / 3
    )


def test_only_new_words_that_several_pairs_have_get_a_weight() -> None:
    told = [{"near": 1.0, "+moved": 1.0} for _ in range(4)] + [{"near": 0.0, "+once": 1.0}]
    assert names_of(told) == ["near", "+moved"]


def test_everybody_speaks_one_language_and_every_pair_is_somebodys() -> None:
    rows = [{"id": str(n), "lang": "zh" if n % 2 else "en"} for n in range(100)]
    found = persons(rows)
    assert all(len({row["lang"] for row in person}) == 1 for person in found)
    assert sorted(int(row["id"]) for person in found for row in person) == list(range(100))
