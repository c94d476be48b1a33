"""Where the speaker stands, and which devices one word of a mention may mean, how well and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from winnow.language.lexicon import TypeWord, type_words
from winnow.language.normalize import fold
from winnow.retrieve.home.enrich import types_in
from winnow.retrieve.home.index import HomeIndex, home_words, singular
from winnow.types.home import Room
from winnow.types.query import PLACE_KINDS, Token

# Where a query is asked: one home, and the room of the person who speaks.


@dataclass(frozen=True, slots=True)
class HomePosition:
    """One home as it is from one of its rooms, or from nowhere in particular."""

    index: HomeIndex
    area: str | None = None
    """Id of the room the person stands in; None when it is not known."""

    @property
    def room(self) -> Room | None:
        """The room the person stands in."""
        return self.index.view.rooms.get(self.area or "")

    @property
    def in_room(self) -> frozenset[str]:
        """The devices of that room."""
        return self.index.by_room.get(self.area or "", frozenset())

    @property
    def around(self) -> frozenset[str]:
        """The devices of that room, of the whole home where it is not known."""
        return self.in_room if self.area else self.index.all_ids


# Which devices stand in a zone: here, upstairs, outdoors, in the whole home.


def in_zone(zone: str, here: HomePosition) -> Collection[str]:
    """The devices of a zone, by its canonical name."""
    index = here.index
    if zone in {"home", "indoor"}:
        return index.all_ids
    if zone == "here":
        return here.in_room
    if zone == "outdoor":
        return {i for room in _outdoor_rooms(index) for i in index.by_room.get(room, ())}
    return {i for floor in floors_of(zone, here) for i in index.by_floor.get(floor, ())}


def floors_of(zone: str, here: HomePosition) -> list[str]:
    """Ids of the speaker's floor (``this_floor``), or of the floors above (``upstairs``) or below it.

    Without a speaker, above or up to the ground floor.
    """
    own = here.room.floor_id if here.room else None
    if zone == "this_floor":
        return [own] if own else []
    levels = {
        f.id: _level_by_name(f.name, order) if f.level is None else f.level
        for order, f in enumerate(here.index.home.floors)
    }
    if own not in levels:
        return _from_the_ground(zone, levels)
    level = levels[own]
    return [floor for floor, n in levels.items() if (n > level if zone == "upstairs" else n < level)]


def _from_the_ground(zone: str, levels: Mapping[str, int]) -> list[str]:
    ground = min((n for n in levels.values() if n >= 0), default=0)
    return [floor for floor, n in levels.items() if (n > ground) == (zone == "upstairs")]


def _level_by_name(name: str, order: int) -> int:
    text = name.lower()
    for level, held in home_words()["levels"].items():
        if any(word in text for word in held):
            return int(level)
    return order + 1


def _outdoor_rooms(index: HomeIndex) -> list[str]:
    outdoor = home_words()["outdoor"]
    return [r.id for r in index.home.rooms if any(word in r.name.lower() for word in outdoor)]


HELD_SCORE = 0.9
"""Explanation of a word that a name merely holds."""
KIN_SCORE = 0.75
"""Explanation of a kind by its next of kin: a blind for a curtain."""
MIN_SPECIFIC = 0.8
"""Type words below this mean one make: where a name holds the word, the kind alone is not meant."""
LABEL_SCORE = 0.7
"""Explanation of a word by a label that a device bears."""
WordDevices = dict[str, tuple[float, str]]
"""Device id -> (how well it explains a word, 0..1, by which lane)."""


@dataclass(frozen=True, slots=True)
class MentionWord:
    """One word of a mention with the devices it may mean."""

    token: Token
    key: str
    """Its text as names are compared with it."""
    weight: float
    """How much it counts in the coverage of the mention."""
    devices: WordDevices


def explain_word(token: Token, here: HomePosition, after: Token | None = None) -> WordDevices:
    """The devices a word may mean. A lone character counts only together with the word ``after`` it."""
    index = here.index
    if token.data.get("called") and token.kind not in PLACE_KINDS:
        return _called_devices(token)
    joined = token.data.get("joined")
    if isinstance(joined, tuple):
        return {i: told for part in joined for i, told in explain_word(part, here).items()}
    if token.kind == "type":
        return _type_devices(token, index)
    if token.kind in PLACE_KINDS:
        return _place_devices(token, here)
    if token.data.get("part"):
        held = index.holding(token.text)
        return _devices_at((i for i in held if _in_its_place(token, index.names[i])), HELD_SCORE, "contains")
    return _name_devices(token, after, index)


def type_word(token: Token) -> TypeWord:
    """What a word for a kind may mean."""
    return type_words()[str(token.data.get("is"))]


def _devices_at(ids: Iterable[str], score: float, lane: str) -> WordDevices:
    return dict.fromkeys(ids, (score, lane))


def _type_devices(token: Token, index: HomeIndex) -> WordDevices:
    word = type_word(token)
    if word.kinds == ("*",):
        return _devices_at(index.all_ids, 1.0, "type")
    loose = word.specific < 1
    held = index.holding(token.text) if len(token.text) > 1 or loose else frozenset()
    table = _of_kind(word, index) if word.specific >= MIN_SPECIFIC or not held else {}
    table.update(_devices_at(held if loose else held & index.carriers, 1.0, "name.part"))
    for device_id in index.by_type_named.get(str(token.data.get("is")), ()):
        table.setdefault(device_id, (HELD_SCORE, "contains"))
    table.update(_called_devices(token))
    return table or _devices_at(_called_nothing_else(token, index), HELD_SCORE, "contains")


def _called_nothing_else(token: Token, index: HomeIndex) -> Iterator[str]:
    """Where nothing is of the kind: what is called by the word and by no other kind, as ``新风系统``."""
    meant = {str(token.data.get("is"))}
    for device_id in index.holding(token.text):
        device = index.view.devices[device_id]
        if any(types_in(name)[0] == meant for name in (device.name, *device.aliases)):
            yield device_id


def _of_kind(word: TypeWord, index: HomeIndex) -> WordDevices:
    """Devices of a kind that is like the one meant, and of one that is meant."""
    table: WordDevices = {}
    if "light" in word.kinds and word.specific >= MIN_SPECIFIC:
        table.update(_devices_at(index.wall_switches, KIN_SCORE, "type.like"))
    for kind in word.like:
        table.update(_devices_at(index.by_kind.get(kind, ()), KIN_SCORE, "type.like"))
    for kind in word.kinds:
        table.update(_devices_at(index.by_kind.get(kind, ()), word.specific, "type"))
    return table


def _place_devices(token: Token, here: HomePosition) -> WordDevices:
    index = here.index
    if token.kind == "room":
        table = _devices_at(index.holding(token.text), HELD_SCORE, "room.name")
        for ref in token.refs:
            table.update(_devices_at(index.by_room.get(ref, ()), 1.0, "room"))
        table.update(_called_devices(token))
        return table
    if token.kind == "floor":
        return _devices_at((i for floor in token.refs for i in index.by_floor.get(floor, ())), 1.0, "floor")
    held = _devices_at(index.holding(token.text), HELD_SCORE, "contains")
    return {**held, **_devices_at(in_zone(str(token.data.get("is")), here), 1.0, "zone")}


def _called_devices(token: Token) -> WordDevices:
    """Devices that are called by this word for a kind or a room, and by nothing else."""
    named = token.data.get("named")
    return _devices_at(named, 1.0, "name") if isinstance(named, tuple) else {}


def _in_its_place(token: Token, names: Sequence[str]) -> bool:
    """Whether a part of a name stands where it was said to: first, last, as the whole of it, or anywhere."""
    part, where = fold(token.text), token.data["part"]
    return where == "any" or any(
        (where == "whole" and name == part)
        or (where == "first" and name.startswith(part))
        or (where == "last" and name.endswith(part))
        for name in names
    )


def _name_devices(token: Token, after: Token | None, index: HomeIndex) -> WordDevices:
    # The text of a word; that of a lone character together with what follows at once, else nothing
    if token.kind != "word" or len(token.text) != 1 or token.text.isdigit():
        text = token.text
    else:
        text = token.text + after.text if after is not None and after.start == token.end else ""
    table: WordDevices = {}
    if token.kind == "word":
        table = _devices_at(index.room_words.get(singular(text), ()), KIN_SCORE, "room.word")
    if token.kind in {"word", "nameword"}:
        table.update(_devices_at(index.with_label(text), LABEL_SCORE, "label"))
    table.update(_devices_at(index.holding(text), HELD_SCORE, "contains"))
    if token.data.get("owner"):
        return {**_devices_at(token.refs, KIN_SCORE, "room.word"), **table}
    table.update(_devices_at(token.refs, 1.0, "name" if token.data.get("full") else "name.part"))
    return table
