"""A device is one thing: its parts are meant where something is said that the device itself is not."""

from __future__ import annotations

from winnow.decide.how_many import is_set, is_wide, names_a_group
from winnow.decide.score import Scored
from winnow.language.lexicon import type_words
from winnow.language.normalise import fold
from winnow.types.query import QueryIR
from winnow.types.view import HomeView

WHOLE = 0.99
"""Share of a name from which on all of it was said."""


def whole_things(query: QueryIR, rows: list[Scored], view: HomeView) -> list[Scored]:
    """The rows without the parts of devices that the words mean as well.

    A set counts the parts that are of its kind in their own right.
    """
    wholes = _wholes(rows, view)
    if not wholes or names_a_group(query):
        return rows
    # The kinds of a set whose parts are counted; no parts are, of one thing and of ``everything``
    if not is_set(query, None) or is_wide(query):
        kinds: frozenset[str] = frozenset()
    else:
        kinds = frozenset(kind for name in query.type_hint for kind in type_words()[name].kinds)
    return [s for s in rows if not _is_beside(s, wholes.get(s.device.part_of or ""), kinds)]


def _wholes(rows: list[Scored], view: HomeView) -> dict[str, Scored]:
    """Those that others are parts of and that can be told something themselves."""
    with_parts = {s.device.part_of for s in rows}
    meant = (s for s in rows if s.device.id in with_parts)
    return {s.device.id: s for s in meant if view.profile(s.device.id).commands}


def _is_beside(row: Scored, whole: Scored | None, kinds: frozenset[str]) -> bool:
    """Whether a row is but a part of a ``whole`` that is meant as well, and can be told something itself."""
    if whole is None or not kinds.isdisjoint(row.device.kinds[:1]):
        return False
    if whole.able:
        return True
    return row.features["exact"] < WHOLE and fold(row.device.name) != fold(whole.device.name)
