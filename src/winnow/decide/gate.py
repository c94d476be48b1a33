"""Which of the scored devices are meant: one, a set, or too many to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.decide.score import Scored, weights
from winnow.language.families import CLOSING, OPENING, SWITCHING_OFF, SWITCHING_ON
from winnow.language.lexicon import clusters, type_words
from winnow.language.normalise import is_han, normalise
from winnow.types.catalog import Device
from winnow.types.query import Quantifier, QueryIR
from winnow.types.verdict import Option, Refusal
from winnow.types.view import HomeView

FLOOR_TYPES = frozenset({"light", "fan", "window_cover", "curtain", "blind", "cover", "window", "vacuum"})
"""Bare words that mean every member of a floor."""
SET_TYPES = frozenset({"light"})
"""A bare word of these and a place mean every member there."""


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
    everywhere: bool = False
    """Whether everything in the whole home is to be switched, which is asked about first."""
    acts: tuple[Option, ...] = ()
    """What the set may be meant to do, when its members would do different things."""


def gate(query: QueryIR, rows: Sequence[Scored], view: HomeView, area: str | None) -> Gated:
    """Decide who is meant. Only devices that explain every word of the mention may be acted on (law 1)."""
    whole = [s for s in rows if not s.unexplained]
    if not whole:
        return Gated(refusal=_nobody(query, rows))
    whole = _here(query, whole, area)
    if query.quantifier is Quantifier.ANY:
        return _whichever(query, whole)
    if (
        query.target.tokens
        and not query.entity_mentions
        and not any(t.kind == "word" for t in query.target.tokens)
    ):
        return _placed(query, whole)
    if query.count is not None:
        return _counted(query, whole, area)
    if _is_set(query, area):
        return _set(query, whole, view)
    return _single(query, whole)


def _whichever(query: QueryIR, whole: Sequence[Scored]) -> Gated:
    """``随便开一个``: the first that can do it, as many as were said."""
    able = [s for s in _members(whole) if s.able and s.online]
    named = query.entity_mentions and len(able) >= (query.count or 1)
    return (
        Gated(chosen=tuple(able[: query.count or 1]))
        if named
        else Gated(tied=tuple(able))
        if able
        else _unable(query, whole, whole)
    )


def _single(query: QueryIR, whole: Sequence[Scored]) -> Gated:
    """The best by a clear lead, the one in a room that was said, or a question."""
    best = [s for s in whole if _rank(s) >= _rank(whole[0]) - weights()["epsilon"]]
    able = [s for s in best if s.able]
    if not able:
        return _unable(query, best, whole)
    present = [s for s in able if s.online] or able
    if len(present) == 1 or whole[0].score - present[1].score > weights()["epsilon"]:
        if not present[0].online:
            return Gated(
                refusal=Refusal("unavailable", {"name": present[0].device.name}, (present[0].device.id,))
            )
        return Gated(chosen=(present[0],))
    said = [s for s in present if s.device.room_id in query.scope_said]
    if len(said) == 1:
        return Gated(chosen=(said[0],))
    everyone = [s for s in whole if s.able]
    return Gated(tied=tuple(everyone if len(everyone) <= 5 else present))


EXACT = 0.99
"""Share of a name from which on all of it was said."""
APPLIANCE = frozenset({"Switch", "FanSpeed", "Mode", "Playback", "Run", "Vacuum", "Brightness"})
"""What ``everything`` and ``电器`` may do: no door, shade, lock or valve moves on such a word."""
MOVED = {
    "on": APPLIANCE - {"Vacuum", "Run"}, "open": frozenset[str](), "close": frozenset({"Cover", "Door"}), "lock": frozenset({"Lock"}),
    "unlock": frozenset({"Lock"}), "mute": frozenset({"Mute"}), "pause": frozenset({"Playback"}), "resume": frozenset({"Playback"}),
}  # fmt: skip
"""The same for verbs that mean less: nothing drives off, closing switches nothing, and opening everything is
asked about."""
WIDELY = SWITCHING_ON | SWITCHING_OFF | {"toggle"}
"""Verbs that are asked about before the whole home does them."""
NAMING = frozenset({"name", "nameword", "type"})
COVERING = frozenset({"curtain", "blind", "shade", "cover", "awning"})
SWITCHING = OPENING | CLOSING
"""Verbs that say nothing of what they are for: ``打开二楼`` asks."""
LIGHTING = ("Brightness", "Color", "ColorTemperature", "Effect")


def _here(query: QueryIR, whole: list[Scored], area: str | None) -> list[Scored]:
    """The speaker's room wins when the sentence names no place and does not say all."""
    all_said = "all" in {
        str(t.data.get("is")) for t in query.tokens if t.kind == "quantifier"
    } and not _distributed(query)
    if area is None or query.scope_include or all_said:
        return whole
    return [s for s in whole if s.device.room_id == area] or whole


