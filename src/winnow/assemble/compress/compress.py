"""Items -> the most telling parts of them within a number of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.choose import Count, Draft, begin, complete, draft, explain, fill, ranked
from winnow.assemble.compress.evidence import Evidence, evidence
from winnow.assemble.compress.meaning import Meaning
from winnow.assemble.compress.repeats import repeats
from winnow.assemble.compress.report import everything, reported
from winnow.assemble.compress.scores import Weights, known, scores, shares
from winnow.assemble.compress.scores import weights as fitted
from winnow.assemble.compress.units import Grain, units
from winnow.language.normalise import language_of
from winnow.text.tokens import count_tokens
from winnow.types.compression import Compressed, Item
from winnow.types.dialogue import Language

Floats = npt.NDArray[np.float32]
NO_WEIGHTS: Mapping[str, float] = {}
FEW = 40
"""Tokens that are too few for a sentence and its neighbours: below, English is cut into phrases."""
LIGHTLY = 0.75
"""What stays of an important item that is only lightly compressed."""
CONTEXT = 0.15
"""The share of the room that headings and titles may have."""
WHOLE = 0.5
"""Up to which share that must go important items stay whole (seed 004, section 3.3)."""
IMPORTANCE = 4.0
"""What importance adds to the score of a piece, from 0 to 1. Not fitted: no questions tell."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is compressed for, and how much of it is to stay."""

    query: str
    tokens: int
    keep: float | None = None
    """The share of the support that is to stay, 0..1; None: as much as fits."""
    protect: float = 0.8
    """From which importance on an item is compressed lightly at most."""


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
    """The parts of the items that answer the query, at most ``tokens`` of them as ``count`` counts.

    Items come best first. ``keep`` (0..1) asks for so much of the support and no more than that takes;
    ``weights`` tells how rare the question's terms are in all that was searched, ``meaning`` which words are
    alike: both make it better. Items from the importance ``protect`` on stay whole, or nearly, if they fit.
    """
    total = count("\n".join(item.text for item in items))
    wish = Wish(query, tokens, keep, protect)
    if total <= tokens and keep is None:
        return everything(items, count)
    found = draft(units(items, grain_for(tokens)), count, min(tokens, total))
    if not found.units.all or tokens <= 0:
        return reported(found, total)
    by = fitted(language(items), known(bool(weights), meaning is not None))
    choose(found, evidence(found.units, query, weights, meaning), by, wish)
    return reported(found, total)


def grain_for(tokens: int) -> Grain:
    """What texts are cut into to keep so many tokens of them."""
    return "clause" if tokens >= FEW else "phrase"


def language(items: Sequence[Item]) -> Language:
    """The language most of the items are in."""
    return language_of(" ".join(item.text[:400] for item in items))


def choose(found: Draft, seen: Evidence, by: Weights, wish: Wish) -> None:
    """Keep what answers the wish best."""
    order = _ranked(found, seen, by)
    _protect(found, order, wish)
    if wish.keep is not None:
        # The first pieces that hold so much of the support together
        held = np.cumsum([found.shares[number] for number in order])
        order = order[: int(np.searchsorted(held, min(wish.keep, float(held[-1])))) + 1]
    # Whether there are titles or headings to stand over what is kept
    pieces = found.units
    if any(item.title for item in pieces.items) or any(unit.under is not None for unit in pieces.all):
        context = int(CONTEXT * found.left)
        fill(found, order, found.left - context)
        explain(found, context)
    fill(found, order)
    found.give_back()  # only a counter that finds more in two pieces together than in each makes it necessary
    if wish.keep is None:
        complete(found)
        begin(found, order)


def _ranked(found: Draft, seen: Evidence, by: Weights) -> list[int]:
    """The units, best first, without those that say again what another one says."""
    pieces, sums = found.units, scores(seen.reasons, by)
    found.shares = shares(sums)
    found.repeated = repeats(pieces, seen.held)
    importance = np.array([item.importance for item in pieces.items], np.float32)[pieces.items_of]
    order = ranked(sums + IMPORTANCE * importance, found.costs)
    headings = {unit.under for unit in pieces.all}
    return [number for number in order if number not in headings and not found.is_repeat(number)]


def _protect(found: Draft, order: Sequence[int], wish: Wish) -> None:
    """Keep important items whole, or most of them, the most important first, as far as they fit.

    One that does not fit is compressed like the others.
    """
    lightly = wish.tokens < (1 - WHOLE) * found.cost(range(len(found.costs)))
    important = [at for at, item in enumerate(found.units.items) if item.importance >= wish.protect]
    for at in sorted(important, key=lambda at: -found.units.items[at].importance):
        own = found.with_heads([number for number in order if found.units.items_of[number] == at])
        if not lightly:
            found.take_if_it_fits(own)
        elif (most := int(LIGHTLY * found.cost(own))) <= found.left:
            fill(found, own, most)
