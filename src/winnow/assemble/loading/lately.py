"""What was found in the last turns and may be given without looking it up again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from winnow.assemble.parts import Parts
from winnow.assemble.window.topic import terms
from winnow.types.context import Context, Given
from winnow.types.ref import Ref
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
    found, last = _refs(parts.found), max((one.at for one in given), default=0.0)
    near = (one for one in fresh(given, parts.now) if one.candidate.ref not in found)
    return tuple(one for one in near if _bears(one, parts, last))


def fresh(given: Iterable[Given], now: float) -> tuple[Given, ...]:
    """What is not too old."""
    return tuple(one for one in given if 0 <= now - one.at <= EXPIRES)


def remembered(told: Data, before: Context | None, parts: Parts) -> tuple[Given, ...]:
    """What is given and held back now and what was lately, each once, with when it was looked up."""
    earlier = before.held.given if before and before.held else ()
    found, since = _refs(parts.found), {one.candidate.ref: one.at for one in earlier}

    def at(ref: Ref) -> float:
        return parts.now if ref in found else since[ref]

    new = [Given(q.source, q.candidate, at(q.candidate.ref)) for q in told.quotes]
    new += [Given(q.source, q.candidate, at(q.candidate.ref), waits=True) for q in told.waiting]
    refs = {one.candidate.ref for one in new}
    return (*new, *(one for one in fresh(earlier, parts.now) if one.candidate.ref not in refs))[:KEPT]


def _refs(found: Iterable[Shortlist]) -> set[Ref]:
    return {candidate.ref for shortlist in found for candidate in shortlist.candidates}


def _bears(one: Given, parts: Parts, last: float) -> bool:
    """Whether it says something of what is asked."""
    if parts.detail and one.waits and one.at == last:
        return True
    asked, data = terms(parts.query or parts.question), one.candidate.data
    told = data.get("text", "") if isinstance(data, dict) else data
    return bool(asked) and len(asked & terms(str(told or ""))) >= SHARED * len(asked)
