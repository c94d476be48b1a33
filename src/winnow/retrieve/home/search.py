"""Reading -> shortlists of a home: scenes, devices with commands, sensors of conditions, what was dropped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from winnow.language.normalize import fold
from winnow.retrieve.home.commands import CommandScorer
from winnow.retrieve.home.devices import (
    WHOLE_NAME,
    DeviceMatch,
    fitting_devices,
    fitting_ids,
    inferred_matches,
    nearest_things,
)
from winnow.retrieve.home.evidence import antecedent_devices, guess_devices, is_another, unnamed_devices
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import HomeIndex, home_words
from winnow.retrieve.home.sets import SetMembers, nth_device, ordinal_token, set_members
from winnow.types.candidate import DeviceCandidate, Dropped, Evidence, HomeShortlist, Ref
from winnow.types.query import Mention, QueryIR, Reading, Token
from winnow.types.utterance import Utterance

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
    evidences: list[Evidence] = []
    evidences.append(Evidence("coverage", round(match.coverage, 3)))
    evidences.append(Evidence("exact", round(match.exact, 3)))
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
    if query.inherited and is_another(query, found, here.index):
        return unnamed_devices(query.about(), here, who.left_out)
    return found or unnamed_devices(query, here, who.left_out)


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
