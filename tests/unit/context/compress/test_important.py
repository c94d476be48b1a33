"""What is important goes last."""

from __future__ import annotations

import pytest

from winnow.context.compress.compress import compress
from winnow.types.context import Item

VALVE = (
    "The gas valve stands under the sink and must be closed before a journey. It is the yellow lever. Turn it"
    " to the right. The plumber showed it to us in May. He said that it has to be oiled once a year."
)
BAKERY = (
    "The bakery opens at seven on weekdays. On Sundays it opens at nine. Rye bread is sold out by ten. The"
    " owner is called Marta. She also sells jam."
)


@pytest.mark.parametrize("tokens", [20, 35, 50, 70])
def test_what_is_important_is_there_however_little_room_there_is(tokens: int) -> None:
    items = [Item("bakery", BAKERY, 0.1), Item("valve", VALVE, 0.95)]
    kept = {
        one.item.id: one.tokens
        for one in compress(items, "When does the bakery open on Sundays?", tokens).kept
    }
    assert kept.get("valve", 0) > 0
    assert sum(kept.values()) <= tokens
