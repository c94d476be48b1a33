"""Reading -> Shortlists.

Devices by their names and places, commands by their documents, fused by id with their evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.families import STARTING, STOPPING
from winnow.language.lexicon import clusters, type_words
from winnow.recall.home.commands import CommandLanes
from winnow.recall.home.devices import Match, dropped, match_devices
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.nearness import nearest
from winnow.types.catalog import Device
from winnow.types.dialogue import Utterance
from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.query import Mention, Quantifier, QueryIR, Reading
from winnow.types.shortlist import Dropped, Evidence

DEVICES = 24
"""Devices kept for one query of one device."""
COMMANDS = 4
"""Commands kept for each of them."""


def recall(reading: Reading, index: HomeIndex, utterance: Utterance) -> tuple[HomeShortlist, ...]:
    """One shortlist a query, in order. Nothing here decides: a set keeps every member."""
    room = index.view.room_named(utterance.room) if utterance.room else None
    ordered = reading.intent == "command"
    return tuple(
        shortlist(query, index, room.id if room else None, ordered=ordered) for query in reading.queries
    )


def shortlist(query: QueryIR, index: HomeIndex, area: str | None, *, ordered: bool = True) -> HomeShortlist:
    """The candidates of one query.

    Of one that is ``ordered`` and finds nothing, what is nearest in meaning.
    """
    excluded, unplaced = excluded_ids(query, index, area)
    scenes = _scenes(query)
    found = [m for m in match_devices(query.target.tokens, index, area) if m.device_id not in excluded]
    if query.antecedents or query.other_than is not None:
        found = _spoken_of(query, index, area) or ([] if query.references else found)
    if query.inherited and _is_another(query, [m.device_id for m in found if not m.missing], index):
        found = _unnamed(query.about(), index, area, excluded)
    elif not found and not scenes:
        found = _unnamed(query, index, area, excluded)
    lanes = CommandLanes(query, index)
    whole = [m for m in found if not m.missing]
    kept = found[: max(DEVICES, len(whole))]
    candidates = sorted((c for m in kept for c in _candidates(m, lanes, index, area)), key=lambda c: -c.score)
    out = [Dropped(i, "exclude", "excluded by the sentence") for i in sorted(excluded)]
    sensors = tuple(_sensors(c.mention, found, index, area) for c in query.conditions)
    near = nearest(query, found, index, area, excluded) if ordered and not scenes else ()
    return HomeShortlist(
        "home", (*scenes, *candidates), (*out, *dropped(found, len(kept))), unplaced, sensors, near
    )


def _sensors(
    mention: Mention, found: Sequence[Match], index: HomeIndex, area: str | None
) -> tuple[DeviceCandidate, ...]:
    """What may tell whether a condition holds.

    What it names, else what stands in the rooms of the target, else in the speaker's.
    """
    named = [m for m in match_devices(mention.tokens, index, area) if not m.missing] or _contacts(
        mention, index, area
    )
    if not mention.tokens:
        rooms = {index.view.devices[m.device_id].room_id for m in found if not m.missing} - {None} or (
            {area} if area else set()
        )
        named = [
            Match(i, coverage=0.5)
            for r in sorted(r for r in rooms if r)
            for i in sorted(index.by_room.get(r, ()))
        ]
    return tuple(
        DeviceCandidate.of(m.device_id, "", 2.0 * m.coverage + 0.5 * m.exact, m.evidence, "sensor")
        for m in named
    )


CONTACTS = {"window": ("窗", "window"), "door": ("门", "door"), "outer_door": ("门", "door")}
"""What a contact sensor is called that tells of a window or a door."""


def _contacts(mention: Mention, index: HomeIndex, area: str | None) -> list[Match]:
    """The contact sensors of a window or a door that is no device itself.

    Those named after it, where the rest of the words say.
    """
    words = next(
        (
            CONTACTS[k]
            for t in mention.tokens
            if t.kind == "type" and (k := str(t.data.get("is"))) in CONTACTS
        ),
        (),
    )
    rest = [t for t in mention.tokens if t.kind != "type"]
    placed = (
        {m.device_id for m in match_devices(rest, index, area) if not m.missing} if rest else index.all_ids
    )
    told = index.by_kind.get("contact_sensor", frozenset()) & placed
    return [
        Match(i, coverage=1.0)
        for i in sorted(told)
        if any(w in name for w in words for name in index.names[i])
    ]


def excluded_ids(
    query: QueryIR, index: HomeIndex, area: str | None
) -> tuple[frozenset[str], tuple[str, ...]]:
    """(devices taken away before anything is searched (law 4), exceptions that match none)."""
    out: set[str] = set()
    unplaced: list[str] = []
    for mention in query.excluded:
        found = {m.device_id for m in match_devices(mention.tokens, index, area) if not m.missing}
        out |= _proper(found, mention, index)
        if not found:
            unplaced.append(mention.text)
    for mention in query.things.plus:
        out -= {m.device_id for m in match_devices(mention.tokens, index, area) if not m.missing}
    return frozenset(out), tuple(unplaced)


def _is_another(query: QueryIR, handed_on: Sequence[str], index: HomeIndex) -> bool:
    """``turn on the tv and raise the temperature``.

    An act that what was named before it cannot do, and that does not point at it.
    """
    return (
        bool(handed_on)
        and not _ablest(handed_on, query, index)
        and not any(t.kind == "reference" for t in query.tokens)
    )


COVERS = frozenset({"curtain", "blind", "shade", "awning", "garage_door", "gate"})
"""Kinds that are all covers, and none of another's kind."""


