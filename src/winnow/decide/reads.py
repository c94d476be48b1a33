"""Questions about the home: which devices answer, and by which of their attributes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from winnow.decide.answers import AnswerRow, StateQuestion, bare_type, rows_of
from winnow.language.lexicon import quantities, surfaces, type_words
from winnow.types.candidate import HomeShortlist
from winnow.types.home import HomeView
from winnow.types.query import PLACE_KINDS, Quantifier, QueryIR, Token, has_kind, of_kind, without_kind
from winnow.types.state import Snapshot
from winnow.types.verdict import Read

PLUGS = frozenset({"plug", "switch"})
NAMING = frozenset({"name", "nameword", "type", "group", "word"})
"""Kinds of words that may name what is asked about."""
TIES = 8
"""Equal devices read for a question about one; more are nobody's answer."""


def reads_for(query: QueryIR, shortlist: HomeShortlist, view: HomeView, snapshot: Snapshot) -> list[Read]:
    """What to read to answer ``query``: one device for a fact, the whole set for counting.

    Empty when nothing in the home can tell.
    """
    quantity = quantities().get(query.property or "state", quantities()["state"])
    question = StateQuestion(query, quantity, view)
    rows = [replace(r, online=snapshot.online(r.device.id)) for r in rows_of(question, shortlist)]
    if not rows:
        return []
    if quantity.only:
        rows = [r for r in rows if not set(quantity.only).isdisjoint(r.device.kinds)] or rows
    rows = _likeliest(_best_told(_proper(rows, query), query), question)
    return [Read(r.device.id, r.attribute.id) for r in _intended_rows(rows, question)]


def _likeliest(rows: list[AnswerRow], question: StateQuestion) -> list[AnswerRow]:
    """Those of the kinds that answer first. Of air they are chosen room by room, the speaker's before all."""
    if not question.quantity.ambient:
        return _of_kind(rows, _kinds_first(question))
    if not _of_somewhere(question):
        return rows
    first = _of_kind(_here(rows) or rows, _kinds_first(question))
    # The sensors in the rooms of what answers first: a thermometer knows its room better than an aircon.
    rooms, kinds = {r.device.room_id for r in first} - {None}, set(question.quantity.prefer)
    beside = [r for r in rows if r.device.room_id in rooms and not kinds.isdisjoint(r.device.kinds)]
    return beside or first


def properties() -> frozenset[str]:
    """Every property a question can name."""
    return frozenset(surfaces("property").values()) | frozenset(quantities())


# which rows tell it best


def _proper(rows: list[AnswerRow], query: QueryIR) -> list[AnswerRow]:
    """Where kinds alone are named, the devices of those kinds with what stands for others of them."""
    kinds = _kinds_alone(rows, query)
    # The devices of the kinds that explain the words best; else all but the next of kin
    best = max(r.fit for r in rows)
    same = [r for r in rows if not kinds.isdisjoint(r.device.kinds)]
    proper = [r for r in same if r.fit >= best] or [r for r in same if not r.kin]
    return [*proper, *_standing_for(proper, rows, kinds)] if proper else rows


def _kinds_alone(rows: Sequence[AnswerRow], query: QueryIR) -> frozenset[str]:
    """The kinds that were named, if nothing else was and not all kinds are meant."""
    things = without_kind(query.target.tokens, *PLACE_KINDS)
    if not _bare(things, rows, query.quantifier is not Quantifier.ONE):
        return frozenset()
    kinds = frozenset(k for t in things for k in type_words()[str(t.data.get("is"))].kinds)
    return frozenset() if "*" in kinds else kinds


def _standing_for(
    proper: Sequence[AnswerRow], rows: Sequence[AnswerRow], kinds: frozenset[str]
) -> list[AnswerRow]:
    """The devices of other kinds that tell of these, and bear no name of theirs.

    The contact on a window stands for it, as does the plug that carries a lamp.
    """
    best, names = max(r.fit for r in rows), {r.device.name for r in proper}
    out = []
    for row in rows:
        carries = "light" in kinds and not PLUGS.isdisjoint(row.device.kinds[:1])
        if row.fit >= best and row.device.name not in names:
            out.extend([row] * ("contact_sensor" in row.device.kinds or carries))
    return out


