"""Reading -> shortlists of a home: scenes, devices with commands, sensors of conditions, what was dropped."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from winnow.language.normalize import fold
from winnow.language.numbers.find import find_numbers
from winnow.retrieve.home.commands import CommandScorer
from winnow.retrieve.home.devices import (
    WHOLE_NAME,
    DeviceMatch,
    called_apart,
    fitting_devices,
    fitting_ids,
    inferred_matches,
    match_devices,
    nearest_things,
)
from winnow.retrieve.home.evidence import antecedent_devices, guess_devices, is_another, unnamed_devices
from winnow.retrieve.home.explain import HomePosition, type_word
from winnow.retrieve.home.index import HomeIndex, home_words
from winnow.types.candidate import DeviceCandidate, Dropped, Evidence, HomeShortlist, Ref
from winnow.types.query import PLACE_KINDS, Mention, QueryIR, Reading, SetExpr, Token, of_kind
from winnow.types.utterance import Utterance

# The one that is counted: ``the second one of the three-gang switch``, ``第二盏灯``.


_SKIPPED_KINDS = frozenset({"part", "filler", "reference", "conj"})
_LAST_NUMBER = re.compile(r"\d+$")


def ordinal_token(query: QueryIR) -> Token | None:
    """The word that counts out one of what was named; None where there is none (``first, ...``)."""
    if not any(r.kind == "ordinal" for r in query.references):
        return None
    tokens = [t for t in query.tokens if t.kind not in _SKIPPED_KINDS or t.data.get("unit") == "ordinal"]
    for at, token in enumerate(tokens):
        beside = tokens[max(at - 1, 0) : at] + tokens[at + 1 : at + 2]
        if token.data.get("unit") == "ordinal" and any(_is_named(t, query) for t in beside):
            return token
    return None


def _is_named(token: Token, query: QueryIR) -> bool:
    return token.kind not in PLACE_KINDS and any(token.start == t.start for t in query.target.tokens)


def nth_device(place: int, found: Sequence[DeviceMatch], index: HomeIndex) -> list[DeviceMatch]:
    """The part at a place of the one device that was named, else what has the number in its name."""
    fits = [m for m in found if not m.missing]
    wholes = [m for m in fits if m.device_id not in index.parts]
    if len(wholes) == 1 and (parts := _counted_parts(wholes[0].device_id, index)):
        return inferred_matches(_at(place, parts))
    return [m for m in fits if _number_of(m.device_id, index) == place]


def _counted_parts(device_id: str, index: HomeIndex) -> list[str]:
    """Those parts of a device that are told things, in the order of the catalog."""
    parts = index.view.parts(device_id)
    return [p.id for p in parts if p.reach == "spoken" and index.view.profile(p.id).commands]


def _at(place: int, parts: Sequence[str]) -> list[str]:
    at = place - 1 if place > 0 else place
    return [parts[at]] if -len(parts) <= at < len(parts) else []


def _number_of(device_id: str, index: HomeIndex) -> int | None:
    """The number that one of its names ends with: ``灯2``, ``lamp two``."""
    device = index.view.devices[device_id]
    numbers = (_number_in(name) for name in (device.name, *device.aliases))
    return next((number for number in numbers if number is not None), None)


def _number_in(name: str) -> int | None:
    if digits := _LAST_NUMBER.search(name):
        return int(digits[0])
    numbers = [n for n in find_numbers(name.lower()) if n.end == len(name)]
    return int(numbers[-1].value) if numbers else None


COVER_KINDS = frozenset({"curtain", "blind", "shade", "awning", "garage_door", "gate"})
"""Kinds that are all covers, and none of another's kind."""


@dataclass(frozen=True, slots=True)
class SetMembers:
    """The devices of one set expression, before anything is judged by its state."""

    found: tuple[DeviceMatch, ...]
    """What the base may mean and nothing takes away, best first."""
    left_out: frozenset[str]
    """Ids of what is taken away and not taken back."""
    unplaced: tuple[str, ...]
    """Exceptions, and what is taken back, that match nothing, as said."""
    idle: tuple[str, ...] = ()
    """Exceptions that match something, and nothing of what the base means."""


