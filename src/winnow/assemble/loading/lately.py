"""What was given in the last turns and may be given again without looking it up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from winnow.assemble.parts import Parts
from winnow.assemble.window.topic import terms
from winnow.types.context import Context, Given
from winnow.types.shortlist import Candidate, Shortlist

if TYPE_CHECKING:
    from winnow.assemble.data import Quote

EXPIRES = 1800.0
"""Seconds after which what was given has to be looked up again: it may have changed."""
KEPT = 20
"""Pieces that are remembered, at most."""
SHARED = 0.5
"""Part of the question's terms that a piece must hold to be given again."""


def lately(given: Sequence[Given], parts: Parts) -> tuple[Shortlist, ...]:
    """What was given lately, still holds and bears on the question, by source; none that is found anyway."""
    found = {c.ref for shortlist in parts.found for c in shortlist.candidates}
    by_source: dict[str, list[Candidate]] = {}
    for one in fresh(given, parts.now):
        if one.candidate.ref not in found and _bears(one.candidate, parts.query or parts.question):
            by_source.setdefault(one.source, []).append(one.candidate)
    return tuple(Shortlist(source, tuple(again)) for source, again in by_source.items())


def fresh(given: Iterable[Given], now: float) -> tuple[Given, ...]:
    """What is not too old."""
    return tuple(one for one in given if 0 <= now - one.at <= EXPIRES)


def remembered(quotes: Sequence[Quote], before: Context | None, now: float) -> tuple[Given, ...]:
    """What is given now and what was lately, newest first, each once."""
    earlier = before.held.given if before and before.held else ()
    new = {quote.candidate.ref: Given(quote.source, quote.candidate, now) for quote in quotes}
    old = {one.candidate.ref: one for one in fresh(earlier, now) if one.candidate.ref not in new}
    return (*new.values(), *old.values())[:KEPT]


def _bears(candidate: Candidate, question: str) -> bool:
    """Whether it says something of what is asked."""
    asked = terms(question)
    told = candidate.data.get("text", "") if isinstance(candidate.data, dict) else candidate.data
    return bool(asked) and len(asked & terms(str(told or ""))) >= SHARED * len(asked)
