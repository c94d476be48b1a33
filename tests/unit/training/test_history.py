"""Weights of the reasons for a message are learned from questions whose answers are known."""

from __future__ import annotations

import numpy as np
import yaml
from training.history.fit import PRIOR, Asked, fitted, written

from winnow.retrieve.history.rank import history_weights


def asked(**told: list[float]) -> Asked:
    """A question to five messages, of which the first answers."""
    reasons = {name: np.array(told.get(name, [0.0] * 5), np.float32) for name in PRIOR}
    return Asked(reasons, np.arange(5) == 0)


def test_a_reason_that_tells_the_answer_gains_and_one_that_misleads_loses() -> None:
    cases = [asked(hop=[1, 0, 0, 0.2, 0], date=[0, 1, 0.5, 0, 1]) for _ in range(6)]
    found = fitted([cases])
    assert found["hop"] > PRIOR["hop"] + 0.5
    assert found["date"] < PRIOR["date"]
    assert min(found.values()) >= 0


def test_what_the_questions_say_nothing_of_stays_as_it_was_set() -> None:
    found = fitted([[asked(hop=[1, 0, 0, 0, 0])]])
    assert found["when"] == PRIOR["when"]


def test_every_file_counts_the_same_however_many_questions_it_has() -> None:
    one, many = [asked(hop=[1, 0, 0, 0, 0])], [asked(talk=[1, 0, 0, 0, 0])] * 9
    assert fitted([one, many]) == fitted([one * 5, many])


def test_the_file_of_weights_holds_every_reason() -> None:
    assert set(history_weights()) == set(PRIOR)
    assert yaml.safe_load(written(PRIOR)) == dict(PRIOR)
