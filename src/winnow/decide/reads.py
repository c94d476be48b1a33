"""Questions about the home: which devices answer, and by which of their attributes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from winnow.decide.read_rows import Row, bare_type, rows_of
from winnow.language.lexicon import Quantity, quantities, surfaces, type_words
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import Quantifier, QueryIR
from winnow.types.state import Snapshot
from winnow.types.verdict import Read
from winnow.types.view import HomeView

PLUGS = frozenset({"plug", "switch"})
TIES = 8
"""Equal devices read for a question about one; more are nobody's answer."""


def reads_for(query: QueryIR, shortlist: HomeShortlist, view: HomeView, snapshot: Snapshot) -> list[Read]:
    """What to read to answer ``query``: one device for a fact, the whole set for counting.

    Empty when nothing in the home can tell.
    """
    quantity = quantities().get(query.property or "state", quantities()["state"])
    found = rows_of(query, quantity, shortlist, view)
    rows = [replace(r, online=snapshot.online(r.device.id)) for r in found]
    if not rows:
        return []
    if quantity.only:
        rows = [r for r in rows if set(quantity.only) & set(r.device.kinds)] or rows
    rows = _of_kind(_best_told(_proper(rows, query), query), _kinds_first(query, quantity))
    return [Read(r.device.id, r.attribute.id) for r in _meant(rows, query, quantity)]


def properties() -> frozenset[str]:
    """Every property a question can name."""
    return frozenset(surfaces("property").values()) | frozenset(quantities())


def _best_told(rows: Sequence[Row], query: QueryIR) -> list[Row]:
    """Those that tell the very thing asked.

    Yes-or-no sensors for a yes-or-no question, measuring ones for an amount.
    """
    best = min(r.tier for r in rows)
    found = [r for r in rows if r.tier == best]
    fitting = [r for r in found if bool(r.attribute.unit) != query.yes_no]
    return fitting or found


def _kinds_first(query: QueryIR, quantity: Quantity) -> tuple[str, ...]:
    anywhere = not any(t.text for t in query.target.tokens) and query.quantifier is not Quantifier.ALL
    return (quantity.unplaced if anywhere else ()) or quantity.prefer


def _of_kind(rows: list[Row], kinds: Iterable[str]) -> list[Row]:
    for kind in kinds:
        if found := [r for r in rows if kind in r.device.kinds]:
            return found
    return rows


def _meant(rows: list[Row], query: QueryIR, quantity: Quantity) -> list[Row]:
    if not query.property and not query.entity_mentions:
        return []
    things = [t for t in query.target.tokens if t.kind in {"name", "nameword", "type", "group", "word"}]
    if not things:
        return _of_place(rows, query, quantity)
    whole = query.quantifier in {Quantifier.ALL, Quantifier.EXCEPT}
    if all(bare_type(t, rows, whole) for t in things):
        return _members(rows, query)
    if any(t.kind == "group" for t in things):
        return rows
    plural = any(t.data.get("plural") for t in things) or (
        whole and not any(t.kind == "name" for t in things)
    )
    return _members(rows, query) if plural else _one(rows)


def _proper(rows: list[Row], query: QueryIR) -> list[Row]:
    """Where kinds alone are named.

    The devices of that kind, contact sensors on its doors and windows, plugs that carry its lamps.
    """
    things = [t for t in query.target.tokens if t.kind not in {"room", "floor", "zone"}]
    kinds = {k for t in things if t.kind == "type" for k in type_words()[str(t.data.get("is"))].kinds}
    whole = query.quantifier is not Quantifier.ONE
    if not things or "*" in kinds or not all(bare_type(t, rows, whole) for t in things):
        return rows
    best = max(r.fit for r in rows)
    same = [r for r in rows if kinds & set(r.device.kinds)]
    proper = [r for r in same if r.fit >= best] or [r for r in same if not r.kin]
    names = {r.device.name for r in proper}
    extra = [r for r in rows if r not in proper and r.device.name not in names and r.fit >= best]
    named = [
        r
        for r in extra
        if "contact_sensor" in r.device.kinds or ("light" in kinds and set(r.device.kinds[:1]) & PLUGS)
    ]
    return [*proper, *named] if proper else rows


def _members(rows: list[Row], query: QueryIR) -> list[Row]:
    """The set; for a bare ``the fan`` that of the speaker's room."""
    rows = [r for r in rows if r.registered] or rows
    best = max(r.fit for r in rows)
    rows = [r for r in rows if r.fit >= best]
    if query.quantifier is Quantifier.ONE and not query.scope_include:
        rows = [r for r in rows if r.here] or rows
    return sorted(rows, key=lambda r: r.device.id)


def _of_place(rows: list[Row], query: QueryIR, quantity: Quantity) -> list[Row]:
    """A place alone: what is measured there by one sensor a room, else all that tells it there."""
    rows = [r for r in rows if r.registered] or rows
    anywhere = not any(t.text for t in query.target.tokens)
    if not quantity.ambient:
        some = query.quantifier is not Quantifier.ALL and anywhere
        return sorted(rows, key=lambda r: r.device.id) if not some or len(rows) <= TIES else []
    if anywhere and query.quantifier is not Quantifier.ALL:
        rows = [r for r in rows if r.here] or [r for r in rows if not r.outdoor] or rows
        if found := _one(rows):
            return found
    rooms: dict[str, list[Row]] = {}
    for row in rows:
        rooms.setdefault(row.device.room_id or "", []).append(row)
    return [row for found in rooms.values() for row in _one(found)[:1]]


def _one(rows: list[Row]) -> list[Row]:
    """The one whose name leaves least unsaid; several only when they are alike."""
    first = min(rows, key=_order)
    alike = [r for r in rows if _order(r)[:-1] == _order(first)[:-1]]
    return alike if len(alike) <= TIES else []


def _order(row: Row) -> tuple[bool, bool, int, str]:
    return (not row.named, not row.online, row.unsaid, row.device.id)
