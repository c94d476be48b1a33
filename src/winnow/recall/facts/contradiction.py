"""Whether two statements of unknown order can both be true. Says so only where it is sure."""

from __future__ import annotations

from winnow.ports import Embedder
from winnow.types.fact import Fact, Judgement


def contradiction(one: Fact, other: Fact, table: Embedder) -> Judgement:
    """``contradiction`` where both cannot be true at once, else ``unsure``."""
    return Judgement("unsure", "too little tells", 0.0)