def _best_told(rows: Sequence[AnswerRow], query: QueryIR) -> list[AnswerRow]:
    """Those that tell the very thing asked.

    Yes-or-no sensors for a yes-or-no question, measuring ones for an amount.
    """
    best = min(r.tier for r in rows)
    found = [r for r in rows if r.tier == best]
    fitting = [r for r in found if bool(r.attribute.unit) != query.yes_no]
    return fitting or found


def _kinds_first(question: StateQuestion) -> tuple[str, ...]:
    """The kinds that answer first, of a question without a place maybe others."""
    unplaced = question.quantity.unplaced if _of_somewhere(question) else ()
    return unplaced or question.quantity.prefer


def _of_kind(rows: list[AnswerRow], kinds: Iterable[str]) -> list[AnswerRow]:
    for kind in kinds:
        if found := [r for r in rows if kind in r.device.kinds]:
            return found
    return rows


# which of them are meant


def _intended_rows(rows: list[AnswerRow], question: StateQuestion) -> list[AnswerRow]:
    query = question.query
    if not query.property and not query.entity_mentions:
        return []
    things = of_kind(query.target.tokens, *NAMING)
    if not things:
        return _of_place(rows, question)
    if has_kind(things, "group"):
        return rows
    # The words mean a set: kinds alone, a plural, or all of what has no name of its own.
    whole = query.quantifier in {Quantifier.ALL, Quantifier.EXCEPT}
    kinds = _bare(things, rows, whole) or any(t.data.get("plural") for t in things)
    several = kinds or (whole and not has_kind(things, "name"))
    return _members(rows, query) if several else _one(rows)


def _bare(things: Iterable[Token], rows: Sequence[AnswerRow], whole: bool) -> bool:
    return all(bare_type(t, rows, whole) for t in things)


def _members(rows: list[AnswerRow], query: QueryIR) -> list[AnswerRow]:
    """The set; for a bare ``the fan`` that of the speaker's room."""
    there = _registered_rows(rows)
    best = max(r.fit for r in there)
    found = [r for r in there if r.fit >= best]
    if query.quantifier is Quantifier.ONE and not query.scope_include:
        found = _here(found) or found
    return sorted(found, key=lambda r: r.device.id)


def _of_place(rows: list[AnswerRow], question: StateQuestion) -> list[AnswerRow]:
    """A place alone: what is measured there by one sensor a room, else all that tells it there."""
    there, somewhere = _registered_rows(rows), _of_somewhere(question)
    if not question.quantity.ambient:
        return sorted(there, key=lambda r: r.device.id) if not somewhere or len(there) <= TIES else []
    if not has_kind(question.query.target.tokens, "room"):
        there = [r for r in there if not r.outdoor] or there
    return _one_a_room(there, question.quantity.prefer)


def _of_somewhere(question: StateQuestion) -> bool:
    """Whether no place was named, and not every place is meant."""
    return question.anywhere and question.query.quantifier is not Quantifier.ALL


def _one_a_room(rows: Iterable[AnswerRow], kinds: Sequence[str]) -> list[AnswerRow]:
    rooms: dict[str, list[AnswerRow]] = {}
    for row in rows:
        rooms.setdefault(row.device.room_id or "", []).append(row)
    return [row for found in rooms.values() for row in _one(_of_kind(found, kinds))[:1]]


def _one(rows: list[AnswerRow]) -> list[AnswerRow]:
    """The one whose name leaves least unsaid; several only when they are alike."""
    first = min(rows, key=_order)
    alike = [r for r in rows if _order(r)[:-1] == _order(first)[:-1]]
    return alike if len(alike) <= TIES else []


def _order(row: AnswerRow) -> tuple[bool, bool, int, str]:
    return (not row.named, not row.online, row.unsaid, row.device.id)


def _registered_rows(rows: list[AnswerRow]) -> list[AnswerRow]:
    """Those registered in the place said, if any are."""
    return [r for r in rows if r.registered] or rows


def _here(rows: Iterable[AnswerRow]) -> list[AnswerRow]:
    """Those in the speaker's room."""
    return [r for r in rows if r.here]