def _proper(found: set[str], mention: Mention, index: HomeIndex) -> set[str]:
    """What an exception means by a kind of cover.

    Not the curtains for ``leave the blinds``, unless there is nothing else.
    """
    kinds = {
        kind
        for t in mention.tokens
        if t.data.get("plural") and t.kind == "type"
        for kind in type_words()[str(t.data.get("is"))].kinds
    }
    other = {i for i in found if kinds and set(index.view.devices[i].kinds[:1]) & COVERS - kinds}
    return found - other or found


def _scenes(query: QueryIR) -> list[DeviceCandidate]:
    return [
        DeviceCandidate.of(
            ref, "", 3.0, (Evidence("name", 1.0, t.text), Evidence("trait", 1.0, "Scene.Run")), "scene"
        )
        for t in query.target.tokens
        if t.kind == "scene"
        and (not t.data.get("partial") or (query.action and len(query.target.tokens) == 1))
        for ref in t.refs
    ]


def _spoken_of(query: QueryIR, index: HomeIndex, area: str | None) -> list[Match]:
    """What earlier turns mentioned.

    The last that can do it, all of them for ``both``, its fellows for ``the other one``.
    """
    if query.other_than is not None:
        return _fellows(query, query.other_than, index, area)
    named = {m.device_id for m in match_devices(query.target.tokens, index, area) if not m.missing}
    able = [_able_ones(query, mention, named, index, area) for mention in query.antecedents]
    if query.quantifier is Quantifier.ALL:
        return [m for found in able for m in found]
    if _bare_number(query):  # a shade is set in percent, and whoever means that says so
        able.sort(key=lambda found: all("cover" in index.view.devices[m.device_id].kinds for m in found))
    return next((found for found in able if found), [])


def _able_ones(
    query: QueryIR, mention: Mention, named: set[str], index: HomeIndex, area: str | None
) -> list[Match]:
    """The devices of one earlier mention that can do what is asked now."""
    found = [
        m
        for m in match_devices(mention.tokens, index, area)
        if not m.missing and (m.device_id in named or not query.target.tokens)
    ]
    best = (
        [m for m in found if m.coverage + m.exact >= found[0].coverage + found[0].exact - 0.1]
        if found
        else []
    )
    able = (
        set(_ablest([m.device_id for m in best], query, index))
        if query.action_cluster
        else {m.device_id for m in best}
    )
    return [m for m in best if m.device_id in able]


def _bare_number(query: QueryIR) -> bool:
    value = query.value
    return (
        value is not None
        and value.kind == "absolute"
        and value.number is not None
        and not value.unit
        and not query.property
    )


def _fellows(query: QueryIR, other: Mention, index: HomeIndex, area: str | None) -> list[Match]:
    """Devices of the same kind as ``other``, of its room when there are some, without it."""
    meant = [m for m in match_devices(other.tokens, index, area) if not m.missing][:1]
    if not meant:
        return []
    device = index.view.devices[meant[0].device_id]
    if query.references:
        return [Match(i, coverage=1.0) for i in _ablest(_beside(device, index), query, index)]
    same = [i for i in index.by_kind.get(device.kinds[0], ()) if i != device.id]
    near = [i for i in same if index.view.devices[i].room_id == device.room_id] or same
    return [Match(i, coverage=1.0) for i in _ablest(sorted(near), query, index)]


def _beside(device: Device, index: HomeIndex) -> list[str]:
    """What stands in the room of a device and is of its sort in the widest sense.

    The blinds for the curtains.
    """
    near = index.by_room.get(device.room_id or "", frozenset()) - {device.id}
    return sorted(i for i in near if set(index.view.devices[i].kinds) & set(device.kinds))


GENERIC = STARTING | STOPPING | {"toggle", "set", "leave"}
"""Verbs that fit too much to say what they are for."""


def _unnamed(query: QueryIR, index: HomeIndex, area: str | None, excluded: frozenset[str]) -> list[Match]:
    """No device was named: those of the speaker's room, else of the home, that have the command meant first."""
    if (
        not query.action_cluster
        or query.references
        or query.target.tokens
        or (query.action in GENERIC and not query.property and not query.value)
    ):
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


def _candidates(
    match: Match, lanes: CommandLanes, index: HomeIndex, area: str | None
) -> list[DeviceCandidate]:
    device = index.view.devices[match.device_id]
    evidence = [
        *match.evidence,
        Evidence("coverage", round(match.coverage, 3)),
        Evidence("exact", round(match.exact, 3)),
    ]
    if area and device.room_id == area:
        evidence.append(Evidence("area", 1.0, area))
    if match.missing:
        evidence.append(Evidence("missing", 0.0, "\t".join(match.missing)))
    base = 2.0 * match.coverage + 0.5 * match.exact + (0.2 if area and device.room_id == area else 0.0)
    commands = lanes.of(device.profile_id)[:COMMANDS]
    if not commands:
        return [DeviceCandidate.of(device.id, "", base, tuple(evidence))]
    return [
        DeviceCandidate.of(device.id, m.command.key, base + 0.5 * m.score, (*evidence, *m.evidence))
        for m in commands
    ]