def set_members(things: SetExpr, here: HomePosition) -> SetMembers:
    """Who belongs to the set. What is taken away is gone before anything is searched (law 4)."""
    taken = [_excluded_ids(mention, here) for mention in things.minus]
    back = [fitting_ids(mention.tokens, here) for mention in things.plus]
    meant = match_devices(things.base.tokens, here)
    # The rest of a thing that is left out are its like, whatever they are called.
    meant = meant if things.minus else called_apart(meant, things.base.tokens, here.index)
    # What only its name means is none of an exception, but where a group holds it
    ids = frozenset[str]().union(*taken).difference(*back)
    left_out = (
        here.index.without_exact_name(ids) | ids.intersection(m.device_id for m in meant)
        if here.index.exact_name_only
        else ids
    )
    found = tuple(m for m in meant if m.device_id not in left_out)
    said = zip((*things.minus, *things.plus), (*taken, *back), strict=True)
    unplaced = tuple(m.text for m, ids in said if not ids)
    return SetMembers(found, left_out, unplaced, _idle_exceptions(things, taken, meant, here.index))


def _idle_exceptions(
    things: SetExpr, taken: Sequence[set[str]], meant: Sequence[DeviceMatch], index: HomeIndex
) -> tuple[str, ...]:
    """The exceptions that take nothing of a kind in a place, though they name some of that kind.

    ``The living-room lights except the desk lamp`` says that one stands there. An exception of another
    kind, or with a place of its own, says only what is not to be touched.
    """
    base = {m.device_id for m in meant if not m.missing}
    if not base or not things.base.places:
        return ()
    kinds = _kinds(things.base.tokens)
    exceptions = zip(things.minus, taken, strict=True)
    lost = (m for m, ids in exceptions if base.isdisjoint(ids) and _any_of(kinds, ids, index))
    return tuple(m.text for m in lost if not m.places)


def _kinds(tokens: Iterable[Token]) -> set[str]:
    """What things are said to be."""
    return {kind for t in tokens if t.kind == "type" for kind in type_word(t).kinds}


def _any_of(kinds: set[str], ids: set[str], index: HomeIndex) -> bool:
    return any(not kinds.isdisjoint(index.view.devices[i].kinds) for i in ids)


def _excluded_ids(mention: Mention, here: HomePosition) -> set[str]:
    """What an exception takes away.

    ``Leave the blinds`` does not mean the curtains, unless there is nothing else.
    """
    found = fitting_ids(mention.tokens, here, by_name=False)
    kinds = _kinds(t for t in mention.tokens if t.data.get("plural"))
    return {i for i in found if not _other_cover(i, kinds, here.index)} or found


def _other_cover(device_id: str, kinds: set[str], index: HomeIndex) -> bool:
    """Whether it is a cover first, and of none of the ``kinds`` that were said."""
    return bool(kinds) and not COVER_KINDS.isdisjoint(set(index.view.devices[device_id].kinds[:1]) - kinds)


# Devices with the commands that may be meant, and scenes, as candidates with their evidence.


SCENE_SCORE = 3.0
"""Score of a scene that was named; no device has more."""
ROOM_BONUS = 0.2
"""What a device gains by standing in the speaker's room."""
COMMAND_WEIGHT = 0.5
"""What the lanes of its commands count for beside the words for the device."""


def scene_candidates(query: QueryIR) -> list[DeviceCandidate]:
    """The scenes that were named."""
    candidates: list[DeviceCandidate] = []
    for token in query.target.tokens:
        # A part of a scene's name means it only with an act, and with no word beside it
        if token.kind == "scene" and (
            not token.data.get("partial") or (bool(query.action) and len(query.target.tokens) == 1)
        ):
            for ref in token.refs:
                scene_evidence = Evidence("name", 1.0, token.text), Evidence("trait", 1.0, "Scene.Run")
                candidates.append(DeviceCandidate.of(ref, "", SCENE_SCORE, scene_evidence, "scene"))
    return candidates


