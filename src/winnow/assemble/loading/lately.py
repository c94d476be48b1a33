"""What was found in the last turns and may be given without looking it up again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from winnow.assemble.parts import Parts
from winnow.assemble.window.topic import terms
from winnow.types.context import Context, Given
from winnow.types.shortlist import Candidate, Shortlist

if TYPE_CHECKING:
    from winnow.assemble.data import Data

EXPIRES = 1800.0
"""Seconds after which what was given has to be looked up again: it may have changed."""
KEPT = 30
"""Pieces that are remembered, at most."""
SHARED = 0.5
"""Part of the question's terms that a piece must hold to be given again."""


def lately(given: Sequence[Given], parts: Parts) -> tuple[Shortlist, ...]:
    """What was found lately, still holds and bears on the question, by source; none that is found anyway.

    Where detail is wanted, what was held back in the turn before bears on it, whatever the words.
    """
    found = {c.ref for shortlist in parts.found for c in shortlist.candidates}
    by_source: dict[str, list[Candidate]] = {}
    for one in fresh(given, parts.now):
        if one.candidate.ref not in found and _bears(one, parts, given[0].at):
            by_source.setdefault(one.source, []).append(one.candidate)
    return tuple(Shortlist(source, tuple(again)) for source, again in by_source.items())


def fresh(given: Iterable[Given], now: float) -> tuple[Given, ...]:
    """What is not too old."""
    return tuple(one for one in given if 0 <= now - one.at <= EXPIRES)


def remembered(told: Data, before: Context | None, now: float) -> tuple[Given, ...]:
    """What is given and held back now and what was lately, newest first, each once."""
    earlier = before.held.given if before and before.held else ()
    new = [Given(quote.source, quote.candidate, now) for quote in told.quotes]
    new += [Given(quote.source, quote.candidate, now, waits=True) for quote in told.waiting]
    refs = {one.candidate.ref for one in new}
    return (*new, *(one for one in fresh(earlier, now) if one.candidate.ref not in refs))[:KEPT]


def _bears(one: Given, parts: Parts, last: float) -> bool:
    """Whether it says something of what is asked."""
    if parts.detail and one.waits and one.at == last:
        return True
    asked, data = terms(parts.query or parts.question), one.candidate.data
    told = data.get("text", "") if isinstance(data, dict) else data
    return bool(asked) and len(asked & terms(str(told or ""))) >= SHARED * len(asked)
