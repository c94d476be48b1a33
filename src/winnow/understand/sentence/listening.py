"""What was heard beside an order as it is written: how much dearer it may be, and what it must name."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
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


def each_names_its_own(drafts: Sequence[Draft]) -> bool:
    """Whether a thing or place is named, and none is lacking of the first act or of one that was heard.

    A few sounds that only may be an act are none, and a remark beside an order may sound like a value.
    """
    named = [d for d in drafts if any(map(_names, d.words))]
    heard = [d for d in drafts if any("heard" in w.data for w in d.words)]
    return bool(named) and (len(drafts) == 1 or all(d in named for d in (*heard, *drafts[:1])))


def _names(word: Token) -> bool:
    return word.kind in DEVICE_KINDS | PLACE_KINDS and "implied" not in word.data