def device_candidates(
    match: DeviceMatch, lanes: CommandScorer, here: HomePosition, most: int
) -> list[DeviceCandidate]:
    """A device with each of its ``most`` likeliest commands; the device alone where it has none."""
    device = here.index.view.devices[match.device_id]
    beside = here.area is not None and device.room_id == here.area
    score = match.score + (ROOM_BONUS if beside else 0.0)
    area = here.area if beside else None
    evidences = [Evidence("coverage", round(match.coverage, 3)), Evidence("exact", round(match.exact, 3))]
    if area:
        evidences.append(Evidence("area", 1.0, area))
    if match.missing:
        evidences.append(Evidence("missing", 0.0, "\t".join(match.missing)))
    evidence = (*match.evidence, *evidences)
    ref, commands = Ref("device", device.id), lanes.matches(device.profile_id, most)
    if not commands:
        return [DeviceCandidate(ref, evidence, score)]
    return [
        DeviceCandidate(ref, (*evidence, *c.evidence), score + COMMAND_WEIGHT * c.score, c.command.key)
        for c in commands
    ]


# How much of a home is offered for one query.


@dataclass(frozen=True, slots=True)
class ShortlistLimits:
    """The sizes of a shortlist. A set keeps every member, whatever they say (law 5)."""

    devices: int = 24
    """Devices, where not every one of them fits every word."""
    commands: int = 4
    """Commands of each of them."""
    near: int = 3
    """Things named that are only near in meaning."""


# Which device may answer a condition.


NEARBY_COVERAGE, ANYWHERE_COVERAGE = 0.6, 0.0
"""Coverage of what no word names: of what stands in the room meant, and anywhere else in the home."""
OUTDOOR = "outdoor"


def condition_sensors(
    mention: Mention, found: Collection[DeviceMatch], here: HomePosition, *, placed: bool = False
) -> tuple[DeviceCandidate, ...]:
    """What may tell whether a condition on ``mention`` holds, best first.

    What it names; where it names nothing, what stands in the rooms of ``found``, if a place was said of it,
    else in the speaker's; where that is not known in the one room of ``found``, and behind that anywhere.
    """
    if mention.tokens:
        told = fitting_devices(mention.tokens, here) or _contacts(mention, here)
        if any(t.data.get("is") == OUTDOOR for t in mention.tokens):
            told += _rest(told, here)
    else:
        told = inferred_matches(_nearby(found, here, placed=placed), NEARBY_COVERAGE)
        if here.area is None and not placed:
            told += _rest(told, here)
    return tuple(DeviceCandidate.of(m.device_id, "", m.score, m.evidence, "sensor") for m in told)


def _rest(told: Collection[DeviceMatch], here: HomePosition) -> list[DeviceMatch]:
    """All that is not among those told of: what is outside stands in any room, as an only sensor may."""
    known = {m.device_id for m in told}
    return inferred_matches(
        sorted(here.index.without_exact_name(here.index.all_ids) - known), ANYWHERE_COVERAGE
    )


def _nearby(found: Collection[DeviceMatch], here: HomePosition, *, placed: bool) -> list[str]:
    """The devices of the room meant, room by room where it is several."""
    index, meant = here.index, _wholes(found, here.index)
    told = {index.view.devices[m.device_id].room_id or "" for m in meant}
    alone = len(told) == 1 and here.area is None
    there = placed or alone or _told_by_name(meant, index)
    where = sorted(told) if there else [here.area or ""]
    return [i for room in where for i in sorted(index.without_exact_name(index.by_room.get(room, ())))]


