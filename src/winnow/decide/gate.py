"""Which of the scored devices are meant: one, a set, or too many to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.decide.everything import is_moved, is_of_rooms
from winnow.decide.how_many import (
    is_a_whole_floor,
    is_distributed,
    is_one_in_a_room,
    is_only_a_place,
    is_set,
    is_wide,
    names_a_group,
    only_spreads,
    says_all,
    says_how_far,
)
from winnow.decide.parts import whole_things
from winnow.decide.score import Scored, weights
from winnow.types.query import Quantifier, QueryIR
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView

EXACT = 0.99
"""Share of a name from which on all of it was said."""
ASKED = 5
"""Devices that all can be named in one question."""
COVERING = frozenset({"curtain", "blind", "shade", "cover", "awning"})
LIGHTING = frozenset({"Brightness", "Color", "ColorTemperature", "Effect"})


@dataclass(frozen=True, slots=True)
class Gated:
    """What passes: devices to act on, devices to ask about, or why nothing does."""

    chosen: tuple[Scored, ...] = ()
    tied: tuple[Scored, ...] = ()
    refusal: Refusal | None = None
    uncovered: tuple[Scored, ...] = ()
    bulk: bool = False
    spared: tuple[Scored, ...] = ()
    """Members of a set that could be moved and are not: named, and no fault of theirs."""


def gate(query: QueryIR, rows: Sequence[Scored], view: HomeView, area: str | None) -> Gated:
    """Decide who is meant. Only devices that explain every word of the mention may be acted on (law 1)."""
    whole = [s for s in rows if not s.unexplained and is_of_rooms(query, s)]
    if not whole:
        return Gated(refusal=_nobody(query, rows))
    whole = _here(query, whole_things(query, whole, view), area)
    if query.quantifier is Quantifier.ANY:
        return _whichever(query, whole)
    if is_only_a_place(query):
        return _of_a_place(query, whole)
    if query.count is not None:
        return _counted(query.count, whole, area)
    if is_set(query, area):
        return _set(query, whole, view)
    return _unmistaken(query, _single(query, whole), area)


def _nobody(query: QueryIR, rows: Sequence[Scored]) -> Refusal:
    """The home has no such place, or no such thing in it."""
    for token in query.target.tokens:
        if token.kind in {"room", "floor"} and not token.refs and not token.data.get("named"):
            return Refusal(f"no_{token.kind}", {"what": token.text})
    what = query.target.text
    near = tuple(s.device.id for s in rows[:3])
    return Refusal("no_device" if what else "not_understood", {"what": what}, near)


def _here(query: QueryIR, whole: list[Scored], area: str | None) -> list[Scored]:
    """The speaker's room wins when the sentence names no place and does not say all.

    Before it a room spoken of beside: ``客厅灯打开，窗帘都拉上``.
    """
    rooms = () if query.scope_include else _rooms_meant(query, area)
    return [s for s in whole if s.device.room_id in rooms] or whole


def _rooms_meant(query: QueryIR, area: str | None) -> Sequence[str]:
    """The rooms that go without saying."""
    if query.scope_said and only_spreads(query):
        return query.scope_said
    return () if area is None or says_all(query) or names_a_group(query) else (area,)


# one thing


def _single(query: QueryIR, whole: Sequence[Scored]) -> Gated:
    """The best by a clear lead, the one in a room that was said, or a question."""
    best = _best(whole)
    able = [s for s in best if s.able]
    if not able:
        return _whoever_can(query, whole) or _unable(best)
    present = _reachable(able)
    if len(present) == 1 or whole[0].score - present[1].score > weights()["epsilon"]:
        return _reached(present[0])
    said = [s for s in present if s.device.room_id in query.scope_said]
    return Gated(chosen=tuple(said)) if len(said) == 1 else _in_question(whole, present)


def _unmistaken(query: QueryIR, gated: Gated, area: str | None) -> Gated:
    """Another make than was said is meant only in a place that was said, or by who stands beside it.

    Of more than a question holds none is: a home with thirty lamps and no chandelier has no chandelier.
    """
    if query.scope_include:
        return gated
    # Whether more than a question holds come near the make that was said, and none is of it
    if len(gated.tied) > ASKED and area is None and all(s.features["loose"] for s in gated.tied):
        return Gated(refusal=_nobody(query, gated.tied))
    if not any(s.features["loose"] and (area is None or s.device.room_id != area) for s in gated.chosen):
        return gated
    return Gated(refusal=_nobody(query, gated.chosen))


def _best(whole: Sequence[Scored]) -> list[Scored]:
    """Those that the words do not put behind the first."""
    least = _rank(whole[0]) - weights()["epsilon"]
    return [s for s in whole if _rank(s) >= least]


def _rank(row: Scored) -> float:
    """The score without what the device can do: ability never outweighs a name."""
    table = weights()
    return row.score - table["able"] * row.features["able"] - table["trait"] * row.features["trait"]


def _reachable(able: list[Scored]) -> list[Scored]:
    """What cannot be reached is no rival of what can."""
    return [s for s in able if s.online] or able


def _reached(row: Scored) -> Gated:
    if row.online:
        return Gated(chosen=(row,))
    return Gated(refusal=Refusal("unavailable", {"name": row.device.name}, (row.device.id,)))


def _in_question(whole: Sequence[Scored], tied: Sequence[Scored]) -> Gated:
    """All that can do it while one question holds them, else those that are tied."""
    able = tuple(s for s in whole if s.able)
    return Gated(tied=able if len(able) <= ASKED else tuple(tied))


def _whoever_can(query: QueryIR, whole: Sequence[Scored]) -> Gated | None:
    """Where nothing was named, what can do it is meant."""
    able = tuple(s for s in whole if s.able)
    if query.entity_mentions or not able:
        return None
    return Gated(chosen=able) if len(able) == 1 else Gated(tied=able)


def _unable(rows: Sequence[Scored]) -> Gated:
    """What stands against the likeliest, said of all of them."""
    first = rows[0].fit.refusal or Refusal("no_ability", {"name": rows[0].device.name})
    return Gated(refusal=Refusal(first.code, first.facts, tuple(s.device.id for s in rows[:5])))


# some of many


def _whichever(query: QueryIR, whole: Sequence[Scored]) -> Gated:
    """``随便开一个``: the first that can do it, as many as were said."""
    able = tuple(s for s in _members(whole) if s.able and s.online)
    if not able:
        return _whoever_can(query, whole) or _unable(whole)
    many = query.count or 1
    if query.entity_mentions and len(able) >= many:
        return Gated(chosen=able[:many])
    return Gated(tied=able)


def _counted(count: int, whole: Sequence[Scored], area: str | None) -> Gated:
    """``三盏灯``: as many as there are, or which of them is asked."""
    able = _members([s for s in whole if s.able])
    if not able:
        return _unable(whole)
    here = [s for s in able if s.device.room_id == area] if area else []
    meant = tuple(here if here and len(here) == count else able)
    return Gated(chosen=meant, bulk=count > 1) if len(meant) == count else Gated(tied=meant)


# all of a kind


def _set(query: QueryIR, whole: Sequence[Scored], view: HomeView) -> Gated:
    """Every member that can do it; who cannot is told."""
    members = _members(_narrowed(query, whole))
    able = tuple(s for s in members if s.able)
    if not able:
        return _unable(members)
    if is_wide(query):
        return _everything(query, members, able, view)
    return Gated(chosen=able, uncovered=tuple(s for s in members if not s.able), bulk=True)


def _everything(query: QueryIR, members: Sequence[Scored], able: tuple[Scored, ...], view: HomeView) -> Gated:
    """What may be moved in passing. What cannot do anything at all is not missed."""
    moved = tuple(s for s in able if is_moved(query, s))
    if not moved:
        return Gated(tied=able)
    spared = [s for s in _without(members, moved) if view.profile(s.device.id).commands]
    return Gated(chosen=moved, bulk=True, spared=tuple(spared))


def _of_a_place(query: QueryIR, whole: Sequence[Scored]) -> Gated:
    """Only a place was named: the devices there whose command stands first in the cluster.

    Every lamp for light.
    """
    members = _members([s for s in whole if s.able])
    meant = _nearest(query, members)
    if not meant:
        return _unable(whole)
    if len(meant) > 1 and not _is_of_all(query, meant[0]):
        return Gated(tied=meant)
    # only who says "all" is told what was left alone
    spared = _without(members, meant) if query.quantifier is Quantifier.ALL else ()
    return Gated(chosen=meant, bulk=len(meant) > 1, spared=spared)


def _nearest(query: QueryIR, members: Sequence[Scored]) -> tuple[Scored, ...]:
    """Those whose command is closest to what was said, of the kind that the property is preferred of."""
    if query.quantifier is not Quantifier.ONE:
        members = [s for s in members if is_moved(query, s)]
    liked = [s for s in members if s.features["preferred"]] or members
    rank = min((s.fit.rank for s in liked), default=0)
    return tuple(s for s in liked if s.fit.rank == rank)


def _is_of_all(query: QueryIR, first: Scored) -> bool:
    """Whether what is done to a place is done to all of these: it is said, or it is light."""
    if query.quantifier is Quantifier.ALL or is_a_whole_floor(query):
        return True
    return first.fit.command is not None and first.fit.command.trait.split(".")[0] in LIGHTING


def _members(whole: Sequence[Scored]) -> Sequence[Scored]:
    """Members of a set: registered in the place, of the proper kind.

    Names and next of kin only where there are none.
    """
    placed = [s for s in whole if s.features["registered"]] or whole
    return [s for s in placed if not s.features["kin"]] or placed


def _without(members: Sequence[Scored], some: Sequence[Scored]) -> tuple[Scored, ...]:
    ids = {s.device.id for s in some}
    return tuple(s for s in members if s.device.id not in ids)


# one thing in the words for a set


def _narrowed(query: QueryIR, whole: Sequence[Scored]) -> Sequence[Scored]:
    """Words for a set that mean one thing all the same, because exactly one thing is called so."""
    if is_distributed(query) and not query.excluded:
        whole = _only(_named(whole), whole)
    if says_how_far(query):
        whole = _only([s for s in _named(whole) if not COVERING.isdisjoint(s.device.kinds)], whole)
    if is_one_in_a_room(query):
        whole = _only([s for s in whole if s.features["exact"] > EXACT], whole)
    return whole


def _only(found: Sequence[Scored], whole: Sequence[Scored]) -> Sequence[Scored]:
    """The one that was found, if it is one."""
    return found if len(found) == 1 else whole


def _named(rows: Sequence[Scored]) -> list[Scored]:
    return [s for s in rows if s.features["named"]]
