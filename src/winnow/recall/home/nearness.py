"""What is nearest in meaning to words that nothing in the home is found by.

It is named to the person and never acted on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from winnow.recall.home.devices import Match
from winnow.recall.home.explain import explain, type_word
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import PLACE_KINDS, QueryIR, Token
from winnow.types.ref import RefKind
from winnow.types.shortlist import Evidence

LEAD = 0.1
"""Cosine by which the others may stay behind the nearest."""
THINGS = frozenset({"name", "nameword", "group", "type", "word"})
SETTINGS = frozenset({"mode", "choice"})
"""Words that are part of a name where it follows at once: ``热风机`` is no warm ``机``."""


def nearest(
    query: QueryIR, found: Sequence[Match], here: Standpoint, left_out: Collection[str]
) -> list[DeviceCandidate]:
    """Devices and scenes near to the words, nearest first, in the place that was said.

    None where a device explains every word of the mention, and none where the embedder knows spelling only:
    words of one spelling are found without it.
    """
    least, said = here.index.embedder.alike, _said(query)
    if least is None or len(said) < 2 or query.negated or any(not m.missing for m in found):
        return []
    placed = _placed(query, here)
    near = alike(
        said, here, least
    )  # of the whole home: where something far nearer stands elsewhere, that was meant
    return [c for c in near if c.device_id not in left_out and (placed is None or c.device_id in placed)]


def alike(said: str, here: Standpoint, least: float) -> list[DeviceCandidate]:
    """What has a cosine of at least ``least`` with the words, and about that of the nearest: nearest first.

    Of equally near things those of the speaker's room come first.
    """
    found = here.index.by_meaning().alike(said, least)
    best = max((score for score, _ in found.values()), default=0.0)
    kept = [(i, score, text) for i, (score, text) in found.items() if score > best - LEAD]
    kept.sort(key=lambda row: (-row[1], _away(row[0], here), row[0]))
    return [_near(i, score, text, here.index) for i, score, text in kept]


def _near(thing_id: str, score: float, text: str, index: HomeIndex) -> DeviceCandidate:
    kind: RefKind = "scene" if thing_id in index.view.scenes else "device"
    return DeviceCandidate.of(thing_id, "", score, (Evidence("near", round(score, 3), text),), kind)


def _said(query: QueryIR) -> str:
    """The words for the thing, where it is an order about one, and those of a setting right before them."""
    named = _naming(query)
    if not named:
        return ""
    start = named[0].start
    before = [t for t in query.tokens if t.kind in SETTINGS and start - t.end in {0, 1}]
    return " ".join(t.text for t in (*before, *named))


def _naming(query: QueryIR) -> list[Token]:
    """The words for the thing: ``thing`` alone names none, and where no act is known only kinds do."""
    named = [t for t in query.target.tokens if t.kind in THINGS and not _anything(t)]
    return named if query.action_cluster else [t for t in named if t.kind == "type"]


def _anything(token: Token) -> bool:
    return token.kind == "type" and type_word(token).kinds == ("*",)


def _placed(query: QueryIR, here: Standpoint) -> frozenset[str] | None:
    """What stands in the place that was said; None where none was."""
    places = [frozenset(explain(t, here)) for t in query.target.tokens if t.kind in PLACE_KINDS]
    return frozenset.intersection(*places) if places else None


def _away(thing_id: str, here: Standpoint) -> bool:
    """Whether it stands elsewhere than the person who speaks."""
    room = here.index.view.room(thing_id)
    return here.area is not None and (room is None or room.id != here.area)
