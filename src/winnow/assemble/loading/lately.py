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
"""Seconds after which what was looked up has to be looked up again, however often it was given since."""
KEPT = 30
"""Pieces that are remembered, at most."""
SHARED = 0.5
"""Part of the question's terms that a piece must hold to be given again."""


def lately(given: Sequence[Given], parts: Parts) -> tuple[Shortlist, ...]:
    """What is given again, by source; who keeps it from turn to turn asks first whether it still holds."""
    by_source: dict[str, list[Candidate]] = {}
    for one in again(given, parts):
        by_source.setdefault(one.source, []).append(one.candidate)
    return tuple(Shortlist(source, tuple(candidates)) for source, candidates in by_source.items())


def again(given: Sequence[Given], parts: Parts) -> tuple[Given, ...]:
    """What was found lately and bears on the question; none that is found anyway.

    Where detail is wanted, what was held back when something was last looked up bears on it, whatever the
    words.
    """
    last = max((one.at for one in given), default=0.0)
    near = (one for one in fresh(given, parts.now) if one.candidate.ref not in parts.refs)
    return tuple(one for one in near if _bears(one, parts, last))


def fresh(given: Iterable[Given], now: float) -> tuple[Given, ...]:
    """What is not too old."""
    return tuple(one for one in given if 0 <= now - one.at <= EXPIRES)


def remembered(told: Data, before: Context | None, parts: Parts) -> tuple[Given, ...]:
    """What is given and held back now and what was lately, each once, with when it was looked up."""
    earlier = before.held.given if before and before.held else ()
    since = {one.candidate.ref: one.at for one in earlier} | dict.fromkeys(parts.refs, parts.now)
    new = [
        Given(quote.source, quote.candidate, since[quote.candidate.ref], waits)
        for quotes, waits in ((told.quotes, False), (told.waiting, True))
        for quote in quotes
    ]
    refs = {one.candidate.ref for one in new}
    return (*new, *(one for one in fresh(earlier, parts.now) if one.candidate.ref not in refs))[:KEPT]


def _bears(one: Given, parts: Parts, last: float) -> bool:
    """Whether it says something of what is asked."""
    if parts.detail and one.waits and one.at == last:
        return True
    asked, data = terms(parts.query or parts.question), one.candidate.data
    told = data.get("text", "") if isinstance(data, dict) else data
    return bool(asked) and len(asked & terms(str(told or ""))) >= SHARED * len(asked)
