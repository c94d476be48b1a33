"""The weights of compression learn which reasons tell, and are written as they are read."""

from __future__ import annotations

import numpy as np
import yaml
from training.knowledge.fit_compress import NAMES, Taught, features_of, fitted, written

from winnow.context.compress.features import FEATURES, weights_for


def questions(tells: str) -> list[Taught]:
    """Questions of four pieces each; the one that answers has most of one reason and any of the others."""
    random = np.random.default_rng(3)
    found = []
    for at in range(40):
        reasons = random.random((4, len(FEATURES)), np.float32)
        right = np.arange(4) == at % 4
        reasons[:, FEATURES.index(tells)] = right * 0.5 + 0.5 * reasons[:, FEATURES.index(tells)]
        found.append(Taught(reasons, right))
    return found


def test_the_reason_that_tells_gets_most_weight() -> None:
    by = fitted(questions("near"), "words_rare_meaning")
    assert max(by, key=lambda reason: abs(by[reason])) == "near"
    assert by["near"] > 0


def test_what_is_not_known_has_no_weight() -> None:
    assert {"rare", "like"}.isdisjoint(fitted(questions("near"), "words"))
    assert set(features_of("words_rare_meaning")) == set(FEATURES)


def test_the_file_is_read_as_it_was_written() -> None:
    by = {"en": {name: dict.fromkeys(features_of(name), 0.5) for name in NAMES}}
    assert yaml.safe_load(written(by, "a head\nof two lines")) == by


def test_weights_are_in_force_for_both_languages_and_all_that_may_be_known() -> None:
    assert all(
        set(weights_for(language, name)) == set(features_of(name))
        for language in ("zh", "en")
        for name in NAMES
    )
