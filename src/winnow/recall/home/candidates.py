"""Devices with the commands that may be meant, and scenes, as candidates with their evidence."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.recall.home.commands import CommandLanes
from winnow.recall.home.devices import Match
from winnow.recall.home.standpoint import Standpoint
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import QueryIR, Token
from winnow.types.ref import Ref
from winnow.types.shortlist import Evidence

SCENE = 3.0
"""Score of a scene that was named; no device has more."""
AREA = 0.2
"""What a device gains by standing in the speaker's room."""
COMMAND = 0.5
"""What the lanes of its commands count for beside the words for the device."""


def scenes(query: QueryIR) -> list[DeviceCandidate]:
    """The scenes that were named."""
    return [
        DeviceCandidate.of(ref, "", SCENE, _run(token), "scene")
        for token in query.target.tokens
        if token.kind == "scene" and _meant(token, query)
        for ref in token.refs
    ]


def _run(token: Token) -> tuple[Evidence, ...]:
    return Evidence("name", 1.0, token.text), Evidence("trait", 1.0, "Scene.Run")


def _meant(token: Token, query: QueryIR) -> bool:
    """A part of a scene's name means it only with an act, and with no word beside it."""
    return not token.data.get("partial") or (bool(query.action) and len(query.target.tokens) == 1)


def candidates(match: Match, lanes: CommandLanes, here: Standpoint, most: int) -> list[DeviceCandidate]:
    """A device with each of its ``most`` likeliest commands; the device alone where it has none."""
    device = here.index.view.devices[match.device_id]
    beside = here.area is not None and device.room_id == here.area
    score = match.score + (AREA if beside else 0.0)
    evidence = (*match.evidence, *_of_device(match, here.area if beside else None))
    ref, commands = Ref("device", device.id), lanes.of(device.profile_id, most)
    if not commands:
        return [DeviceCandidate(ref, evidence, score)]
    return [
        DeviceCandidate(ref, (*evidence, *c.evidence), score + COMMAND * c.score, c.command.key)
        for c in commands
    ]


def _of_device(match: Match, area: str | None) -> Iterator[Evidence]:
    yield Evidence("coverage", round(match.coverage, 3))
    yield Evidence("exact", round(match.exact, 3))
    if area:
        yield Evidence("area", 1.0, area)
    if match.missing:
        yield Evidence("missing", 0.0, "\t".join(match.missing))