def _members(whole: Sequence[Scored]) -> list[Scored]:
    """Members of a set: registered in the place, of the proper kind.

    Names and next of kin only where there are none.
    """
    out = [s for s in whole if s.features["registered"]] or list(whole)
    return [s for s in out if not s.features["kin"]] or out


def _placed(query: QueryIR, whole: Sequence[Scored]) -> Gated:
    """Only a place was named: the devices there whose command stands first in the cluster.

    Every lamp for light.
    """
    members = _members([s for s in whole if s.able])
    able = [s for s in members if query.quantifier is Quantifier.ONE or _appliance(query, s)]
    liked = [s for s in able if s.features["preferred"]] or able
    rank = min((s.fit.rank for s in liked), default=0)
    first = [s for s in liked if s.fit.rank == rank]
    if not first:
        return _unable(query, whole, [])
    trait = first[0].fit.command.trait.split(".")[0] if first[0].fit.command else ""
    floor = any(t.kind in {"floor", "zone"} for t in query.target.tokens) and query.action not in SWITCHING
    if len(first) == 1 or trait in LIGHTING or query.quantifier is Quantifier.ALL or floor:
        spared = [s for s in members if s not in first and query.quantifier is Quantifier.ALL]
        return Gated(chosen=tuple(first), bulk=len(first) > 1, spared=tuple(spared))
    return Gated(tied=tuple(first))


def _counted(query: QueryIR, whole: Sequence[Scored], area: str | None) -> Gated:
    """``三盏灯``: as many as there are, or which of them is asked."""
    able = _members([s for s in whole if s.able])
    here = [s for s in able if s.device.room_id == area]
    able = here if area and len(here) == query.count else able
    if not able:
        return _unable(query, whole, whole)
    return (
        Gated(chosen=tuple(able), bulk=len(able) > 1) if len(able) == query.count else Gated(tied=tuple(able))
    )


def _rank(row: Scored) -> float:
    """The score without what the device can do: ability never outweighs a name."""
    table = weights()
    return row.score - table["able"] * row.features["able"] - table["trait"] * row.features["trait"]


def _unable(query: QueryIR, best: Sequence[Scored], whole: Sequence[Scored]) -> Gated:
    if not query.entity_mentions:
        able = [s for s in whole if s.able]
        if len(able) == 1:
            return Gated(chosen=(able[0],))
        if able:
            return Gated(tied=tuple(able))
    first = best[0].fit.refusal or Refusal("no_ability", {"name": best[0].device.name})
    return Gated(refusal=Refusal(first.code, first.facts, tuple(s.device.id for s in best[:5])))


def _is_set(query: QueryIR, area: str | None) -> bool:
    if query.quantifier in {Quantifier.ALL, Quantifier.EXCEPT}:
        return True
    things = [t for t in query.target.tokens if t.kind in {"type", "name", "nameword", "word"}]
    if len(things) != 1 or things[0].kind != "type" or things[0].data.get("named"):
        return False
    floor = any(t.kind == "floor" for t in query.target.tokens)
    bare = str(things[0].data.get("is")) in (FLOOR_TYPES if floor else SET_TYPES)
    rooms = [t for t in query.target.tokens if t.kind == "room"]
    if any(len(t.refs) > 1 and not t.data.get("joined") for t in rooms):
        return False  # which of the bedrooms?
    placed = bool(query.scope_include) or area is not None
    return bare and placed


