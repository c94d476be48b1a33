"""What the words say of how many things are meant, before any device is looked at."""

from __future__ import annotations

from winnow.language.families import CLOSING, OPENING
from winnow.language.lexicon import type_words
from winnow.types.query import Quantifier, QueryIR, Token

FLOOR_TYPES = frozenset({"light", "fan", "window_cover", "curtain", "blind", "cover", "window", "vacuum"})
"""Bare words that mean every member of a floor."""
SET_TYPES = frozenset({"light"})
"""A bare word of these and a place mean every member there."""
SWITCHING = OPENING | CLOSING
"""Verbs that say nothing of what they are for: ``打开二楼`` asks."""
EACH = frozenset({"都", "全", "全都", "both"})
"""Words that spread over what was named, and are no amount of their own."""
NAMING = frozenset({"name", "nameword", "type"})


def is_set(query: QueryIR, area: str | None) -> bool:
    """Whether everything of a kind is meant: it is said, or a bare word means so in a place."""
    if query.quantifier in {Quantifier.ALL, Quantifier.EXCEPT} or names_a_group(query):
        return True
    kinds = FLOOR_TYPES if _has(query, "floor") else SET_TYPES
    if _bare_kind(query) not in kinds:
        return False
    # Whether it is clear where
    if any(t.kind == "room" and len(t.refs) > 1 and not t.data.get("joined") for t in query.target.tokens):
        return False
    return bool(query.scope_include) or area is not None


def names_a_group(query: QueryIR) -> bool:
    """Whether a set that the source defines was named: its name means each of its members."""
    return _has(query, "group")


def _bare_kind(query: QueryIR) -> str:
    """The kind that was said, when that is all and nothing here is called so."""
    things = [t for t in query.target.tokens if t.kind in NAMING or t.kind == "word"]
    if len(things) != 1 or things[0].kind != "type" or things[0].data.get("named"):
        return ""
    return str(things[0].data.get("is"))


def is_only_a_place(query: QueryIR) -> bool:
    """Whether a place was named and nothing in it: ``卧室调到26度``."""
    if not query.target.tokens or query.entity_mentions:
        return False
    return not _has(query, "word")


def is_a_whole_floor(query: QueryIR) -> bool:
    """Whether a floor or zone is told what to become, by a verb that says what it is for."""
    return (_has(query, "floor") or _has(query, "zone")) and query.action not in SWITCHING


def is_wide(query: QueryIR) -> bool:
    """Whether the word for what is meant means anything: ``everything``, ``电器``."""
    kinds = (str(t.data.get("is")) for t in query.target.tokens if t.kind == "type")
    return any(type_words()[kind].kinds == ("*",) for kind in kinds)


def says_all(query: QueryIR) -> bool:
    """Whether all of the kind are meant, wherever they are."""
    return any(t.data.get("is") == "all" for t in _quantifiers(query)) and not is_distributed(query)


def is_distributed(query: QueryIR) -> bool:
    """``A和B都``: both of them, not all of their kinds."""
    if not _quantifiers(query) or not only_spreads(query):
        return False
    own = {t.text for t in query.target.tokens}
    return any(t.kind in NAMING and t.text not in own for t in query.tokens)


def only_spreads(query: QueryIR) -> bool:
    """``窗帘都拉上``, ``close the blinds``: all of those spoken of; nothing says of the whole home."""
    return {t.text for t in _quantifiers(query)} <= EACH


def says_how_far(query: QueryIR) -> bool:
    """``客厅窗帘全开``: as far as it goes, when only ``全`` is said and where."""
    return {t.text for t in _quantifiers(query)} == {"全"} and bool(query.scope_include)


def is_one_in_a_room(query: QueryIR) -> bool:
    """``the light in the bedroom``: one kind in one room. Chinese tells no plural: it may be all."""
    kinds = [t for t in query.target.tokens if t.kind == "type"]
    if len(kinds) != 1 or query.quantifier is not Quantifier.ONE:
        return False
    return kinds[0].text.isascii() and not kinds[0].data.get("plural") and _has(query, "room")


def _quantifiers(query: QueryIR) -> list[Token]:
    return [t for t in query.tokens if t.kind == "quantifier"]


def _has(query: QueryIR, kind: str) -> bool:
    return any(t.kind == kind for t in query.target.tokens)
