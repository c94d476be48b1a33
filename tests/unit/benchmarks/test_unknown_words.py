"""How well a command is found by a word that the lexicon lacks."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import unknown_words
from benchmarks.unknown_words import Sought

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.home.commands import command_weights

SPELT = Sought(
    ("dim",),
    np.array([[False, True]]),
    np.array([[1.0, 0.0]], np.float32),
    np.array([[0.0, 0.9]], np.float32),
)


def test_a_tie_with_a_wrong_command_is_lost() -> None:
    assert list(SPELT.places({"lexical": 0.9, "vector": 1.0})) == [1]
    assert list(SPELT.places({"lexical": 0.8, "vector": 1.0})) == [0]


@pytest.mark.slow
def test_the_weights_in_force_find_more_than_words_alone() -> None:
    commands, embedder = unknown_words.offered(), StaticEmbedder()
    words_alone = unknown_words.measure(0, commands, embedder, {**command_weights(), "vector": 0.0})
    found = unknown_words.measure(0, commands, embedder)
    assert found == unknown_words.measure(0, commands, embedder, command_weights())
    assert found[0] == words_alone[0]
    assert found[2] >= words_alone[2] + 5
