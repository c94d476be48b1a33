"""Which devices one word of a mention may mean, how well, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from winnow.language.lexicon import TypeWord, type_words
from winnow.language.normalize import fold
from winnow.retrieve.home.enrich import types_in
from winnow.retrieve.home.index import HomeIndex, singular, words
from winnow.types.home import Floor, Room
from winnow.types.query import PLACE_KINDS, Token

# Where a query is asked: one home, and the room of the person who speaks.


@dataclass(frozen=True, slots=True)
class Standpoint:
    """One home as it is from one of its rooms, or from nowhere in particular."""

    index: HomeIndex
    area: str | None = None
    """Id of the room the person stands in; None when it is not known."""

    @property
    def room(self) -> Room | None:
        """The room the person stands in."""
        return self.index.view.rooms.get(self.area or "")

    @property
    def beside(self) -> frozenset[str]:
        """The devices of that room."""
        return self.index.by_room.get(self.area or "", frozenset())

    @property
    def around(self) -> frozenset[str]:
        """The devices of that room, of the whole home where it is not known."""
        return self.beside if self.area else self.index.all_ids


# Which devices stand in a zone: here, upstairs, outdoors, in the whole home.


def in_zone(zone: str, here: Standpoint) -> Collection[str]:
    """The devices of a zone, by its canonical name."""
    index = here.index
    if zone in {"home", "indoor"}:
        return index.all_ids
    if zone == "here":
        return here.beside
    if zone == "outdoor":
        return {i for room in _outdoor_rooms(index) for i in index.by_room.get(room, ())}
    return {i for floor in floors_of(zone, here) for i in index.by_floor.get(floor, ())}


def floors_of(zone: str, here: Standpoint) -> list[str]:
    """Ids of the speaker's floor (``this_floor``), or of the floors above (``upstairs``) or below it.

    Without a speaker, above or up to the ground floor.
    """
    own = here.room.floor_id if here.room else None
    if zone == "this_floor":
        return [own] if own else []
    levels = _levels(here.index.home.floors)
    if own not in levels:
        return _from_the_ground(zone, levels)
    level = levels[own]
    return [floor for floor, n in levels.items() if (n > level if zone == "upstairs" else n < level)]


def _from_the_ground(zone: str, levels: Mapping[str, int]) -> list[str]:
    ground = min((n for n in levels.values() if n >= 0), default=0)
    return [floor for floor, n in levels.items() if (n > ground) == (zone == "upstairs")]


def _levels(floors: Sequence[Floor]) -> dict[str, int]:
    return {
        f.id: _level_by_name(f.name, order) if f.level is None else f.level for order, f in enumerate(floors)
    }


def _level_by_name(name: str, order: int) -> int:
    text = name.lower()
    for level, held in words()["levels"].items():
        if any(word in text for word in held):
            return int(level)
    return order + 1


def _outdoor_rooms(index: HomeIndex) -> list[str]:
    outdoor = words()["outdoor"]
    return [r.id for r in index.home.rooms if any(word in r.name.lower() for word in outdoor)]


HELD = 0.9
"""Explanation of a word that a name merely holds."""
LIKE = 0.75
"""Explanation of a kind by its next of kin: a blind for a curtain."""
LOOSE = 0.8
"""Type words below this mean one make: where a name holds the word, the kind alone is not meant."""
LABELLED = 0.7
"""Explanation of a word by a label that a device bears."""
Explained = dict[str, tuple[float, str]]
"""Device id -> (how well it explains a word, 0..1, by which lane)."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a mention with the devices it may mean."""

    token: Token
    key: str
    """Its text as names are compared with it."""
    weight: float
    """How much it counts in the coverage of the mention."""
    devices: Explained


def explain(token: Token, here: Standpoint, after: Token | None = None) -> Explained:
    """The devices a word may mean. A lone character counts only together with the word ``after`` it."""
    index = here.index
    if token.data.get("called"):
        return _named(token)
    joined = token.data.get("joined")
    if isinstance(joined, tuple):
        return {i: told for part in joined for i, told in explain(part, here).items()}
    if token.kind == "type":
        return _type(token, index)
    if token.kind in PLACE_KINDS:
        return _place(token, here)
    if token.data.get("part"):
        return _part(token, index)
    return _name(token, after, index)


