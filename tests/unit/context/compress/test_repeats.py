"""Which sentences are said again is found without comparing all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winnow.context.compress.features import MIN_OVERLAP, MIN_TERMS, find_repeats, text_terms
from winnow.context.compress.units import split_units
from winnow.types.context import Item

WORDS = ("lamp", "kettle", "garden", "violin", "harbour", "pepper", "ladder", "window", "carpet", "engine")
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join)


@given(st.lists(SENTENCE, min_size=1, max_size=8))
def test_what_is_said_again_is_what_comparing_all_pairs_finds(sentences: list[str]) -> None:
    units = split_units([Item(str(n), f"{text}.") for n, text in enumerate(sentences)], "sentence")
    terms = text_terms(units)
    found = find_repeats(units, terms.holding(units.sentences_of, len(units.starts)))
    held = [frozenset(text.split()) for text in sentences]
    for one, mine in enumerate(held):
        others = [theirs for other, theirs in enumerate(held) if other != one]
        is_held = any(len(mine & theirs) >= MIN_OVERLAP * len(mine) for theirs in others)
        assert one not in found or is_held
        is_last = any(mine < theirs for theirs in others)
        assert one in found or len(mine) < MIN_TERMS or not is_last
    assert np.all([len(held[one]) >= MIN_TERMS for one in found])