def _wholes(found: Collection[DeviceMatch], index: HomeIndex) -> list[DeviceMatch]:
    """What every word means, without the parts of what is among it."""
    meant = {m.device_id: m for m in found if not m.missing}
    return [m for i, m in meant.items() if index.parts.get(i) not in meant]


def _told_by_name(meant: Sequence[DeviceMatch], index: HomeIndex) -> bool:
    """Whether one thing was called by a name that tells the room it stands in."""
    if len(meant) != 1 or meant[0].exact < WHOLE_NAME:
        return False
    room = index.view.room(meant[0].device_id)
    return room is not None and any(fold(room.name) in name for name in index.names[meant[0].device_id])


def _contacts(mention: Mention, here: HomePosition) -> list[DeviceMatch]:
    """The contact sensors of a window or a door that is no device itself.

    Those named after it, where the rest of the words say.
    """
    called = {word for t in mention.tokens for word in _contact_words(t)}
    rest = [t for t in mention.tokens if t.kind != "type"]
    placed = fitting_ids(rest, here) if rest else here.index.all_ids
    told = here.index.by_kind.get("contact_sensor", frozenset()) & placed
    return inferred_matches(
        i for i in sorted(told) if any(word in name for word in called for name in here.index.names[i])
    )


def _contact_words(token: Token) -> Sequence[str]:
    """What a contact sensor is called that tells of the thing the word means."""
    told: Mapping[str, Sequence[str]] = home_words()["contacts"]
    return told.get(str(token.data.get("is")), ()) if token.kind == "type" else ()


DEFAULT_LIMITS = ShortlistLimits()


def search_home(
    reading: Reading, index: HomeIndex, utterance: Utterance, limits: ShortlistLimits = DEFAULT_LIMITS
) -> tuple[HomeShortlist, ...]:
    """One shortlist a query, in order. Nothing here decides: a set keeps every member."""
    room = index.view.room_named(utterance.room) if utterance.room else None
    here = HomePosition(index, room.id if room else None)
    ordered = reading.intent == "command"
    return tuple(home_shortlist(query, here, limits, ordered=ordered) for query in reading.queries)


def home_shortlist(
    query: QueryIR, here: HomePosition, limits: ShortlistLimits = DEFAULT_LIMITS, *, ordered: bool = True
) -> HomeShortlist:
    """The candidates of one query.

    Of one that is ``ordered`` and finds nothing, what is nearest in meaning.
    """
    named = scene_candidates(query)
    who = set_members(query.things, here)
    found, uncounted = _apply_ordinal(query, _meant_devices(query, who, here), here)
    kept = found[: max(limits.devices, sum(not m.missing for m in found))]
    near, weak = _guesses(query, found, here, who, asks=ordered and not named)
    exclusions = (
        Dropped(device_id, "exclude", "excluded by the sentence") for device_id in sorted(who.left_out)
    )
    placed = bool(query.scope_include)
    return HomeShortlist(
        candidates=(*named, *_rank_devices(kept, query, here, limits.commands)),
        dropped=(*exclusions, *_dropped_devices(found, len(kept))),
        unplaced=who.unplaced,
        idle=who.idle,
        sensors=tuple(condition_sensors(c.mention, found, here, placed=placed) for c in query.conditions),
        near=tuple(near[: limits.near]),
        weak=tuple(_rank_devices(weak, query, here, limits.commands)),
        uncounted=uncounted,
    )


def _guesses(
    query: QueryIR, found: Sequence[DeviceMatch], here: HomePosition, who: SetMembers, *, asks: bool
) -> tuple[list[DeviceCandidate], list[DeviceMatch]]:
    """What is nearest in meaning, and what may be asked about, where not every word is known."""
    if not asks:
        return [], []
    near = nearest_things(query, found, here, who.left_out)
    return near, guess_devices(query, found, near, here, who.left_out)