def type_word(token: Token) -> TypeWord:
    """What a word for a kind may mean."""
    return type_words()[str(token.data.get("is"))]


def _all(ids: Iterable[str], score: float, lane: str) -> Explained:
    return dict.fromkeys(ids, (score, lane))


def _type(token: Token, index: HomeIndex) -> Explained:
    word = type_word(token)
    if word.kinds == ("*",):
        return _all(index.all_ids, 1.0, "type")
    loose = word.specific < 1
    held = index.holding(token.text) if len(token.text) > 1 or loose else frozenset()
    table = _of_kind(word, index) if word.specific >= LOOSE or not held else {}
    table.update(_all(held if loose else held & index.carriers, 1.0, "name.part"))
    for device_id in index.by_type_named.get(str(token.data.get("is")), ()):
        table.setdefault(device_id, (HELD, "contains"))
    table.update(_named(token))
    return table or _all(_called_nothing_else(token, index), HELD, "contains")


def _called_nothing_else(token: Token, index: HomeIndex) -> Iterator[str]:
    """Where nothing is of the kind: what is called by the word and by no other kind, as ``新风系统``."""
    meant = {str(token.data.get("is"))}
    for device_id in index.holding(token.text):
        device = index.view.devices[device_id]
        if any(types_in(name)[0] == meant for name in (device.name, *device.aliases)):
            yield device_id


def _of_kind(word: TypeWord, index: HomeIndex) -> Explained:
    """Devices of a kind that is like the one meant, and of one that is meant."""
    table: Explained = {}
    if "light" in word.kinds and word.specific >= LOOSE:
        table.update(_all(index.wall_switches, LIKE, "type.like"))
    for kind in word.like:
        table.update(_all(index.by_kind.get(kind, ()), LIKE, "type.like"))
    for kind in word.kinds:
        table.update(_all(index.by_kind.get(kind, ()), word.specific, "type"))
    return table


def _place(token: Token, here: Standpoint) -> Explained:
    index = here.index
    if token.kind == "room":
        return _room(token, index)
    if token.kind == "floor":
        return _all((i for floor in token.refs for i in index.by_floor.get(floor, ())), 1.0, "floor")
    held = _all(index.holding(token.text), HELD, "contains")
    return {**held, **_all(in_zone(str(token.data.get("is")), here), 1.0, "zone")}


def _room(token: Token, index: HomeIndex) -> Explained:
    table = _all(index.holding(token.text), HELD, "room.name")
    for ref in token.refs:
        table.update(_all(index.by_room.get(ref, ()), 1.0, "room"))
    table.update(_named(token))
    return table


def _named(token: Token) -> Explained:
    """Devices that are called by this word for a kind or a room, and by nothing else."""
    named = token.data.get("named")
    return _all(named, 1.0, "name") if isinstance(named, tuple) else {}


def _part(token: Token, index: HomeIndex) -> Explained:
    """Devices of whose name the word is said to be a part."""
    held = index.holding(token.text)
    return _all((i for i in held if _in_its_place(token, index.names[i])), HELD, "contains")


def _in_its_place(token: Token, names: Sequence[str]) -> bool:
    """Whether a part of a name stands where it was said to: first, last, as the whole of it, or anywhere."""
    part, where = fold(token.text), token.data["part"]
    return where == "any" or any(
        (where == "whole" and name == part)
        or (where == "first" and name.startswith(part))
        or (where == "last" and name.endswith(part))
        for name in names
    )


def _name(token: Token, after: Token | None, index: HomeIndex) -> Explained:
    text = _joined(token, after)
    table: Explained = {}
    if token.kind == "word":
        table = _all(index.room_words.get(singular(text), ()), LIKE, "room.word")
    if token.kind in {"word", "nameword"}:
        table.update(_all(index.labelled(text), LABELLED, "label"))
    table.update(_all(index.holding(text), HELD, "contains"))
    if token.data.get("owner"):
        return {**_all(token.refs, LIKE, "room.word"), **table}
    table.update(_all(token.refs, 1.0, "name" if token.data.get("full") else "name.part"))
    return table


def _joined(token: Token, after: Token | None) -> str:
    """The text of a word; that of a lone character together with what follows at once, else nothing."""
    if token.kind != "word" or len(token.text) != 1 or token.text.isdigit():
        return token.text
    return token.text + after.text if after is not None and after.start == token.end else ""
