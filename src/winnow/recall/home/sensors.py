"""Which device may answer a condition."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from winnow.language.normalise import fold
from winnow.recall.home.devices import WHOLE, Match, fitting, fitting_ids, inferred
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.recall.home.words import words
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import Mention, Token

NEARBY, FAR = 0.6, 0.0
"""Coverage of what no word names: of what stands in the room meant, and anywhere else in the home."""
OUTSIDE = "outdoor"


def sensors(
    mention: Mention, found: Collection[Match], here: Standpoint, *, placed: bool = False
) -> tuple[DeviceCandidate, ...]:
    """What may tell whether a condition on ``mention`` holds, best first.

    What it names; where it names nothing, what stands in the rooms of ``found``, if a place was said of it,
    else in the speaker's; where that is not known in the one room of ``found``, and behind that anywhere.
    """
    if mention.tokens:
        told = _named(mention, here)
        if any(t.data.get("is") == OUTSIDE for t in mention.tokens):
            told += _rest(told, here)
    else:
        told = inferred(_nearby(found, here, placed=placed), NEARBY)
        if here.area is None and not placed:
            told += _rest(told, here)
    return tuple(DeviceCandidate.of(m.device_id, "", m.score, m.evidence, "sensor") for m in told)


def _rest(told: Collection[Match], here: Standpoint) -> list[Match]:
    """All that is not among those told of: what is outside stands in any room, as an only sensor may."""
    known = {m.device_id for m in told}
    return inferred(sorted(here.index.spoken(here.index.all_ids) - known), FAR)


def _named(mention: Mention, here: Standpoint) -> list[Match]:
    return fitting(mention.tokens, here) or _contacts(mention, here)


def _nearby(found: Collection[Match], here: Standpoint, *, placed: bool) -> list[str]:
    """The devices of the room meant, room by room where it is several."""
    index, meant = here.index, _wholes(found, here.index)
    told = {index.view.devices[m.device_id].room_id or "" for m in meant}
    alone = len(told) == 1 and here.area is None
    there = placed or alone or _told_by_name(meant, index)
    where = sorted(told) if there else [here.area or ""]
    return [i for room in where for i in sorted(index.spoken(index.by_room.get(room, ())))]


def _wholes(found: Collection[Match], index: HomeIndex) -> list[Match]:
    """What every word means, without the parts of what is among it."""
    meant = {m.device_id: m for m in found if not m.missing}
    return [m for i, m in meant.items() if index.parts.get(i) not in meant]


def _told_by_name(meant: Sequence[Match], index: HomeIndex) -> bool:
    """Whether one thing was called by a name that tells the room it stands in."""
    if len(meant) != 1 or meant[0].exact < WHOLE:
        return False
    room = index.view.room(meant[0].device_id)
    return room is not None and any(fold(room.name) in name for name in index.names[meant[0].device_id])


def _contacts(mention: Mention, here: Standpoint) -> list[Match]:
    """The contact sensors of a window or a door that is no device itself.

    Those named after it, where the rest of the words say.
    """
    called = {word for t in mention.tokens for word in _contact_words(t)}
    rest = [t for t in mention.tokens if t.kind != "type"]
    placed = fitting_ids(rest, here) if rest else here.index.all_ids
    told = here.index.by_kind.get("contact_sensor", frozenset()) & placed
    return inferred(
        i for i in sorted(told) if any(word in name for word in called for name in here.index.names[i])
    )


def _contact_words(token: Token) -> Sequence[str]:
    """What a contact sensor is called that tells of the thing the word means."""
    told: Mapping[str, Sequence[str]] = words()["contacts"]
    return told.get(str(token.data.get("is")), ()) if token.kind == "type" else ()
