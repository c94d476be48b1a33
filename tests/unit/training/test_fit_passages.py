"""The fit of what each reason for a passage counts for, on questions made for this test."""

from __future__ import annotations

import numpy as np
import pytest
import yaml
from training.knowledge.fit_passages import Judged, fitted, hit, recalls, written

RIGHT = np.array([True, False, False])


def question(id_: str) -> Judged:
    """The reason ``near`` tells the right passage, ``loud`` another one; ``fed`` is off."""
    near, loud = np.array([0.9, 0.2, 0.1], np.float32), np.array([0.1, 0.9, 0.1], np.float32)
    return Judged(id_, {"near": near, "loud": loud, "fed": np.zeros(3, np.float32)}, RIGHT, 1)


QUESTIONS = [question(f"q{n}") for n in range(8)]


def test_what_tells_the_right_passage_gets_weight_and_nothing_is_below_zero() -> None:
    by = fitted([QUESTIONS])
    assert by["near"] > by["loud"] >= 0
    assert recalls(QUESTIONS[0], by) == [1.0, 1.0, 1.0]
    assert hit(QUESTIONS[0], by) == [1.0]


def test_weights_that_follow_what_is_loud_are_wrong_at_the_first_place() -> None:
    assert recalls(QUESTIONS[0], {"loud": 1.0})[0] == 0.0


def test_a_question_has_a_half_of_its_own() -> None:
    assert {one.half for one in QUESTIONS} == {0, 1}
    assert question("q1").half == question("q1").half


@pytest.mark.parametrize("kind", ["passage", "sentence"])
def test_only_the_fitted_lines_are_replaced(kind: str) -> None:
    text = "flat: 0.5\npassage:\n  en: {near: 1.0}\n  zh: {near: 2.0}\nsentence:\n  en: {near: 3.0}\n"
    found = yaml.safe_load(written(text, {kind: {"en": {"near": 4.0, "loud": 0.0}}}))
    assert found[kind] == {"en": {"near": 4.0}}
    other = "sentence" if kind == "passage" else "passage"
    assert found[other] == yaml.safe_load(text)[other]
    assert found["flat"] == 0.5
