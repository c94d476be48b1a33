"""What may be meant where not every word is known: one single question, or which of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.decide.gate import ASKED
from winnow.decide.near import ABSENT
from winnow.decide.not_done import which_of
from winnow.decide.outcome import Deed, Outcome, danger_of
from winnow.decide.score import Scored, scored
from winnow.decide.situation import Situation
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import QueryIR
from winnow.types.verdict import Refusal

SURE_ENOUGH = "slip"
"""The way of finding a thing by which something dangerous may be asked about."""


def asked_first(
    query: QueryIR, refusal: Refusal, shortlist: HomeShortlist, situation: Situation
) -> Outcome | None:
    """In the place of a refusal of what the home does not have: the question that would help, if one would.

    Nothing is asked where a word beside those for the thing is not known either.
    """
    if not shortlist.weak or not _is_of_the_thing(query, refusal):
        return None
    rows = [s for s in _weak_rows(query, shortlist, situation) if not _is_too_weak(s, query)]
    if not rows or len(rows) > ASKED:
        return None
    if len(rows) > 1:
        return which_of(query, rows, situation)
    row = rows[0]
    assert row.fit.call is not None
    words = " ".join(t.text for t in query.tokens)
    deed = Deed(row.fit.call, row.fit.command, words, danger_of(row, query))
    return Outcome((deed,), done=query.tokens, meant=not situation.clarified)


def _weak_rows(query: QueryIR, shortlist: HomeShortlist, situation: Situation) -> Sequence[Scored]:
    """Those that can do it and can be reached."""
    only = replace(shortlist, candidates=shortlist.weak)
    rows = scored(query, only, situation.view, situation.snapshot, situation.habits)
    return [s for s in rows if s.able and s.online]


def _is_too_weak(row: Scored, query: QueryIR) -> bool:
    """What is dangerous is asked about by its name, said or nearly said."""
    return bool(danger_of(row, query)) and SURE_ENOUGH not in row.lanes


def _is_of_the_thing(query: QueryIR, refusal: Refusal) -> bool:
    """Whether all that stands against it is that words for the thing are not known."""
    called = {t.text for t in query.target.tokens}
    return refusal.code in {*ABSENT, "unplaced"} and set(query.unplaced) <= called
