"""Reading -> Shortlists of a home.

Devices by their names and places, commands by their documents, fused by id with their evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from winnow.recall.home.able import is_another, unnamed
from winnow.recall.home.candidates import candidates, scenes
from winnow.recall.home.commands import CommandLanes
from winnow.recall.home.devices import Match
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.limits import Limits
from winnow.recall.home.nearness import nearest
from winnow.recall.home.ordinals import counted_out, ordinal_of
from winnow.recall.home.sensors import sensors
from winnow.recall.home.sets import Members, members
from winnow.recall.home.spoken import spoken_of
from winnow.recall.home.standpoint import Standpoint
from winnow.recall.home.weak import weakly_meant
from winnow.types.dialogue import Utterance
from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.query import QueryIR, Reading
from winnow.types.shortlist import Dropped

LIMITS = Limits()


def recall(
    reading: Reading, index: HomeIndex, utterance: Utterance, limits: Limits = LIMITS
) -> tuple[HomeShortlist, ...]:
    """One shortlist a query, in order. Nothing here decides: a set keeps every member."""
    room = index.view.room_named(utterance.room) if utterance.room else None
    here = Standpoint(index, room.id if room else None)
    ordered = reading.intent == "command"
    return tuple(shortlist(query, here, limits, ordered=ordered) for query in reading.queries)


def shortlist(
    query: QueryIR, here: Standpoint, limits: Limits = LIMITS, *, ordered: bool = True
) -> HomeShortlist:
    """The candidates of one query.

    Of one that is ``ordered`` and finds nothing, what is nearest in meaning.
    """
    named = scenes(query)
    who = members(query.things, here)
    found, uncounted = _counted(query, _meant(query, who, here), here)
    kept = found[: max(limits.devices, sum(not m.missing for m in found))]
    near, weak = _nearly(query, found, here, who, asks=ordered and not named)
    return HomeShortlist(
        candidates=(*named, *_ranked(kept, query, here, limits.commands)),
        dropped=(*_excluded(who.left_out), *_dropped(found, len(kept))),
        unplaced=who.unplaced,
        idle=who.idle,
        sensors=_sensors(query, found, here),
        near=tuple(near[: limits.near]),
        weak=tuple(_ranked(weak, query, here, limits.commands)),
        uncounted=uncounted,
    )


def _nearly(
    query: QueryIR, found: Sequence[Match], here: Standpoint, who: Members, *, asks: bool
) -> tuple[list[DeviceCandidate], list[Match]]:
    """What is nearest in meaning, and what may be asked about, where not every word is known."""
    if not asks:
        return [], []
    near = nearest(query, found, here, who.left_out)
    return near, weakly_meant(query, found, near, here, who.left_out)


def _meant(query: QueryIR, who: Members, here: Standpoint) -> Sequence[Match]:
    """The devices a query may mean: those its words name, earlier turns mentioned, or its act is made for."""
    found: Sequence[Match] = who.found
    if query.antecedents or query.other_than is not None:
        spoken = [m for m in spoken_of(query, here) if m.device_id not in who.left_out]
        found = spoken or (() if query.references else found)
    if query.inherited and is_another(query, found, here.index):
        return unnamed(query.about(), here, who.left_out)
    return found or unnamed(query, here, who.left_out)


def _sensors(
    query: QueryIR, found: Sequence[Match], here: Standpoint
) -> tuple[tuple[DeviceCandidate, ...], ...]:
    """What may tell of each condition."""
    placed = bool(query.scope_include)
    return tuple(sensors(c.mention, found, here, placed=placed) for c in query.conditions)


def _counted(query: QueryIR, found: Sequence[Match], here: Standpoint) -> tuple[Sequence[Match], str]:
    """The one that an ordinal counts out, if one does; its word, where there is no such one."""
    ordinal = ordinal_of(query)
    if ordinal is None or not found:
        return found, ""
    one = counted_out(int(float(str(ordinal.data["value"]))), found, here.index)
    return (one, "") if one else (found, ordinal.text)


def _ranked(kept: Sequence[Match], query: QueryIR, here: Standpoint, commands: int) -> list[DeviceCandidate]:
    """Every device that is kept with its likeliest commands, best first."""
    if not kept:
        return []
    lanes = CommandLanes(query, here.index)
    found = [c for match in kept for c in candidates(match, lanes, here, commands)]
    return sorted(found, key=lambda c: -c.score)


def _excluded(left_out: Collection[str]) -> Iterator[Dropped]:
    return (Dropped(device_id, "exclude", "excluded by the sentence") for device_id in sorted(left_out))


def _dropped(found: Sequence[Match], kept: int) -> Iterator[Dropped]:
    """What was looked at and left out, with the reason."""
    for match in found:
        if match.missing:
            yield Dropped(match.device_id, "recall", "not explained: " + ", ".join(match.missing))
    for match in found[kept:]:
        if not match.missing:
            yield Dropped(match.device_id, "recall", "below the cut")
