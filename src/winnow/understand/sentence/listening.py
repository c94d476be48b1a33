"""How much dearer what was heard may be than an order as it is written."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import Token
from winnow.understand.grammar.hearing import is_strange
from winnow.understand.grammar.lattice import HEARD
from winnow.understand.sentence.drafts import Draft

OVERHEARD = 1.5
"""What may be heard of words that are passed over as written: it is asked about."""


def most_heard(cost: float, drafts: Sequence[Draft], tokens: Sequence[Token]) -> float:
    """The price from which nothing is heard in the place of orders that cost this much.

    More where every word of what is ordered is known and others are only told beside it; nothing is heard
    in the place of a condition.
    """
    if any(d.conditions for d in drafts):
        return 0.0
    ordered = {n for d in drafts for w in d.words for n in range(w.start, w.end)}
    beside = all(ordered.isdisjoint(range(t.start, t.end)) for t in tokens if is_strange(t))
    return cost + (OVERHEARD if beside else HEARD)