def _meant_devices(query: QueryIR, who: SetMembers, here: HomePosition) -> Sequence[DeviceMatch]:
    """The devices a query may mean: those its words name, earlier turns mentioned, or its act is made for."""
    found: Sequence[DeviceMatch] = who.found
    if query.antecedents or query.other_than is not None:
        spoken = [m for m in antecedent_devices(query, here) if m.device_id not in who.left_out]
        found = spoken or (() if query.references else found)
    goes_on = query.inherited or query.antecedents
    if goes_on and (pressed := _buttons(query, found, here.index)):
        return inferred_matches(pressed)
    if query.inherited and is_another(query, found, here.index):
        return unnamed_devices(query.about(), here, who.left_out)
    return _by_option(query, found, here.index) or unnamed_devices(query, here, who.left_out)


def _buttons(query: QueryIR, found: Sequence[DeviceMatch], index: HomeIndex) -> set[str]:
    """``洗衣机程序调成快洗，启动``: beside what was set, the button that is called as what is to be done."""
    named = {index.view.devices[m.device_id].name.rpartition(" ")[0] for m in found if not m.missing} - {""}
    called = {f"{whole} {t.text}".casefold() for whole in named for t in of_kind(query.tokens, "verb")}
    return {d.id for d in index.view.devices.values() if "button" in d.kinds and d.name.casefold() in called}


def _by_option(query: QueryIR, found: Sequence[DeviceMatch], index: HomeIndex) -> Sequence[DeviceMatch]:
    """``the washer to quick wash``: of what is named and has no such option, the one part that has it."""
    wanted = fold(query.value.text) if query.value and query.value.text else ""
    if not wanted or any(_has_option(m.device_id, wanted, index) for m in found):
        return found
    named = [m for m in found if not m.missing]
    said = " ".join(query.entity_mentions)
    beside = (_parts(m.device_id, said, index) for m in named)
    parts = {p for ids in beside for p in ids if _has_option(p, wanted, index)}
    return inferred_matches(parts) if len(parts) == 1 else found


def _parts(device_id: str, said: str, index: HomeIndex) -> list[str]:
    """The parts of a device; of one that is there only as its parts, those called as it was ``said``."""
    room, whole = index.view.devices[device_id].room_id, f"{said.casefold()} "
    of_it = (d for d in index.view.devices.values() if d.room_id == room)
    like = [d.id for d in of_it if d.name.casefold().startswith(whole)]
    return [p.id for p in index.view.parts(device_id)] or (like if device_id in like else [])


def _has_option(device_id: str, wanted: str, index: HomeIndex) -> bool:
    parameters = (p for c in index.view.profile(device_id).commands for p in c.parameters)
    return any(fold(str(choice.value)) == wanted for p in parameters for choice in p.choices)


def _apply_ordinal(
    query: QueryIR, found: Sequence[DeviceMatch], here: HomePosition
) -> tuple[Sequence[DeviceMatch], str]:
    """The one that an ordinal counts out, if one does; its word, where there is no such one."""
    ordinal = ordinal_token(query)
    if ordinal is None or not found:
        return found, ""
    one = nth_device(int(float(str(ordinal.data["value"]))), found, here.index)
    return (one, "") if one else (found, ordinal.text)


def _rank_devices(
    kept: Sequence[DeviceMatch], query: QueryIR, here: HomePosition, commands: int
) -> list[DeviceCandidate]:
    """Every device that is kept with its likeliest commands, best first."""
    if not kept:
        return []
    lanes = CommandScorer(query, here.index)
    found = [c for match in kept for c in device_candidates(match, lanes, here, commands)]
    return sorted(found, key=lambda c: -c.score)


def _dropped_devices(found: Sequence[DeviceMatch], kept: int) -> Iterator[Dropped]:
    """What was looked at and left out, with the reason."""
    for match in found:
        if match.missing:
            yield Dropped(match.device_id, "recall", "not explained: " + ", ".join(match.missing))
    for match in found[kept:]:
        if not match.missing:
            yield Dropped(match.device_id, "recall", "below the cut")