def _distributed(query: QueryIR) -> bool:
    """``A和B都``: both of them, not all of their kinds."""
    quantifiers = {t.text for t in query.tokens if t.kind == "quantifier"}
    own = {t.text for t in query.target.tokens}
    others = any(t.kind in NAMING and t.text not in own for t in query.tokens)
    return bool(quantifiers) and quantifiers <= {"都", "全", "全都", "both"} and others


def _fully(query: QueryIR, whole: Sequence[Scored]) -> Sequence[Scored]:
    """``窗帘全开`` of one shade named so in its room means how far, not how many."""
    quantifiers = {t.text for t in query.tokens if t.kind == "quantifier"}
    if (
        _distributed(query)
        and not query.excluded
        and len(exact := [s for s in whole if s.features["named"]]) == 1
    ):
        return exact
    named = [s for s in whole if s.features["named"] and set(s.device.kinds) & COVERING]
    return named if quantifiers == {"全"} and len(named) == 1 and query.scope_include else whole


def _named_after_its_room(query: QueryIR, whole: Sequence[Scored]) -> Sequence[Scored]:
    """``the light in the bedroom``: the bedroom light, when only one of them is called that."""
    things = [t for t in query.target.tokens if t.kind == "type"]
    one = (
        len(things) == 1
        and things[0].text.isascii()
        and not things[0].data.get("plural")
        and query.quantifier is Quantifier.ONE
    )
    exact = (
        [s for s in whole if s.features["exact"] > EXACT]
        if one and any(t.kind == "room" for t in query.target.tokens)
        else []
    )
    return exact if len(exact) == 1 else whole


def _set(query: QueryIR, whole: Sequence[Scored], view: HomeView) -> Gated:
    whole = _named_after_its_room(query, _fully(query, whole))
    types = [t for t in query.target.tokens if t.kind == "type"]
    wide = any(type_words()[str(t.data.get("is"))].kinds == ("*",) for t in types)
    whole = _members(whole)
    able = [s for s in whole if s.able]
    if not able:
        return _unable(query, whole, whole)
    chosen = [s for s in able if not wide or _appliance(query, s)]
    uncovered = () if wide else tuple(s for s in whole if not s.able)
    spared = [s for s in whole if wide and s not in chosen and view.profile(s.device.id).commands]
    if not chosen:
        return Gated(tied=tuple(able))
    unplaced = wide and query.action in WIDELY and not query.scope_include
    return Gated(
        chosen=tuple(chosen), uncovered=uncovered, bulk=True, spared=tuple(spared), everywhere=unplaced
    )


def _appliance(query: QueryIR, row: Scored) -> bool:
    """Whether ``everything`` may mean it: a value says what is set, a bare verb does not.

    What has to go on is never switched off so.
    """
    command = row.fit.command
    if query.action in SWITCHING_OFF and _runs_on(row.device):
        return False
    return command is not None and (
        query.value is not None or command.trait.split(".")[0] in MOVED.get(query.action, APPLIANCE)
    )


def _runs_on(device: Device) -> bool:
    """Whether switching it off in passing does harm: a freezer, a fish tank, the router."""
    kept = clusters()["running_on"]
    names = [f" {normalise(name)} " for name in (device.name, *device.aliases)]
    spoken = any(
        (word if is_han(word[0]) else f" {word} ") in name for word in kept["words"] for name in names
    )
    return spoken or bool(set(kept["kinds"]) & set(device.kinds))


def _nobody(query: QueryIR, rows: Sequence[Scored]) -> Refusal:
    for token in query.target.tokens:
        if token.kind in {"room", "floor"} and not token.refs and not token.data.get("named"):
            return Refusal("no_room" if token.kind == "room" else "no_floor", {"what": token.text})
    what = query.target.text
    near = tuple(s.device.id for s in rows[:3])
    return Refusal("no_device" if what else "not_understood", {"what": what}, near)
