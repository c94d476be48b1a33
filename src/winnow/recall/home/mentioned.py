"""What a sentence mentions of a home, however little of it was understood: to be told, never acted on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

from winnow.recall.home.able import unnamed
from winnow.recall.home.devices import WEIGHT
from winnow.recall.home.explain import Explained, explain
from winnow.recall.home.standpoint import Standpoint
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import QueryIR, Token
from winnow.types.ref import RefKind
from winnow.types.shortlist import Evidence

MOST = 12
"""Devices and scenes kept of what is mentioned; a word for a kind may point to every lamp of a home."""
SAME = 0.5
"""Share of the most that is said of anything a word points to, from which on as much is said."""
POINTING = frozenset(WEIGHT) - {"zone"} | {"scene"}
"""Kinds of words that point to something."""
SCENE = 3.0
"""How much the name of a scene counts, as that of a device does."""


@dataclass(slots=True)
class _Pointed:
    """One device or scene with the words that point to it."""

    score: float = 0.0
    evidence: list[Evidence] = field(default_factory=list)


def mentioned(
    tokens: Sequence[Token], queries: Iterable[QueryIR], here: Standpoint, most: int = MOST
) -> tuple[DeviceCandidate, ...]:
    """The devices and scenes that words point to, those first that most and the rarest words do.

    A word counts by its kind, and the less the more it points to; each word once, and only for those of which
    most is said. Where no word points to anything: what the deeds of ``queries`` are made for. At most
    ``most``.
    """
    found: dict[str, _Pointed] = defaultdict(_Pointed)
    pointing = list(_pointing(tokens, here))
    for token, pointed in pointing:
        weight = WEIGHT.get(token.kind, SCENE) / (1 + log2(len(pointed)))
        for thing_id, (share, lane) in pointed.items():
            found[thing_id].score += weight * share
            found[thing_id].evidence.append(Evidence(lane, round(share, 3), token.text))
    best = {i for _, pointed in pointing for i in _best(pointed, found)}
    ranked = sorted(((i, found[i]) for i in best), key=lambda row: (-row[1].score, row[0]))
    candidates = [_candidate(thing_id, one, here) for thing_id, one in ranked]
    return tuple((candidates or list(_made_for(queries, here)))[:most])


def _best(pointed: Explained, found: Mapping[str, _Pointed]) -> Iterator[str]:
    """Those of what a word points to of which most is said: ``the lamp in the hall`` is no other lamp."""
    most = max(found[i].score for i in pointed)
    return (i for i in pointed if found[i].score >= SAME * most)


def _made_for(queries: Iterable[QueryIR], here: Standpoint) -> Iterator[DeviceCandidate]:
    """What the deeds are made for: by itself, or in the room of the person who speaks."""
    ids = (m.device_id for query in queries for m in unnamed(query.about(), here, ()))
    return (DeviceCandidate.of(i, "", 0.0, (Evidence("trait", 1.0),)) for i in dict.fromkeys(ids))


def _pointing(tokens: Iterable[Token], here: Standpoint) -> Iterator[tuple[Token, Explained]]:
    """Each word that points to something of the home, with what it points to."""
    seen: set[str] = set()
    for token in tokens:
        if token.kind in POINTING and token.text not in seen and (pointed := _pointed(token, here)):
            seen.add(token.text)
            yield token, pointed


def _pointed(token: Token, here: Standpoint) -> Explained:
    """The devices or scenes that one word points to, which may be meant without their exact name."""
    if token.kind == "scene":
        return dict.fromkeys(token.refs, (1.0, "name"))
    told = explain(token, here)
    if len(told) == len(here.index.all_ids):
        return {}  # ``everything`` points to nothing
    return {i: told[i] for i in told if i not in here.index.named or i in token.refs}


def _candidate(thing_id: str, pointed: _Pointed, here: Standpoint) -> DeviceCandidate:
    kind: RefKind = "scene" if thing_id in here.index.view.scenes else "device"
    return DeviceCandidate.of(thing_id, "", round(pointed.score, 3), pointed.evidence, kind)
