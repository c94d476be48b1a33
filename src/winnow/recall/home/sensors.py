"""Which device may answer a condition."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from winnow.recall.home.devices import Match, fitting, fitting_ids, inferred
from winnow.recall.home.standpoint import Standpoint
from winnow.recall.home.words import words
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import Mention, Token

NEARBY = 0.5
"""Coverage of what no word names and that only stands near."""


def sensors(mention: Mention, found: Collection[Match], here: Standpoint) -> tuple[DeviceCandidate, ...]:
    """What may tell whether a condition on ``mention`` holds, best first.

    What it names; where it names nothing, what stands in the rooms of ``found``, else in the speaker's.
    """
    told = _named(mention, here) if mention.tokens else inferred(_nearby(found, here), NEARBY)
    return tuple(DeviceCandidate.of(m.device_id, "", m.score, m.evidence, "sensor") for m in told)


def _named(mention: Mention, here: Standpoint) -> list[Match]:
    return fitting(mention.tokens, here) or _contacts(mention, here)


def _nearby(found: Collection[Match], here: Standpoint) -> list[str]:
    """The devices of the rooms of what was found, else of the speaker's, room by room."""
    index = here.index
    rooms = {index.view.devices[m.device_id].room_id for m in found if not m.missing}
    where = sorted(room for room in rooms if room) or [here.area or ""]
    return [i for room in where for i in sorted(index.spoken(index.by_room.get(room, ())))]


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
