"""Which of the scored devices are meant: one, as many as were said, a set, or too many to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.act.effects.thing import effects
from winnow.decide.fit import AUDIBLE_KINDS
from winnow.decide.score import ScoredDevice, score_weights
from winnow.language.content_words import CLOSING, OPENING, SWITCHING_OFF, SWITCHING_ON
from winnow.language.lexicon import clusters, type_words
from winnow.language.normalize import fold, is_han, normalise
from winnow.types.home import Device, HomeView
from winnow.types.query import PLACE_KINDS, Quantifier, QueryIR, has_kind, has_sense, of_kind
from winnow.types.state import Snapshot
from winnow.types.verdict import Refusal

# What the words say of how many things are meant, before any device is looked at.

FLOOR_TYPES = frozenset({"light", "fan", "window_cover", "curtain", "blind", "cover", "window", "vacuum"})
"""Bare words that mean every member of a floor."""
SET_TYPES = frozenset({"light"})
"""A bare word of these and a place mean every member there."""
SWITCHING_VERBS = OPENING | CLOSING
"""Verbs that say nothing of what they are for: ``打开二楼`` asks."""
EACH_WORDS = frozenset({"都", "全", "全都", "both"})
"""Words that spread over what was named, and are no amount of their own."""
NAMING_KINDS = frozenset({"name", "nameword", "type"})


def is_set(query: QueryIR, area: str | None) -> bool:
    """Whether everything of a kind is meant: it is said, or a bare word means so in a place."""
    if query.quantifier in {Quantifier.ALL, Quantifier.EXCEPT} or has_named_group(query):
        return True
    kinds = FLOOR_TYPES if _has_token(query, "floor") else SET_TYPES
    if _bare_kind_name(query) not in kinds:
        return False
    # Whether it is clear where
    if any(len(t.refs) > 1 and not t.data.get("joined") for t in of_kind(query.target.tokens, "room")):
        return False
    return bool(query.scope_include) or area is not None


def has_named_group(query: QueryIR) -> bool:
    """Whether a set that the source defines was named: its name means each of its members."""
    return _has_token(query, "group")


def _bare_kind_name(query: QueryIR) -> str:
    """The kind that was said, when that is all and nothing here is called so."""
    things = [t for t in query.target.tokens if t.kind in NAMING_KINDS or t.kind == "word"]
    if len(things) != 1 or things[0].kind != "type" or things[0].data.get("named"):
        return ""
    return str(things[0].data.get("is"))


def is_only_a_place(query: QueryIR) -> bool:
    """Whether a place was named and nothing in it: ``卧室调到26度``."""
    if not query.target.tokens or query.entity_mentions:
        return False
    return not _has_token(query, "word")


def is_a_whole_floor(query: QueryIR) -> bool:
    """Whether a floor or zone is told what to become, by a verb that says what it is for."""
    return (_has_token(query, "floor") or _has_token(query, "zone")) and query.action not in SWITCHING_VERBS


def is_wide(query: QueryIR) -> bool:
    """Whether the word for what is meant means anything: ``everything``, ``电器``."""
    kinds = (str(t.data.get("is")) for t in of_kind(query.target.tokens, "type"))
    return any(type_words()[kind].kinds == ("*",) for kind in kinds)


def is_said_of_all(query: QueryIR) -> bool:
    """Whether all of the kind are meant, wherever they are."""
    return has_sense(query.tokens, "quantifier", "all") and not is_distributed(query)


def is_distributed(query: QueryIR) -> bool:
    """``A和B都``: both of them, not all of their kinds."""
    if not of_kind(query.tokens, "quantifier") or not has_spreading_word(query):
        return False
    own = {t.text for t in query.target.tokens}
    return any(t.text not in own for t in of_kind(query.tokens, *NAMING_KINDS))


def has_spreading_word(query: QueryIR) -> bool:
    """``窗帘都拉上``, ``close the blinds``: all of those spoken of; nothing says of the whole home."""
    return {t.text for t in of_kind(query.tokens, "quantifier")} <= EACH_WORDS


def has_extent_word(query: QueryIR) -> bool:
    """``客厅窗帘全开``: as far as it goes, when only ``全`` is said and where."""
    return {t.text for t in of_kind(query.tokens, "quantifier")} == {"全"} and bool(query.scope_include)


def is_one_in_a_room(query: QueryIR) -> bool:
    """``the light in the bedroom``: one kind in one room. Chinese tells no plural: it may be all."""
    kinds = of_kind(query.target.tokens, "type")
    if len(kinds) != 1 or query.quantifier is not Quantifier.ONE:
        return False
    return kinds[0].text.isascii() and not kinds[0].data.get("plural") and _has_token(query, "room")


def _has_token(query: QueryIR, kind: str) -> bool:
    return has_kind(query.target.tokens, kind)


# What may be moved on a word like ``everything``, or on the name of a place alone.

APPLIANCE_TRAITS = frozenset({"Switch", "FanSpeed", "Mode", "Playback", "Run", "Vacuum", "Brightness"})
"""What ``everything`` and ``电器`` may do: no door, shade, lock or valve moves on such a word."""
MOVED_TRAITS = {
    "on": APPLIANCE_TRAITS - {"Vacuum", "Run"},
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
DEGREE_UNITS = frozenset({"degree", "celsius", "fahrenheit"})
_NOT_ROOM_CLIMATE_NAMES = (
    "number refrigerator water_heater kettle oven stove microwave coffee_maker washer dryer dishwasher"
)
NOT_ROOM_CLIMATE = frozenset(_NOT_ROOM_CLIMATE_NAMES.split())
"""Kinds whose temperature is that of food or water, or a mere setting of some machine."""
WIDE_VERBS = SWITCHING_ON | SWITCHING_OFF | {"toggle"}
"""Verbs that are asked about before the whole home does them."""


def is_meant_by_wide_word(query: QueryIR, row: ScoredDevice) -> bool:
    """Whether a wide word means this device: a value says what is set, a bare verb does not.

    What has to go on is never switched off so.
    """
    command = row.fit.command
    if query.action in SWITCHING_OFF and _must_keep_running(row.device):
        return False
    if command is None:
        return False
    return query.value is not None or command.trait.split(".")[0] in MOVED_TRAITS.get(
        query.action, APPLIANCE_TRAITS
    )


def is_room_climate(query: QueryIR, row: ScoredDevice) -> bool:
    """Whether a temperature said of no thing may mean this: what cools food or heats water is no room."""
    value = query.value
    if value is None or (any(t.kind not in PLACE_KINDS for t in query.target.tokens) and not is_wide(query)):
        return True
    if value.unit not in DEGREE_UNITS and query.property != "temperature":
        return True
    return NOT_ROOM_CLIMATE.isdisjoint(row.device.kinds)


def _must_keep_running(device: Device) -> bool:
    """Whether switching it off in passing does harm: a freezer, a fish tank, the router."""
    kept = clusters()["running_on"]
    names = [f" {normalise(name)} " for name in (device.name, *device.aliases)]
    words = [word if is_han(word[0]) else f" {word} " for word in kept["words"]]
    spoken = any(word in name for word in words for name in names)
    return spoken or not set(kept["kinds"]).isdisjoint(device.kinds)


# A device is one thing: its parts are meant where something is said that the device itself is not.

WHOLE_COVERAGE = 0.99
"""Share of a name from which on all of it was said."""


def without_device_parts(query: QueryIR, rows: list[ScoredDevice], view: HomeView) -> list[ScoredDevice]:
    """The rows without the parts of devices that the words mean as well.

    A set counts the parts that are of its kind in their own right.
    """
    wholes = _whole_devices(rows, view)
    if not wholes or has_named_group(query):
        return rows
    # The kinds of a set whose parts are counted; no parts are, of one thing and of ``everything``
    if not is_set(query, None) or is_wide(query):
        kinds: frozenset[str] = frozenset()
    else:
        kinds = frozenset(kind for name in query.type_hint for kind in type_words()[name].kinds)
    return [s for s in rows if not _is_beside(s, wholes.get(s.device.part_of or ""), kinds)]


def _whole_devices(rows: list[ScoredDevice], view: HomeView) -> dict[str, ScoredDevice]:
    """Those that others are parts of and that can be told something themselves."""
    with_parts = {s.device.part_of for s in rows}
    meant = (s for s in rows if s.device.id in with_parts)
    return {s.device.id: s for s in meant if view.profile(s.device.id).commands}


def _is_beside(row: ScoredDevice, whole: ScoredDevice | None, kinds: frozenset[str]) -> bool:
    """Whether a row is but a part of a ``whole`` that is meant as well, and can be told something itself."""
    if whole is None or not kinds.isdisjoint(row.device.kinds[:1]):
        return False
    if whole.able:
        return True
    return row.features["exact"] < WHOLE_COVERAGE and fold(row.device.name) != fold(whole.device.name)


EXACT_SCORE = 0.99
"""Share of a name from which on all of it was said."""
MAX_DEVICES_ASKED = 5
"""Devices that all can be named in one question."""
COVERING_KINDS = frozenset({"curtain", "blind", "shade", "cover", "awning"})
LIGHTING_TRAITS = frozenset({"Brightness", "Color", "ColorTemperature", "Effect"})


@dataclass(frozen=True, slots=True)
class GateResult:
    """What passes: devices to act on, devices to ask about, or why nothing does."""

    chosen: tuple[ScoredDevice, ...] = ()
    tied: tuple[ScoredDevice, ...] = ()
    refusal: Refusal | None = None
    uncovered: tuple[ScoredDevice, ...] = ()
    bulk: bool = False
    exempt: tuple[ScoredDevice, ...] = ()
    """Members of a set that could be moved and are not: named, and no fault of theirs."""
    guessed: bool = False
    """Of several that the words fit only this one can do it, and other rooms are spoken of."""


def gate_devices(
    query: QueryIR, rows: Sequence[ScoredDevice], view: HomeView, area: str | None
) -> GateResult:
    """Decide who is meant. Only devices that explain every word of the mention may be acted on (law 1)."""
    whole = [s for s in rows if not s.unexplained and is_room_climate(query, s)]
    if not whole:
        return GateResult(refusal=_no_target(query, rows))
    whole = _rows_here(query, without_device_parts(query, whole, view), area)
    if query.quantifier is Quantifier.ANY:
        return _gate_any(query, whole)
    if is_only_a_place(query):
        return _gate_place(query, whole)
    if query.count is not None:
        return _gate_counted(query.count, whole, area)
    if is_set(query, area):
        return _gate_set(query, whole, view)
    return _gate_checked_make(query, _gate_single(query, whole), area)


def _no_target(query: QueryIR, rows: Sequence[ScoredDevice]) -> Refusal:
    """The home has no such place, or no such thing in it."""
    for token in query.target.tokens:
        if token.kind in {"room", "floor"} and not token.refs and not token.data.get("named"):
            return Refusal(f"no_{token.kind}", {"what": token.text})
    what = query.target.text
    near = tuple(s.device.id for s in rows[:3])
    return Refusal("no_device" if what else "not_understood", {"what": what}, near)


def _rows_here(query: QueryIR, whole: list[ScoredDevice], area: str | None) -> list[ScoredDevice]:
    """The speaker's room wins when the sentence names no place and does not say all.

    Before it a room spoken of beside: ``客厅灯打开，窗帘都拉上``.
    """
    rooms: Sequence[str] = ()
    if query.scope_said and has_spreading_word(query):
        rooms = query.scope_said
    elif area is not None and not is_said_of_all(query) and not has_named_group(query):
        rooms = (area,)
    if query.scope_include:
        return whole
    return [s for s in whole if s.device.room_id in rooms] or whole


# one thing


def _gate_first(query: QueryIR, first: ScoredDevice, *, is_chosen_by_ability: bool) -> GateResult:
    """The one that leads; asked about where only its ability chose it, and another room was said."""
    device = first.device
    if not first.online:
        return GateResult(refusal=Refusal("unavailable", {"name": device.name}, (device.id,)))
    elsewhere = bool(query.scope_said) and device.room_id not in query.scope_said
    return GateResult(chosen=(first,), guessed=elsewhere and is_chosen_by_ability)


def _gate_single(query: QueryIR, whole: Sequence[ScoredDevice]) -> GateResult:
    """The best by a clear lead, the one in a room that was said, or a question."""
    epsilon = score_weights()["epsilon"]
    least = _name_score(whole[0]) - epsilon
    best = [s for s in whole if _name_score(s) >= least]  # those that the words do not put behind the first
    able = [s for s in best if s.able]
    if not able:
        return _gate_capable(query, whole) or _gate_unable(best)
    present = [s for s in able if s.online] or able  # what cannot be reached is no rival of what can
    if len(present) == 1 or whole[0].score - present[1].score > epsilon:
        return _gate_first(query, present[0], is_chosen_by_ability=len(best) > len(able) == 1)
    said = [s for s in present if s.device.room_id in query.scope_said]
    return GateResult(chosen=tuple(said)) if len(said) == 1 else _gate_question(whole, present)


def _gate_checked_make(query: QueryIR, gated: GateResult, area: str | None) -> GateResult:
    """Another make than was said is meant only in a place that was said, or by who stands beside it.

    Of more than a question holds none is: a home with thirty lamps and no chandelier has no chandelier.
    """
    if query.scope_include:
        return gated
    # Whether more than a question holds come near the make that was said, and none is of it
    if len(gated.tied) > MAX_DEVICES_ASKED and area is None and all(s.features["loose"] for s in gated.tied):
        return GateResult(refusal=_no_target(query, gated.tied))
    if not any(s.features["loose"] and (area is None or s.device.room_id != area) for s in gated.chosen):
        return gated
    return GateResult(refusal=_no_target(query, gated.chosen))


def _name_score(row: ScoredDevice) -> float:
    """The score without what the device can do: ability never outweighs a name."""
    table = score_weights()
    return row.score - table["able"] * row.features["able"] - table["trait"] * row.features["trait"]


def _gate_question(whole: Sequence[ScoredDevice], tied: Sequence[ScoredDevice]) -> GateResult:
    """All that can do it while one question holds them, else those that are tied."""
    able = tuple(s for s in whole if s.able)
    return GateResult(tied=able if len(able) <= MAX_DEVICES_ASKED else tuple(tied))


def _gate_capable(query: QueryIR, whole: Sequence[ScoredDevice]) -> GateResult | None:
    """Where nothing was named, what can do it is meant."""
    able = tuple(s for s in whole if s.able)
    if query.entity_mentions or not able:
        return None
    return GateResult(chosen=able) if len(able) == 1 else GateResult(tied=able)


def _gate_unable(rows: Sequence[ScoredDevice]) -> GateResult:
    """What stands against the likeliest, said of all of them."""
    first = rows[0].fit.refusal or Refusal("no_ability", {"name": rows[0].device.name})
    return GateResult(refusal=Refusal(first.code, first.facts, tuple(s.device.id for s in rows[:5])))


# some of many


def _gate_any(query: QueryIR, whole: Sequence[ScoredDevice]) -> GateResult:
    """``随便开一个``: the first that can do it, as many as were said."""
    able = tuple(s for s in _set_members(whole) if s.able and s.online)
    if not able:
        return _gate_capable(query, whole) or _gate_unable(whole)
    many = query.count or 1
    if query.entity_mentions and len(able) >= many:
        return GateResult(chosen=able[:many])
    return GateResult(tied=able)


def _gate_counted(count: int, whole: Sequence[ScoredDevice], area: str | None) -> GateResult:
    """``三盏灯``: as many as there are, or which of them is asked."""
    able = _set_members([s for s in whole if s.able])
    if not able:
        return _gate_unable(whole)
    here = [s for s in able if s.device.room_id == area] if area else []
    meant = tuple(here if here and len(here) == count else able)
    return GateResult(chosen=meant, bulk=count > 1) if len(meant) == count else GateResult(tied=meant)


# all of a kind


def _gate_set(query: QueryIR, whole: Sequence[ScoredDevice], view: HomeView) -> GateResult:
    """Every member that can do it; who cannot is told."""
    members = _set_members(_narrowed_rows(query, whole))
    able = tuple(s for s in members if s.able)
    if not able:
        return _gate_unable(members)
    if is_wide(query):
        return _gate_everything(query, members, able, view)
    return GateResult(chosen=able, uncovered=tuple(s for s in members if not s.able), bulk=True)


def _gate_everything(
    query: QueryIR, members: Sequence[ScoredDevice], able: tuple[ScoredDevice, ...], view: HomeView
) -> GateResult:
    """What may be moved in passing. What cannot do anything at all is not missed."""
    moved = tuple(s for s in able if is_meant_by_wide_word(query, s))
    if not moved:
        return GateResult(tied=able)
    spared = [s for s in _rows_without(members, moved) if view.profile(s.device.id).commands]
    return GateResult(chosen=moved, bulk=True, exempt=tuple(spared))


def _gate_place(query: QueryIR, whole: Sequence[ScoredDevice]) -> GateResult:
    """Only a place was named: the devices there whose command stands first in the cluster.

    Every lamp for light.
    """
    members = _set_members([s for s in whole if s.able])
    meant = _closest_rows(query, members)
    if not meant:
        return _gate_unable(whole)
    # What is done to a place is done to all of these where it is said, or where it is light.
    said = query.quantifier is Quantifier.ALL or is_a_whole_floor(query)
    command = meant[0].fit.command
    if (
        len(meant) > 1
        and not said
        and (command is None or command.trait.split(".")[0] not in LIGHTING_TRAITS)
    ):
        return GateResult(tied=meant)
    # only who says "all" is told what was left alone
    spared = _rows_without(members, meant) if query.quantifier is Quantifier.ALL else ()
    return GateResult(chosen=meant, bulk=len(meant) > 1, exempt=spared)


def _closest_rows(query: QueryIR, members: Sequence[ScoredDevice]) -> tuple[ScoredDevice, ...]:
    """Those whose command is closest to what was said, of the kind that the property is preferred of."""
    if query.quantifier is not Quantifier.ONE:
        members = [s for s in members if is_meant_by_wide_word(query, s)]
    liked = [s for s in members if s.features["preferred"]] or members
    rank = min((s.fit.rank for s in liked), default=0)
    return tuple(s for s in liked if s.fit.rank == rank)


def _set_members(whole: Sequence[ScoredDevice]) -> Sequence[ScoredDevice]:
    """Members of a set: registered in the place, of the proper kind.

    Names and next of kin only where there are none.
    """
    placed = [s for s in whole if s.features["registered"]] or whole
    return [s for s in placed if not s.features["kin"]] or placed


def _rows_without(members: Sequence[ScoredDevice], some: Sequence[ScoredDevice]) -> tuple[ScoredDevice, ...]:
    ids = {s.device.id for s in some}
    return tuple(s for s in members if s.device.id not in ids)


# one thing in the words for a set


def _narrowed_rows(query: QueryIR, whole: Sequence[ScoredDevice]) -> Sequence[ScoredDevice]:
    """Words for a set that mean one thing all the same, because exactly one thing is called so."""
    if is_distributed(query) and not query.exclusions:
        whole = _only_row(_named_rows(whole), whole)
    if has_extent_word(query):
        whole = _only_row(
            [s for s in _named_rows(whole) if not COVERING_KINDS.isdisjoint(s.device.kinds)], whole
        )
    if is_one_in_a_room(query):
        whole = _only_row([s for s in whole if s.features["exact"] > EXACT_SCORE], whole)
    return whole


def _only_row(found: Sequence[ScoredDevice], whole: Sequence[ScoredDevice]) -> Sequence[ScoredDevice]:
    """The one that was found, if it is one."""
    return found if len(found) == 1 else whole


def _named_rows(rows: Sequence[ScoredDevice]) -> list[ScoredDevice]:
    return [s for s in rows if s.features["named"]]


# ``pause``, ``next``, ``louder`` with no thing said: the one player of the home that is playing, if one
# is.

PLAYBACK_ATTRIBUTE = "playback"
"""What a player tells of, where it tells whether it plays."""
PLAYER_TRAITS = frozenset({"Playback", "Mute"})
"""Traits that mean something only to what plays. So does louder; how loud it shall be can be said of each."""
STARTING_COMMANDS = frozenset({"Playback.Play", "Playback.Search", "Mute.Off"})
"""What is said to a player that does not play."""


def prefer_playing(
    query: QueryIR, gated: GateResult, rows: Sequence[ScoredDevice], view: HomeView, now: Snapshot
) -> GateResult:
    """The same, with the one that plays where it is open which player is meant; ``rows``: all of them."""
    said = any(not t.data.get("implied") for t in query.target.tokens)
    one = not said and query.quantifier is Quantifier.ONE and query.count is None
    if not gated.tied or not one or not all(_is_of_what_plays(s, query) for s in gated.tied):
        return gated
    plays = [s for s in rows if s.able and _is_player_active(s, view, now)]
    if len(plays) != 1 or plays[0] not in gated.tied:
        return gated
    return GateResult(chosen=tuple(plays))


def _is_of_what_plays(row: ScoredDevice, query: QueryIR) -> bool:
    """Whether it is a player, told what players are told while they play."""
    if AUDIBLE_KINDS.isdisjoint(row.device.kinds):
        return False
    trait = row.fit.command.trait if row.fit.command else ""
    if trait.partition(".")[0] == "Volume":
        louder = query.value is not None and query.value.kind == "relative"
        # louder is said of what is heard; a volume each of them has
        return louder and not has_kind(query.tokens, "property")
    return trait.partition(".")[0] in PLAYER_TRAITS and trait not in STARTING_COMMANDS


def _is_player_active(row: ScoredDevice, view: HomeView, now: Snapshot) -> bool:
    words = effects()
    playing = {*words["spellings"]["playing"], *words["same"]["playing"]}
    told = (a for a in view.profile(row.device.id).attributes if a.quantity == PLAYBACK_ATTRIBUTE)
    return any(str(now.value(row.device.id, a.id)).lower() in playing for a in told)
