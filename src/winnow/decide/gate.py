"""Which of the scored devices are meant: one, a set, or too many to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.act.effects.thing import effects
from winnow.decide.fit import HEARD
from winnow.decide.score import Scored, weights
from winnow.language.content_words import CLOSING, OPENING, SWITCHING_OFF, SWITCHING_ON
from winnow.language.lexicon import clusters, type_words
from winnow.language.normalize import fold, is_han, normalise
from winnow.types.home import Device, HomeView, Scalar
from winnow.types.query import PLACE_KINDS, Quantifier, QueryIR, Token
from winnow.types.state import Snapshot
from winnow.types.verdict import Refusal

# What the words say of how many things are meant, before any device is looked at.


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


# What may be moved on a word like ``everything``, or on the name of a place alone.


APPLIANCE = frozenset({"Switch", "FanSpeed", "Mode", "Playback", "Run", "Vacuum", "Brightness"})
"""What ``everything`` and ``电器`` may do: no door, shade, lock or valve moves on such a word."""
MOVED = {
    "on": APPLIANCE - {"Vacuum", "Run"},
    "open": frozenset[str](),
    "close": frozenset({"Cover", "Door"}),
    "lock": frozenset({"Lock"}),
    "unlock": frozenset({"Lock"}),
    "mute": frozenset({"Mute"}),
    "pause": frozenset({"Playback"}),
    "resume": frozenset({"Playback"}),
}
"""The same for verbs that mean less: nothing drives off, closing switches nothing, and opening everything is
asked about."""
DEGREES = frozenset({"degree", "celsius", "fahrenheit"})
_NO_ROOMS = (
    "number refrigerator water_heater kettle oven stove microwave coffee_maker washer dryer dishwasher"
)
NO_ROOMS = frozenset(_NO_ROOMS.split())
"""Kinds whose temperature is that of food or water, or a mere setting of some machine."""
WIDELY = SWITCHING_ON | SWITCHING_OFF | {"toggle"}
"""Verbs that are asked about before the whole home does them."""


def is_moved(query: QueryIR, row: Scored) -> bool:
    """Whether a wide word means this device: a value says what is set, a bare verb does not.

    What has to go on is never switched off so.
    """
    command = row.fit.command
    if query.action in SWITCHING_OFF and _runs_on(row.device):
        return False
    if command is None:
        return False
    return query.value is not None or command.trait.split(".")[0] in MOVED.get(query.action, APPLIANCE)


def is_of_rooms(query: QueryIR, row: Scored) -> bool:
    """Whether a temperature said of no thing may mean this: what cools food or heats water is no room."""
    value = query.value
    if value is None or (any(t.kind not in PLACE_KINDS for t in query.target.tokens) and not is_wide(query)):
        return True
    if value.unit not in DEGREES and query.property != "temperature":
        return True
    return NO_ROOMS.isdisjoint(row.device.kinds)


def _runs_on(device: Device) -> bool:
    """Whether switching it off in passing does harm: a freezer, a fish tank, the router."""
    kept = clusters()["running_on"]
    names = [f" {normalise(name)} " for name in (device.name, *device.aliases)]
    words = [word if is_han(word[0]) else f" {word} " for word in kept["words"]]
    spoken = any(word in name for word in words for name in names)
    return spoken or not set(kept["kinds"]).isdisjoint(device.kinds)


# A device is one thing: its parts are meant where something is said that the device itself is not.


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
    rooms: Sequence[str] = ()
    if query.scope_said and only_spreads(query):
        rooms = query.scope_said
    elif area is not None and not says_all(query) and not names_a_group(query):
        rooms = (area,)
    if query.scope_include:
        return whole
    return [s for s in whole if s.device.room_id in rooms] or whole


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
    # What is done to a place is done to all of these where it is said, or where it is light.
    said = query.quantifier is Quantifier.ALL or is_a_whole_floor(query)
    command = meant[0].fit.command
    if len(meant) > 1 and not said and (command is None or command.trait.split(".")[0] not in LIGHTING):
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


# ``pause``, ``next``, ``louder`` with no thing said: the one player of the home that is playing, if one
# is.


PLAYBACK = "playback"
"""What a player tells of, where it tells whether it plays."""
HEARD_OF = frozenset({"Playback", "Mute"})
"""Traits that mean something only to what plays. So does louder; how loud it shall be can be said of each."""
BEGINS = frozenset({"Playback.Play", "Playback.Search", "Mute.Off"})
"""What is said to a player that does not play."""


def playing(query: QueryIR, gated: Gated, rows: Sequence[Scored], view: HomeView, now: Snapshot) -> Gated:
    """The same, with the one that plays where it is open which player is meant; ``rows``: all of them."""
    if not gated.tied or _is_said(query) or not all(_is_of_what_plays(s, query) for s in gated.tied):
        return gated
    plays = [s for s in rows if s.able and _plays(s, view, now)]
    if len(plays) != 1 or plays[0] not in gated.tied:
        return gated
    return Gated(chosen=tuple(plays))


def _is_said(query: QueryIR) -> bool:
    """Whether a thing or a place is said, or more than one may be meant."""
    said = any(not t.data.get("implied") for t in query.target.tokens)
    return said or query.quantifier is not Quantifier.ONE or query.count is not None


def _is_of_what_plays(row: Scored, query: QueryIR) -> bool:
    """Whether it is a player, told what players are told while they play."""
    if HEARD.isdisjoint(row.device.kinds):
        return False
    trait = row.fit.command.trait if row.fit.command else ""
    if trait.partition(".")[0] == "Volume":
        louder = query.value is not None and query.value.kind == "relative"
        # louder is said of what is heard; a volume each of them has
        return louder and not any(t.kind == "property" for t in query.tokens)
    return trait.partition(".")[0] in HEARD_OF and trait not in BEGINS


def _plays(row: Scored, view: HomeView, now: Snapshot) -> bool:
    told = (a for a in view.profile(row.device.id).attributes if a.quantity == PLAYBACK)
    return any(_is_playing(now.value(row.device.id, a.id)) for a in told)


def _is_playing(value: Scalar) -> bool:
    table = effects()
    return str(value).lower() in {*table["spellings"]["playing"], *table["same"]["playing"]}
