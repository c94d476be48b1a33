"""Which devices a mention may mean: each of its words is explained by each device, or not."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from winnow.language.lexicon import TypeWord, type_words
from winnow.language.normalise import fold
from winnow.recall.home.index import HomeIndex, singular
from winnow.types.catalog import Room
from winnow.types.query import Token
from winnow.types.shortlist import Dropped, Evidence

WEIGHT = {
    "name": 3.0,
    "nameword": 1.5,
    "type": 1.5,
    "room": 1.5,
    "floor": 1.0,
    "zone": 1.0,
    "word": 1.2,
    "group": 3.0,
}
"""How much each kind of word counts in the coverage of a mention."""
HELD = 0.9
"""Explanation of a word that a name merely holds."""
LIKE = 0.75
"""Explanation of a kind by its next of kin: a blind for a curtain."""
UNREGISTERED = 0.5
"""Explanation of a place by a device that was put in no room at all but whose whole name was said."""


@dataclass(slots=True)
class Match:
    """How well one device explains a mention."""

    device_id: str
    coverage: float = 0.0
    """0..1, share of the mention's weight that the device explains."""
    exact: float = 0.0
    """0..1, share of the device's name that was said."""
    evidence: list[Evidence] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Words of the mention it does not explain."""


HEADED = 0.95
"""Least share of a name that ends with the last word said: what comes last in a name is what the thing is."""
LOOSE = 0.8
"""Type words below this mean one make: where a name holds the word, the kind alone is not meant."""
Explained = dict[str, tuple[float, str]]


def match_devices(tokens: Sequence[Token], index: HomeIndex, area: str | None) -> list[Match]:
    """Devices that explain at least the naming words of the mention, best first."""
    content = [t for t in tokens if t.kind in WEIGHT]
    if not content:
        return []
    tables = [
        (t, explain(t, index, area, after)) for t, after in zip(content, [*content[1:], None], strict=True)
    ]
    total = sum(WEIGHT[t.kind] for t in content)
    ids: set[str] = set()
    for token, table in tables:
        if token.kind not in {"room", "floor", "zone"} or len(tables) == 1 or token.data.get("named"):
            ids.update(table)
    if not ids:
        ids.update(*(table for _, table in tables))
    found = [_match(device_id, tables, total, index) for device_id in _worth(ids, tables, index)]
    found.sort(key=lambda m: (-m.coverage, -m.exact, m.device_id))
    return found


CLOSE = 48
"""Devices that explain only a part of a mention and are still looked at more closely."""


def _worth(ids: Iterable[str], tables: Sequence[tuple[Token, Explained]], index: HomeIndex) -> list[str]:
    """The devices worth a closer look.

    All that explain everything or stand in no room, and the best of the rest.
    """
    whole: list[str] = []
    part: list[tuple[float, str]] = []
    for device_id in ids:
        coverage = 0.0
        missing = False
        for token, table in tables:
            told = table.get(device_id)
            if told is None:
                missing = True
            else:
                coverage += told[0] * WEIGHT[token.kind]
        if missing and index.view.devices[device_id].room_id is not None:
            part.append((-coverage, device_id))
        else:
            whole.append(device_id)
    return [*whole, *(device_id for _, device_id in heapq.nsmallest(CLOSE, part))]


def _match(
    device_id: str, tables: Sequence[tuple[Token, Explained]], total: float, index: HomeIndex
) -> Match:
    match = Match(device_id)
    said: list[Token] = []
    for token, table in tables:
        score, lane = table.get(device_id, (0.0, ""))
        if score:
            score *= float(str(token.data.get("heard", 1.0)))
            match.coverage += score * WEIGHT[token.kind] / total
            match.evidence.append(Evidence(lane, round(score, 3), token.text))
            if token.kind not in {"floor", "zone"}:
                said.append(token)
        else:
            match.missing.append(token.text)
    kind_alone = all(t.kind == "type" for t in said)
    match.exact = max(
        (
            _said_share(name, said, None if kind_alone else index.view.room(device_id))
            for name in index.names[device_id]
        ),
        default=0.0,
    )
    if match.exact < 1.0 and kind_alone:
        match.exact = _kind_share(device_id, said, index)
    elif match.exact < HEADED and any(
        name.endswith(fold(t.text)) for t in said[-1:] for name in index.names[device_id]
    ):
        match.exact = HEADED
    if match.missing and match.exact > 0.99 and index.view.room(device_id) is None:
        _excuse_places(match, [t for t, table in tables if device_id not in table], total)
    return match


def _excuse_places(match: Match, missing: Sequence[Token], total: float) -> None:
    """A device in no room cannot contradict a place, if its whole name was said."""
    if all(t.kind in {"room", "floor", "zone"} for t in missing):
        match.coverage += sum(UNREGISTERED * WEIGHT[t.kind] for t in missing) / total
        match.missing.clear()
        match.evidence.append(Evidence("unplaced", UNREGISTERED, " ".join(t.text for t in missing)))


def _kind_share(device_id: str, said: Sequence[Token], index: HomeIndex) -> float:
    """A kind alone prefers no name that ends with it, and none that only begins with it.

    A desk lamp is no desk.
    """
    kinds = set(index.view.devices[device_id].kinds)
    shares = [
        _kind_told(fold(t.text), index.names[device_id], type_words()[str(t.data.get("is"))], kinds)
        for t in said
    ]
    return max(shares, default=0.0)


def _kind_told(text: str, names: Iterable[str], word: TypeWord, kinds: set[str]) -> float:
    held = [name for name in names if text in name]
    if not held:
        return 0.5 if word.specific >= 1 and word.kinds[:1] and word.kinds[0] in kinds else 0.0
    return 0.5 if kinds & set(word.kinds) or any(name.endswith(text) for name in held) else 0.0


def _said_share(name: str, said: Iterable[Token], room: Room | None) -> float:
    """Share of a folded name that the words cover; the name of ``room`` inside it counts as said."""
    if not name:
        return 0.0
    left = name
    for text in [fold(t.text) for t in said] + ([fold(room.name)] if room else []):
        if text and text in left:
            left = left.replace(text, "", 1)
        elif text.endswith("s") and text[:-1] in left:
            left = left.replace(text[:-1], "", 1)
    return 1.0 - len(left) / len(name)


def explain(token: Token, index: HomeIndex, area: str | None, after: Token | None = None) -> Explained:
    """Device id -> (how well it explains the word, by which lane).

    A lone character counts only together with the word ``after`` it.
    """
    kind = token.kind
    joined = token.data.get("joined")
    if isinstance(joined, tuple):
        return {i: told for part in joined for i, told in explain(part, index, area).items()}
    if kind == "type":
        return _type(token, index)
    if kind == "room":
        return _room(token, index)
    if kind == "floor":
        return dict.fromkeys((i for ref in token.refs for i in index.by_floor.get(ref, ())), (1.0, "floor"))
    if kind == "zone":
        zone = dict.fromkeys(index.holding(token.text), (HELD, "contains"))
        return {**zone, **_zone(str(token.data.get("is")), index, area)}
    text = token.text
    if token.data.get("part"):
        return dict.fromkeys(
            (i for i in index.holding(text) if _in_its_place(token, index.names[i])), (HELD, "contains")
        )
    if kind == "word" and len(text) == 1 and not text.isdigit():
        text = text + after.text if after is not None and after.start == token.end else ""
    table: Explained = dict.fromkeys(
        index.room_words.get(singular(text), ()) if kind == "word" else (), (LIKE, "room.word")
    )
    table.update(dict.fromkeys(index.holding(text), (HELD, "contains")))
    table.update(dict.fromkeys(token.refs, (1.0, "name" if token.data.get("full") else "name.part")))
    return table


def _in_its_place(token: Token, names: Sequence[str]) -> bool:
    """Whether a part of a name stands where it was said to: first, last, as the whole of it, or anywhere."""
    part, where = fold(token.text), token.data["part"]
    return where == "any" or any(
        (where == "whole" and name == part)
        or (where == "first" and name.startswith(part))
        or (where == "last" and name.endswith(part))
        for name in names
    )


def _type(token: Token, index: HomeIndex) -> Explained:
    name = str(token.data.get("is"))
    word = type_words()[name]
    if word.kinds == ("*",):
        return dict.fromkeys(index.all_ids, (1.0, "type"))
    table: Explained = {}
    held = index.holding(token.text) if len(token.text) > 1 or word.specific < 1 else frozenset()
    if word.specific >= LOOSE or not held:
        for kind in word.like:
            table.update(dict.fromkeys(index.by_kind.get(kind, ()), (LIKE, "type.like")))
        for kind in word.kinds:
            table.update(dict.fromkeys(index.by_kind.get(kind, ()), (word.specific, "type")))
    table.update(dict.fromkeys(held if word.specific < 1 else held & index.carriers, (1.0, "name.part")))
    for device_id in index.by_type_named.get(name, ()):
        table.setdefault(device_id, (HELD, "contains"))
    named = token.data.get("named")
    if isinstance(named, tuple):
        table.update(dict.fromkeys(named, (1.0, "name")))
    return table


def _room(token: Token, index: HomeIndex) -> Explained:
    table: Explained = dict.fromkeys(index.holding(token.text), (HELD, "room.name"))
    for ref in token.refs:
        table.update(dict.fromkeys(index.by_room.get(ref, ()), (1.0, "room")))
    named = token.data.get("named")
    if isinstance(named, tuple):
        table.update(dict.fromkeys(named, (1.0, "name")))
    return table


def _zone(zone: str, index: HomeIndex, area: str | None) -> Explained:
    if zone in {"home", "indoor"}:
        return dict.fromkeys(index.all_ids, (1.0, "zone"))
    if zone == "here":
        return dict.fromkeys(index.by_room.get(area or "", ()), (1.0, "zone"))
    if zone == "this_floor":
        room = index.view.rooms.get(area or "")
        return dict.fromkeys(index.by_floor.get(room.floor_id or "", ()) if room else (), (1.0, "zone"))
    if zone == "outdoor":
        return dict.fromkeys(
            (i for r in _outdoor_rooms(index) for i in index.by_room.get(r, ())), (1.0, "zone")
        )
    return dict.fromkeys(
        (i for f in floors_of(zone, index, area) for i in index.by_floor.get(f, ())), (1.0, "zone")
    )


def floors_of(zone: str, index: HomeIndex, area: str | None) -> list[str]:
    """Floor ids above (``upstairs``) or below the speaker.

    Without a speaker, above or up to the ground floor.
    """
    floors = index.home.floors
    levels = {
        f.id: f.level if f.level is not None else _level_by_name(f.name, n) for n, f in enumerate(floors)
    }
    room = index.view.rooms.get(area or "")
    here = levels.get(room.floor_id or "") if room else None
    if here is None:
        here = min((level for level in levels.values() if level >= 0), default=0)
        return [f for f, level in levels.items() if (level > here if zone == "upstairs" else level <= here)]
    return [f for f, level in levels.items() if (level > here if zone == "upstairs" else level < here)]


def _level_by_name(name: str, order: int) -> int:
    text = name.lower()
    for level, words in (
        (0, ("basement", "地下")),
        (1, ("ground", "first", "一", "1", "main")),
        (2, ("second", "二", "2", "upper", "up")),
    ):
        if any(w in text for w in words):
            return level
    return order + 1


def _outdoor_rooms(index: HomeIndex) -> list[str]:
    words = (
        "院",
        "花园",
        "庭",
        "阳台",
        "露台",
        "yard",
        "garden",
        "patio",
        "porch",
        "terrace",
        "balcony",
        "outdoor",
        "outside",
        "veranda",
        "deck",
        "pool",
    )
    return [r.id for r in index.home.rooms if any(w in r.name.lower() for w in words)]


def dropped(found: Sequence[Match], kept: int) -> list[Dropped]:
    """What was looked at and left out, with the reason."""
    out = [
        Dropped(m.device_id, "recall", "not explained: " + ", ".join(m.missing)) for m in found if m.missing
    ]
    return out + [Dropped(m.device_id, "recall", "below the cut") for m in found[kept:] if not m.missing]
