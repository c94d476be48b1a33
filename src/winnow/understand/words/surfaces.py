"""What things and rooms are called besides their names: a word counts where there is such a thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from winnow.language import lexicon
from winnow.language.content_words import little, senses
from winnow.language.en import plural
from winnow.language.gazetteer import GazetteerEntry, GazetteerMatch
from winnow.language.kinds import (
    NAMELESS,
    deeds,
    function_pattern,
    functions_called,
    kind_names,
    naming,
    rooms_called,
)
from winnow.language.lexicon import by_surface, clusters, surfaces, type_words
from winnow.language.normalize import is_han, normalise
from winnow.types.home import Device, Home, Profile, Room

CARRIER_KINDS = frozenset({"plug", "switch"})
"""Kinds that are named by what hangs on them."""
MAX_NAME_END_CHARS = 40
"""Characters at the end of a name that are looked at."""
CALLED_WEIGHT = 0.93
"""Claim of such a word against names."""


def device_words(devices: Iterable[Device], taken: Collection[str]) -> Iterator[GazetteerEntry]:
    """The words for what these devices are, but for those ``taken``; data ``named`` tells which they mean.

    A word for a make means a thing only where it is the one of its kind and is called by no make: a ceiling
    fan is not the fan of a home with three.
    """
    meant = _meanings_of_words(devices_by_type(devices))
    types = surfaces("type")
    known = {*taken, *types, *meant}
    for word, (name, ids) in meant.items():
        data = {"is": name, "named": tuple(dict.fromkeys(ids)), "called": True}
        if word not in taken and word not in types:
            yield GazetteerEntry(word, "type", data, (), CALLED_WEIGHT)
        if not is_han(word[-1]) and (several := plural(word)) not in known:
            yield GazetteerEntry(several, "type", {**data, "plural": True}, (), CALLED_WEIGHT)


def room_words(rooms: Mapping[str, tuple[str, ...]], taken: Collection[str]) -> Iterator[GazetteerEntry]:
    """The words for rooms of these kinds (kind -> ids), but for those ``taken`` or known as anything else."""
    meant: dict[str, tuple[str, dict[str, None]]] = {}
    for kind, words in rooms_called().items():
        for word in words if kind in rooms else ():
            meant.setdefault(word, (kind, {}))[1].update(dict.fromkeys(rooms[kind]))
    known, kin = by_surface(), tuple(senses("lineages"))
    named = set().union(*(_lineages(surface) for surface in taken if surface.startswith(kin)))
    for word, (kind, ids) in meant.items():
        # the room of a mother's parents is none of a father's
        other = named and not named.issuperset(_lineages(word))
        if word not in known and word not in taken and not other:
            yield GazetteerEntry(word, "room", {"is": kind, "called": True}, tuple(ids), CALLED_WEIGHT)


def _lineages(surface: str) -> set[str]:
    """Whose parents a name or a word for a room begins with."""
    return {line for kin, line in senses("lineages").items() if surface.startswith(kin)}


def function_words(profiles: Iterable[Profile], taken: Collection[str]) -> Iterator[GazetteerEntry]:
    """The words for the functions some profile has, but for those ``taken`` or known as anything else."""
    has = {command.trait for profile in profiles for command in profile.commands}
    known = by_surface()
    for name, words in functions_called().items():
        for word in () if has.isdisjoint(clusters()["properties"][name]) else words:
            if word not in known and word not in taken:
                yield GazetteerEntry(word, "property", {"is": name}, (), CALLED_WEIGHT)


def room_kinds(surfaces_of: Iterable[str]) -> frozenset[str]:
    """The kinds of a room of these names: by the words of the language, else by what people call rooms."""
    names = tuple(surfaces_of)
    plain = frozenset[str]().union(*(_kinds_of_room_end(name, _plain_room_kinds()) for name in names))
    return plain or frozenset[str]().union(
        *(_kinds_of_room_end(name, _kinds_by_room_word()) for name in names)
    )


def _kinds_of_room_end(surface: str, table: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """The kinds of the longest room word the name ends with, a number after it aside."""
    surface = surface.rstrip("0123456789 ") or surface
    longest = next((end for end in _text_ends(surface) if end in table), "")
    return frozenset(table.get(longest, ()))


@lru_cache(maxsize=1)
def _plain_room_kinds() -> Mapping[str, tuple[str, ...]]:
    return {word: (kind,) for word, kind in surfaces("room").items()}


@lru_cache(maxsize=1)
def _kinds_by_room_word() -> Mapping[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for kind, words in rooms_called().items():
        for word in words:
            table[word] = (*table.get(word, ()), kind)
    return table


def things_by_function(text: str, things: Mapping[str, tuple[str, ...]]) -> Iterator[GazetteerMatch]:
    """Where a normalised text names things of the home by what they do, and what it means there.

    ``things``: type -> the ids of the home's things of it.
    """
    if not things or not function_pattern().search(text):
        return
    # Start and end of what names things -> their types, each with its ids
    found: dict[tuple[int, int], list[tuple[str, tuple[str, ...]]]] = {}
    for deeds_in_name, deeds_in_ids in things.items():
        if pattern := deeds(deeds_in_name):
            for match in pattern.finditer(text):
                found.setdefault(match.span(), []).append((deeds_in_name, deeds_in_ids))
    for (start, end), meant in found.items():
        name, ids = meant[0][0], dict.fromkeys(i for _, every in meant for i in every)
        data = {"is": name, "named": tuple(ids), "called": True}
        yield GazetteerMatch(start, end, GazetteerEntry(text[start:end], "type", data, (), CALLED_WEIGHT))


def _meanings_of_words(things: Mapping[str, Sequence[Device]]) -> Mapping[str, tuple[str, list[str]]]:
    """Word -> its type and the devices it means."""
    meant: dict[str, tuple[str, list[str]]] = {}
    for name, ones in things.items():
        row = kind_names()[name]
        texts = [normalise(text) for text in (ones[0].name, *ones[0].aliases)]
        # A make is said of the one thing of its kind, unless its names tell of another.
        alone = len(ones) == 1 and all(row.tells.isdisjoint(_word_stretches(text)) for text in texts)
        makes = row.makes if alone else ()
        for word in (*row.same, *makes):
            meant.setdefault(word, (name, []))[1].extend(device.id for device in ones)
    return meant


def devices_by_type(devices: Iterable[Device]) -> dict[str, list[Device]]:
    """Type of ``kind_names`` -> the devices that are such things."""
    things: dict[str, list[Device]] = {}
    for device in devices:
        if device.reach == "spoken":
            # The types of ``kind_names`` that a device is of: as its names say, else by its kinds
            for name in _types_by_name((device.name, *device.aliases), device.kinds):
                things.setdefault(name, []).append(device)
    return things


@lru_cache(maxsize=8192)
def _types_by_name(names: tuple[str, ...], kinds: tuple[str, ...]) -> frozenset[str]:
    inside = set(kinds[:1]) <= CARRIER_KINDS
    told = {n for name in names for n in _types_of_name_end(normalise(name).rstrip("0123456789 "), inside)}
    return _types_of_names(kinds, frozenset(told))


@lru_cache(maxsize=4096)
def _types_of_names(of: Sequence[str], told: frozenset[str]) -> frozenset[str]:
    kinds = {kind for kind in of if kind not in NAMELESS or of[0] in {kind, "thermostat"}}
    words = type_words()
    other = told and not any(kinds.intersection(words[name].kinds) for name in told)
    own = frozenset() if other else frozenset(name for name, row in kind_names().items() if kinds & row.of)
    return own | (told & kind_names().keys())


@lru_cache(maxsize=4096)
def _types_of_name_end(text: str, inside: bool) -> tuple[str, ...]:
    """The types of the longest word a name ends with; of one ``inside`` a plug that is none."""
    table, words = naming(), type_words()
    if not inside:
        return next((table[end] for end in _text_ends(text) if end in table), ())
    held = [
        part
        for part in _word_stretches(text)
        if part in table and not all(CARRIER_KINDS.issuperset(words[name].kinds) for name in table[part])
    ]
    return table[max(held, key=len)] if held else ()


def _text_ends(text: str) -> Iterator[str]:
    """The ends of a text, longest first: of Latin text whole words."""
    first = max(0, len(text) - MAX_NAME_END_CHARS)
    yield from (text[at:] for at in range(first, len(text)) if _is_word_boundary(text, at))


@lru_cache(maxsize=4096)
def _word_stretches(text: str) -> tuple[str, ...]:
    """Every stretch of whole words."""
    starts = (
        text[:end] for end in range(1, len(text) + 1) if end == len(text) or _is_word_boundary(text, end)
    )
    return tuple(part for whole in starts for part in _text_ends(whole.rstrip()))


def _is_word_boundary(text: str, at: int) -> bool:
    """Whether no Latin word goes on over this place."""
    return at == 0 or (text[at] != " " and (text[at - 1] == " " or is_han(text[at]) or is_han(text[at - 1])))


# Whose room a room is, where its name tells: 阿婆房间, ``Dee's Room``.


ROOM_WEIGHT, OWNER_WEIGHT = 1.15, 0.95
"""Claims of another name for the room, and of the owner for what is in it."""


def owner_entries(home: Home, room: Room, surfaces: Iterable[str]) -> Iterator[GazetteerEntry]:
    """``阿婆屋里`` for 阿婆房间, and ``阿婆的`` things; ``surfaces``: what the room is called."""
    owners = room_owners(home, surfaces)
    inside = tuple(d.id for d in home.devices if d.room_id == room.id) if any(owners) else ()
    for owner in filter(None, owners):
        yield from (
            GazetteerEntry(owner + end, "room", {"home": True}, (room.id,), ROOM_WEIGHT)
            for end in _room_endings(owner)
        )
        whose = owner if is_han(owner[-1]) else f"{owner}'s"
        yield GazetteerEntry(whose, "nameword", {"is": "owner", "owner": True}, inside, OWNER_WEIGHT)


def room_owners(home: Home, surfaces: Iterable[str]) -> set[str]:
    """Whose room it is that is called so, where that is told."""
    called = tuple(surfaces)
    persons = {normalise(d.name) for d in home.devices if "person" in d.kinds}
    named = {surface[:-1] for surface in called} & persons  # 阿公房
    return named | {owner for surface in called if (owner := _room_owner(surface))} - by_surface().keys()


def _room_endings(owner: str) -> list[str]:
    """What a room of somebody is called behind the name."""
    return [end for end in little("room_endings") if is_han(end[-1]) == is_han(owner[-1])]


def _room_owner(surface: str) -> str:
    """Whose room it is, where its name tells; empty for a room that the language has a word for."""
    if surface in lexicon.surfaces("room"):
        return ""
    owner = next((surface.removesuffix(end) for end in little("room_endings") if surface.endswith(end)), "")
    return owner if len(owner) > 1 else ""


# The parts of Chinese names: what something belongs to, the brand before a kind, the side it is on.


PART_WEIGHT = 0.95
"""Claim of one part of a name."""
MIN_NAME_PARTS = 3
"""Characters from which on a name is no side with what it is the side of."""


def name_parts(surface: str, device: Device, words: Mapping[str, GazetteerEntry]) -> Iterator[GazetteerEntry]:
    """``升降桌 高度``: what stands first in a name written in parts is the thing it belongs to.

    Before a word for a kind stands what tells it from its like: the brand, whose it is, where it stands.
    """
    *of, last = (surface.rstrip("0123456789 ") or surface).split()
    # What tells one of several: 右灶 of 电磁灶 右灶, and 右边, as that of 三开 右键 and 筒灯 右.
    sides = _side_words().get(last[:1], ()) if len(last) < MIN_NAME_PARTS else ()
    # A key by its side is one of its switch, not what a side alone means.
    which = (last, *sides) if of and last not in senses("sides") else ()
    for part in dict.fromkeys((*of, _words_before_kind(last), *which)):
        if len(part) > 1 and part not in words:
            data = {"kinds": device.kinds, "side": part in senses("sides")}
            yield GazetteerEntry(part, "nameword", data, (device.id,), PART_WEIGHT)
    # What several are called behind what tells them apart, as 床头灯 of 秀兰床头灯: whatever holds it.
    make = next((last[at:] for at in range(1, len(last)) if last[at:] in naming()), "")
    if len(make) > 1 and make not in words:
        yield GazetteerEntry(make, "nameword", {"kinds": device.kinds}, (), PART_WEIGHT)


@lru_cache(maxsize=1)
def _side_words() -> Mapping[str, tuple[str, ...]]:
    """A side that names end in -> how it is said: 右边 is the one called 右."""
    said = senses("sides")
    return {side: tuple(word for word in said if said[word] == side) for side in set(said.values())}


def measured_words(devices: Iterable[Device], taken: Collection[str]) -> Iterator[GazetteerEntry]:
    """What sensors are of, as their Chinese names tell: 冷柜, of 冷柜温度; not what is ``taken``."""
    told, known = surfaces("property"), by_surface()
    for device in devices:
        for name in map(normalise, (device.name, *device.aliases) if "sensor" in device.kinds else ()):
            of = next((name[:at] for at in range(2, len(name)) if name[at:] in told and is_han(name[at])), "")
            if of and of not in known and of not in taken:
                yield GazetteerEntry(of, "nameword", {"kinds": device.kinds}, (device.id,), PART_WEIGHT)


def _words_before_kind(name: str) -> str:
    """What of a Chinese name is left of the longest word for a kind that it ends with."""
    kinds = lexicon.surfaces("type")
    rest = next((name[:at] for at in range(1, len(name)) if name[at:] in kinds), "")
    return next((rest.removesuffix(of) for of in little("owned") if rest.endswith(of)), rest)
