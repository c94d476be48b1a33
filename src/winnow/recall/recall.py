"""Reading -> Shortlists: devices by their names and places, commands by their documents, fused by id with their evidence."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.recall.commands import CommandLanes
from winnow.recall.devices import Match, dropped, match_devices
from winnow.recall.index import HomeIndex
from winnow.text.lexicon import clusters
from winnow.types.dialogue import Utterance
from winnow.types.query import QueryIR, Reading
from winnow.types.shortlist import Candidate, Dropped, Evidence, Shortlist

DEVICES = 24
"""Devices kept for one query of one device."""
COMMANDS = 4
"""Commands kept for each of them."""


def recall(reading: Reading, index: HomeIndex, utterance: Utterance) -> tuple[Shortlist, ...]:
    """One shortlist a query, in order. Nothing here decides: a set keeps every member."""
    room = index.view.room_named(utterance.room) if utterance.room else None
    return tuple(shortlist(query, index, room.id if room else None) for query in reading.queries)


def shortlist(query: QueryIR, index: HomeIndex, area: str | None) -> Shortlist:
    """The candidates of one query."""
    excluded = excluded_ids(query, index, area)
    scenes = _scenes(query)
    found = [m for m in match_devices(query.target.tokens, index, area) if m.device_id not in excluded]
    if not found and not scenes:
        found = _unnamed(query, index, area, excluded)
    lanes = CommandLanes(query, index)
    whole = [m for m in found if not m.missing]
    kept = found[: max(DEVICES, len(whole))]
    candidates = sorted((c for m in kept for c in _candidates(m, lanes, index, area)), key=lambda c: -c.score)
    out = [Dropped(i, "exclude", "excluded by the sentence") for i in sorted(excluded)]
    return Shortlist((*scenes, *candidates), tuple([*out, *dropped(found, len(kept))]))


def excluded_ids(query: QueryIR, index: HomeIndex, area: str | None) -> frozenset[str]:
    """Devices taken away before anything is searched (law 4): a registered room first, a name when there is none."""
    out: set[str] = set()
    for mention in query.excluded:
        out.update(m.device_id for m in match_devices(mention.tokens, index, area) if not m.missing)
    return frozenset(out)


def _scenes(query: QueryIR) -> list[Candidate]:
    return [
        Candidate(ref, "scene", 3.0, (Evidence("name", 1.0, t.text), Evidence("trait", 1.0, "Scene.Run")))
        for t in query.target.tokens
        if t.kind == "scene" and (query.action or not t.data.get("partial"))
        for ref in t.refs
    ]


GENERIC = frozenset({"on", "on_open", "off", "off_close", "open", "close", "start", "stop", "toggle", "set", "leave"})
"""Verbs that fit too much to say what they are for."""


def _unnamed(query: QueryIR, index: HomeIndex, area: str | None, excluded: frozenset[str]) -> list[Match]:
    """No device was named: those of the speaker's room, else of the home, that have the command meant first, of the kinds first thought of."""
    if not query.action_cluster or query.references or query.target.tokens or (query.action in GENERIC and not query.property and not query.value):
        return []
    ids = index.by_room.get(area, frozenset()) if area else index.all_ids
    ids = ids - excluded
    preferred = clusters()["preferred"].get(query.property, ())
    likely = [i for i in ids if set(preferred) & set(index.view.devices[i].kinds)]
    return [Match(i, coverage=1.0) for i in _ablest(likely or sorted(ids), query, index)]


def _ablest(ids: Sequence[str], query: QueryIR, index: HomeIndex) -> list[str]:
    """The devices whose best command stands first in the cluster."""
    order = {trait: n for n, trait in enumerate(query.action_cluster)}
    ranks = {
        p.id: min((order[c.trait] for c in p.commands if c.trait in order), default=len(order))
        for p in index.home.profiles
    }
    ranked = [(ranks.get(index.view.devices[i].profile_id, len(order)), i) for i in ids]
    best = min((r for r, _ in ranked), default=len(order))
    return sorted(i for r, i in ranked if r == best and r < len(order))


def _candidates(match: Match, lanes: CommandLanes, index: HomeIndex, area: str | None) -> list[Candidate]:
    device = index.view.devices[match.device_id]
    evidence = [*match.evidence, Evidence("coverage", round(match.coverage, 3)), Evidence("exact", round(match.exact, 3))]
    if area and device.room_id == area:
        evidence.append(Evidence("area", 1.0, area))
    if match.missing:
        evidence.append(Evidence("missing", 0.0, "\t".join(match.missing)))
    base = 2.0 * match.coverage + 0.5 * match.exact + (0.2 if area and device.room_id == area else 0.0)
    commands = lanes.of(device.profile_id)[:COMMANDS]
    if not commands:
        return [Candidate(device.id, "", base, tuple(evidence))]
    return [Candidate(device.id, m.command.key, base + 0.5 * m.score, (*evidence, *m.evidence)) for m in commands]
