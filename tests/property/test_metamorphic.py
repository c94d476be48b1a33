"""An order comes to the same however a home is named, listed or filled; ``make metamorphic`` tries more."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metamorphic import LAWS, House, differ, done, told
from tests.property.houses import times

from winnow.types.verdict import Act, Call, Clarify, Confirm


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
@times(6)
@given(seed=st.integers(0, 2**32))
def test_it_comes_to_the_same(name: str, seed: int) -> None:
    assert LAWS[name](Random(seed)) == ""


def test_what_is_said_of_a_house_is_mostly_done() -> None:
    houses = [House(Random(seed)) for seed in range(8)]
    for language in ("en", "zh"):
        acts = [told(house.home(language), house.said(language)) for house in houses]
        about = [calls[0][0] for _, calls in acts if calls]
        assert len(about) >= 6
        assert set(about) <= {f"d{house.about}" for house in houses}


def test_a_difference_is_told() -> None:
    one, other = (Call(i, "on", {}) for i in "ab")
    assert done(Act((one,))) == done(Confirm((one,), "?")) != done(Act((other,)))
    assert done(Clarify("?", ())) == ()
    assert "lamp" in differ("lamp", 1, 2)
    assert differ("lamp", 1, 1) == ""
