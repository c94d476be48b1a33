"""What is nearest in meaning to words that nothing in the home is found by.

It is named to the person and never acted on.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.lexicon import type_words
from winnow.recall.home.devices import Match, explain
from winnow.recall.home.index import HomeIndex
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import QueryIR, Token
from winnow.types.shortlist import Evidence

MOST = 3
"""Things named."""
LEAD = 0.1
"""Cosine by which the others may stay behind the nearest."""
THINGS = frozenset({"name", "nameword", "group", "type", "word"})
SETTINGS = frozenset({"mode", "choice"})
"""Words that are part of a name where it follows at once: ``热风机`` is no warm ``机``."""
PLACES = frozenset({"room", "floor", "zone"})


def nearest(
    query: QueryIR, found: Sequence[Match], index: HomeIndex, area: str | None, excluded: frozenset[str]
) -> tuple[DeviceCandidate, ...]:
    """Up to three devices or scenes, nearest first, in the place that was said; none where a device explains every word of the mention.

    None either where the embedder knows spelling only: words of one spelling are found without it.
    """
    least, said = index.embedder.alike, _said(query)
    if least is None or len(said) < 2 or query.negated or any(not m.missing for m in found):
        return ()
    placed = _placed(
        query, index, area
    )  # looked at last: where something far nearer stands elsewhere, that was meant
    near = [
        c
        for c in alike(said, index, least, area)
        if c.device_id not in excluded and (placed is None or c.device_id in placed)
    ]
    return tuple(near[:MOST])


def alike(said: str, index: HomeIndex, least: float, area: str | None = None) -> list[DeviceCandidate]:
    """Whatever in the home has a cosine of at least ``least`` with the words, and about that of the nearest: nearest first.

    Of equally near things those in ``area`` come first.
    """
    found = index.by_meaning().alike(said, least)
    best = max((score for score, _ in found.values()), default=0.0)
    kept = [(i, score, text) for i, (score, text) in found.items() if score > best - LEAD]
    kept.sort(key=lambda row: (-row[1], _away(row[0], index, area), row[0]))
    scenes = index.view.scenes
    return [
        DeviceCandidate.of(
            i, "", score, (Evidence("near", round(score, 3), text),), "scene" if i in scenes else "device"
        )
        for i, score, text in kept
    ]


def _said(query: QueryIR) -> str:
    """The words for the thing, where it is an order about one.

    ``thing`` alone names none, and where no act is known only kinds do.
    """
    named = [t for t in query.target.tokens if t.kind in THINGS and not _anything(t)]
    if not query.action_cluster:
        named = [t for t in named if t.kind == "type"]
    before = [t for t in query.tokens if t.kind in SETTINGS and named and named[0].start - t.end in {0, 1}]
    return " ".join(t.text for t in (*before, *named))


def _anything(token: Token) -> bool:
    return token.kind == "type" and type_words()[str(token.data.get("is"))].kinds == ("*",)


def _placed(query: QueryIR, index: HomeIndex, area: str | None) -> frozenset[str] | None:
    """What stands in the place that was said; None where none was."""
    places = [frozenset(explain(t, index, area)) for t in query.target.tokens if t.kind in PLACES]
    return frozenset.intersection(*places) if places else None


def _away(thing_id: str, index: HomeIndex, area: str | None) -> bool:
    """Whether it stands elsewhere than the person who speaks."""
    room = index.view.room(thing_id)
    return area is not None and (room is None or room.id != area)
