"""Items -> the most telling parts of them within a number of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.choose import Count, Draft, begin, complete, draft, explain, fill, ranked
from winnow.assemble.compress.evidence import REASONS, evidence
from winnow.assemble.compress.meaning import Meaning
from winnow.assemble.compress.report import everything, reported
from winnow.assemble.compress.units import Grain, units
from winnow.text.tables import table
from winnow.text.tokens import count_tokens
from winnow.types.compression import Compressed, Item, Level

Floats = npt.NDArray[np.float32]
NO_WEIGHTS: Mapping[str, float] = {}
GRAINS: Mapping[Level, Grain] = {"extreme": "phrase"}
"""What is cut by at each level, clauses where nothing is said; whole sentences are always preferred."""
LIGHTLY = 0.75
"""What stays of an important item that is only lightly compressed."""
WHOLE = 0.5
"""Up to which share that must go important items stay whole (seed 004, section 3.3)."""
IMPORTANCE = 2.0
"""What importance adds to the score of a piece, from 0 to 1. Not fitted: no questions tell."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is compressed for, and what it is counted and read with."""

    query: str
    protect: float
    weights: Mapping[str, float]
    count: Count
    meaning: Meaning | None


def compress(  # noqa: PLR0913 - what counts and what knows words is handed in beside the question
    items: Sequence[Item],
    query: str,
    tokens: int,
    *,
    keep: float | None = None,
    protect: float = 0.8,
    weights: Mapping[str, float] = NO_WEIGHTS,
    count: Count = count_tokens,
    meaning: Meaning | None = None,
) -> Compressed:
    """The parts of the items that answer the query, at most ``tokens`` of them as ``count`` counts."""
    total = count("\n".join(item.text for item in items))
    if total <= tokens:
        return everything(items, count)
    asked = Asked(query, protect, weights, count, meaning)
    level = level_of(1 - max(0, tokens) / total)
    pieces = units(items, GRAINS.get(level, "clause"))
    found = draft(pieces, count, tokens)
    if pieces.all and tokens > 0:
        _choose(found, asked, 1 - tokens / total)
    return reported(found, level, total)


def level_of(rate: float) -> Level:
    """The level for the share that must go, 0..1 (seed 004: 0.3, 0.6, 0.8)."""
    if rate <= 0:
        return "none"
    return "light" if rate < 0.3 else "medium" if rate < 0.6 else "heavy" if rate < 0.8 else "extreme"


def _choose(found: Draft, asked: Asked, rate: float) -> None:
    pieces = found.units
    scores = evidence(pieces, asked.query, asked.weights, asked.meaning).reasons @ _weights()
    scores = scores + IMPORTANCE * np.array(
        [pieces.items[unit.item].importance for unit in pieces.all], np.float32
    )
    order = ranked(scores, found.costs)
    _protect(found, order, asked.protect, rate)
    fill(found, order)
    complete(found)
    explain(found)
    begin(found, order)


def _protect(found: Draft, order: Sequence[int], least: float, rate: float) -> None:
    """Keep important items whole, or most of them, the most important first, as far as they fit.

    One that does not fit is compressed like the others.
    """
    important = [at for at, item in enumerate(found.units.items) if item.importance >= least]
    for at in sorted(important, key=lambda at: -found.units.items[at].importance):
        own = [number for number in order if found.units.items_of[number] == at]
        if rate <= WHOLE:
            found.take_if_it_fits(own)
        elif (lightly := int(LIGHTLY * found.cost(own))) <= found.left:
            fill(found, own, lightly)


@cache
def _weights() -> Floats:
    by = table("winnow.assemble.compress", "weights.yaml")
    return np.array([by[name] for name in REASONS], np.float32)
