"""The words a home adds to the language.

Names of devices, rooms, floors, scenes, and the values its commands take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any

from jellyfish import levenshtein_distance
from rapidfuzz import fuzz, process

from winnow.language import lexicon
from winnow.language.content_words import little, senses
from winnow.language.en import plural
from winnow.language.gazetteer import Gazetteer, GazetteerEntry, GazetteerMatch, best_cover
from winnow.language.kinds import group_of, qualifying_words, said_modes, wanted_for
from winnow.language.normalize import is_han, normalise, spoken_forms
from winnow.language.pinyin import Key, consonants, phrase_sound_key, sound_key, syllables
from winnow.language.registry import LANGUAGES
from winnow.types.home import HOUSEKEEPING, Device, Home, group_members
from winnow.types.query import of_kind, without_kind
from winnow.types.utterance import LanguageCode
from winnow.understand.words.surfaces import (
    OWNER_WEIGHT,
    device_words,
    devices_by_type,
    function_words,
    measured_words,
    name_parts,
    owner_entries,
    room_kinds,
    room_owners,
    room_words,
)

# What sounds or looks like a name of the home; built when the first unknown word is met.


MAX_SPELLED_WORDS = 2
"""Most words of a kind or a room that is compared by spelling: a phrase is no name that was misspelt."""
SoundEntries = Mapping[tuple[str, ...], GazetteerEntry]
EntriesBySound = Mapping[Key, tuple[GazetteerEntry, ...]]
"""Sound -> the words of this sound, marked as heard."""
MIN_NEAR_CONSONANTS = 4
"""Consonants of a name that may be heard with one of them wrong."""
MIN_NEAR_RATIO = 78.0
"""rapidfuzz ratio, 0..100, of a name of which one consonant was heard wrong."""
SOUND_CONFIDENCE = 0.9
"""How sure a word is that only sounds like what was said."""


def sound_of(text: str) -> tuple[str, ...]:
    """The sound of a text with common accents merged."""
    return tuple(sound_key(s) for s in syllables(text))


@lru_cache(maxsize=1)
def language_sounds() -> SoundEntries:
    """Sound -> type or room word of the language."""
    return {
        sound_of(e.surface): e
        for e in lexicon.entries()
        if e.kind in {"type", "room"} and len(e.surface) > 1 and is_han(e.surface[0])
    }


def entries_by_sound(entries: Iterable[GazetteerEntry], *, keyed: bool = True) -> EntriesBySound:
    """Words by their sound; names of one sound are one name of all their things, so that one is asked for.

    ``keyed``: whether their sounds are told apart.
    """
    found: dict[Key, dict[str, GazetteerEntry]] = {}
    for entry in entries:
        row = found.setdefault(phrase_sound_key(entry.surface) if keyed else ("",), {})
        one = entry.kind if entry.kind == "name" else f"{entry.kind} {entry.surface}"
        same = row.get(one)
        refs = tuple(dict.fromkeys((*(same.refs if same else ()), *entry.refs)))
        row[one] = GazetteerEntry(
            entry.surface, entry.kind, {**entry.data, "heard": SOUND_CONFIDENCE}, refs, entry.weight
        )
    return {key: tuple(row.values()) for key, row in found.items() if key}


class SimilarNames:
    """The surfaces of one home by sound and by spelling."""

    def __init__(self, surfaces: tuple[GazetteerEntry, ...]) -> None:
        self._surfaces = surfaces

    @cached_property
    def sounds(self) -> SoundEntries:
        """Sound -> name, room or scene of the home."""
        return {sound_of(e.surface): e for e in self._surfaces if is_han(e.surface[0]) and len(e.surface) > 1}

    @cached_property
    def by_sound(self) -> EntriesBySound:
        """The same, and what is English, by how it may be heard."""
        return entries_by_sound(self._surfaces)

    def near_names(self, said: str) -> list[GazetteerEntry]:
        """Names of the home of nearly the sound and letters of English words, as one name."""
        letters, key = said.replace(" ", "").replace("'", ""), consonants(said)
        if len(key) < MIN_NEAR_CONSONANTS:
            return []
        near = process.extract(letters, self._letters.keys(), scorer=fuzz.ratio, score_cutoff=MIN_NEAR_RATIO)
        found = [self._letters[one] for one, _, _ in near if levenshtein_distance(consonants(one), key) == 1]
        return [entry for row in entries_by_sound(found, keyed=False).values() for entry in row]

    @cached_property
    def words(self) -> frozenset[str]:
        """The single words of the names."""
        return frozenset(word for e in self._surfaces for word in e.surface.split() if word.isascii())

    @cached_property
    def _letters(self) -> Mapping[str, GazetteerEntry]:
        """Letters only -> English name of the home."""
        named = ((e.surface.replace(" ", "").replace("'", ""), e) for e in self._surfaces)
        return {letters: e for letters, e in named if letters.isascii()}

    @cached_property
    def spellings(self) -> Mapping[str, GazetteerEntry]:
        """Letters only -> entry, home names before the words of the language."""
        out: dict[str, GazetteerEntry] = {}
        words = (
            e for e in of_kind(lexicon.entries(), "type", "room") if e.surface.count(" ") < MAX_SPELLED_WORDS
        )
        for entry in (*self._surfaces, *words):
            letters = entry.surface.replace(" ", "").replace("'", "")
            if letters.isascii() and len(letters) > 3:
                out.setdefault(letters, entry)
        return out


NAME_WEIGHT, VARIANT_WEIGHT, WORD_WEIGHT, CHOICE_WEIGHT = 1.3, 1.15, 0.95, 0.9
"""Claims of a full name, a name without its room, one word of a name, and a value's description."""

_REACH_DATA: Mapping[str, Mapping[str, object]] = {"spoken": {}, "named": {"exactly": True}}
"""What the name of a device of each reach has about it."""
_PLAIN_KINDS = frozenset({"quantifier", "type", "filler"})
_LOOSE_KINDS = frozenset({"filler", "color"})
"""Kinds of words that may be a word of a name all the same."""
CARRIER_KINDS = frozenset({"plug", "switch"})
"""Words for what other things hang on."""
IN_ROOM = "in_room"
"""Data of a name that begins with the room of its device: the words for that room and its id."""
AMBIGUOUS_KINDS = frozenset({"nameword", "room", "type"})
"""Kinds of words that name things or places and may be values as well."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All that the understanding stage knows of one home."""

    language: Gazetteer
    home: Gazetteer
    """Rooms, scenes and everything that can be told to do something."""
    readable: Gazetteer
    """The same with what can only be read: for questions and conditions."""
    rooms_of_kind: Mapping[str, tuple[str, ...]]
    floors_of_level: Mapping[int, tuple[str, ...]]
    alike: SimilarNames
    """Names and rooms of the home, by sound and by spelling."""
    kinds: tuple[str, ...] = ()
    """Kinds of the home's devices that have a word of their own: the closed set a model chooses from (seed
    001)."""
    places: tuple[str, ...] = ()
    """Names of its rooms and floors, as the home writes them."""
    told: Gazetteer = field(default_factory=lambda: Gazetteer(()))
    """What can only be read: kind ``readable``."""
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Type -> the ids of what can be told something and is such a thing: a deed may name it."""
    senses: dict[int, Any] = field(default_factory=dict, compare=False)
    """What the grammar makes of the entries, filled as they are met."""
    scanned: dict[int, Any] = field(default_factory=dict, compare=False)
    """What was found in the last text, by the words of the language it was looked through for."""


@cache
def language_gazetteer(language: LanguageCode = "") -> Gazetteer:
    """The words known in a sentence of a language, of those that mix without one; built once a process."""
    return Gazetteer(lexicon.entries(language))


def in_language(vocabulary: Vocabulary, language: LanguageCode) -> Vocabulary:
    """The vocabulary of a home for a sentence of that language."""
    if LANGUAGES[language].mixes:
        return vocabulary
    return replace(vocabulary, language=language_gazetteer(language))


def build_vocabulary(home: Home, learned: Iterable[GazetteerEntry] = ()) -> Vocabulary:
    """The vocabulary of ``home`` with the verbs and kinds its people taught.

    Rebuilt when its version changes.
    """
    rooms = _rooms_of_kind(home)
    rows, every = _home_entries(home, learned, rooms)
    named = {entry.surface for entry in every}
    choices = [*_choice_entries(home, every), *function_words(home.profiles, named)]
    worded_kinds = set(chain.from_iterable(map(lexicon.kind_words, LANGUAGES)))
    # What can be read and not told to do anything is known by the rest of the names.
    spoken = {entry.surface for entry in rows}
    return Vocabulary(
        language=language_gazetteer(),
        home=Gazetteer([*rows, *choices]),
        readable=Gazetteer([*every, *choices]),
        rooms_of_kind=rooms,
        floors_of_level=_floors_of_level(home),
        alike=SimilarNames(tuple(filter(_may_be_misheard, rows))),
        kinds=tuple(sorted({kind for device in home.devices for kind in device.kinds[:1]} & worded_kinds)),
        told=Gazetteer(
            [GazetteerEntry(e.surface, "readable", e.data, e.refs) for e in every if e.surface not in spoken]
        ),
        things=_things_by_function(home),
        places=(*(room.name for room in home.rooms), *(floor.name for floor in home.floors)),
    )


def _home_entries(
    home: Home, learned: Iterable[GazetteerEntry], rooms: Mapping[str, tuple[str, ...]]
) -> tuple[list[GazetteerEntry], list[GazetteerEntry]]:
    """What can be told to do something by its names, and the same with what can only be read."""
    members = group_members(home)
    places = [
        *learned,
        *_room_entries(home),
        *_floor_entries(home),
        *_scene_entries(home),
        *_group_entries(home, members),
    ]
    devices = [d for d in home.devices if d.id not in members]
    names = _names_by_device(home, devices)
    commandable = _commandable(home, devices)
    every = _place_and_device_entries(places, devices, names, rooms)
    # Most homes: one list for both saves building the names twice.
    if len(commandable) == len(devices):
        return every, every
    every += list(measured_words(devices, {entry.surface for entry in every}))
    places += _owned_entries(devices, commandable)
    return _place_and_device_entries(places, commandable, names, rooms), every


def _names_by_device(home: Home, devices: Iterable[Device]) -> dict[str, list[GazetteerEntry]]:
    """Device -> the names it is called by, some of which begin with its room."""
    rooms = {r.id: tuple(_room_surfaces(tuple(_spoken_surfaces(r.name, r.aliases)))) for r in home.rooms}
    words = lexicon.by_surface()
    return {d.id: list(_device_name_entries(d, words, rooms.get(d.room_id or "", ()))) for d in devices}


def _owned_entries(devices: Iterable[Device], commandable: Sequence[Device]) -> Iterator[GazetteerEntry]:
    """Persons where things are ordered: 秀兰那盏 is 秀兰床头灯; in English they are only told of."""
    named = [(surface, d.id) for d in commandable for surface in _spoken_surfaces(d.name, d.aliases)]
    known = {*lexicon.by_surface(), *(surface for surface, _ in named)}
    for person in (d for d in devices if "person" in d.kinds):
        for who in _spoken_surfaces(person.name, person.aliases):
            if not is_han(who[0]):
                if who not in known:
                    yield GazetteerEntry(who, "filler", {"is": "person"})
                continue
            owned = [device_id for surface, device_id in named if surface.startswith(who) and surface != who]
            if owned:
                yield GazetteerEntry(
                    who, "nameword", {"is": "owner", "owner": True}, _unique_ids(owned), OWNER_WEIGHT
                )


def _things_by_function(home: Home) -> Mapping[str, tuple[str, ...]]:
    """What is named by what it does: see ``told_by_deeds``."""
    members = group_members(home)
    things = devices_by_type(_commandable(home, (d for d in home.devices if d.id not in members)))
    return {name: tuple(device.id for device in ones) for name, ones in things.items()}


def _place_and_device_entries(
    places: Sequence[GazetteerEntry],
    devices: Sequence[Device],
    names: Mapping[str, Sequence[GazetteerEntry]],
    rooms: Mapping[str, tuple[str, ...]],
) -> list[GazetteerEntry]:
    """The names of places and devices, and what such devices are called besides: a name comes first."""
    # One entry a surface: devices of one name share it; what is also a room or kind keeps both
    rows = chain(places, *(names[device.id] for device in devices))
    merged: dict[str, GazetteerEntry] = {}
    for row in rows:
        old = merged.get(row.surface)
        merged[row.surface] = row if old is None else _join_entries(old, row)
    named = list(map(_with_use, merged.values()))
    words = [*named, *device_words(devices, {entry.surface for entry in named})]
    return [*words, *room_words(rooms, {entry.surface for entry in words})]


def _with_use(entry: GazetteerEntry) -> GazetteerEntry:
    """A name; that of a button which ends in a deed orders it, 团子开饭; that of a person orders nothing."""
    kinds = _id_tuple(entry.data.get("kinds"))
    if "button" in kinds and entry.surface.endswith(little("pressed")):
        return replace(entry, data={**entry.data, "is": "press", "also": {}})
    named = entry.kind == "name" and kinds == ("person",)
    return replace(entry, data={**entry.data, "is": "person"}) if named else entry


def _commandable(home: Home, devices: Iterable[Device]) -> list[Device]:
    """Those that can be told to do something."""
    able = {p.id for p in home.profiles if any(c.trait != HOUSEKEEPING for c in p.commands)}
    return [d for d in devices if d.profile_id in able]


def _floors_of_level(home: Home) -> dict[int, tuple[str, ...]]:
    levels: dict[int, list[str]] = {}
    for floor in home.floors:
        if floor.level is not None:
            levels.setdefault(floor.level, []).append(floor.id)
    return {level: tuple(ids) for level, ids in levels.items()}


def _may_be_misheard(entry: GazetteerEntry) -> bool:
    """Whether what sounds or looks like it may mean it. What only its exact name means is never guessed."""
    own = entry.kind in {"name", "room", "scene"} or "named" in entry.data
    return own and not {"exactly", "called"} & entry.data.keys()


def _join_entries(old: GazetteerEntry, row: GazetteerEntry) -> GazetteerEntry:
    """Two entries of one surface as one: of kinds that differ the first, with the devices named so."""
    weight = max(old.weight, row.weight)
    if old.kind == row.kind:
        # What is known of either; that only the exact name means it, where it is so of both
        told = {**row.data, **old.data}
        if "exactly" not in row.data or "exactly" not in old.data:
            told.pop("exactly", None)
        tables = {
            key: _unique_ids(_id_tuple(old.data.get(key)), _id_tuple(row.data.get(key)))
            for key in ("named", "kinds")
        }
        both = {**told, **{key: ids for key, ids in tables.items() if ids}}
        return GazetteerEntry(row.surface, old.kind, both, _unique_ids(old.refs, row.refs), weight)
    if row.kind != "name":
        return old
    named = _unique_ids(_id_tuple(old.data.get("named")), row.refs)
    return GazetteerEntry(row.surface, old.kind, {**old.data, "named": named}, old.refs, weight)


def _unique_ids(*ids: Iterable[str]) -> tuple[str, ...]:
    """All of them in order, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(ids)))


def _id_tuple(value: object) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


@lru_cache(maxsize=1)
def _number_words() -> Mapping[str, str]:
    """A number in a name is said as a word as well, and the other way round."""
    numerals = senses("numerals")
    return {**numerals, **{number: word for word, number in numerals.items()}}


def _spoken_surfaces(name: str, aliases: Iterable[str]) -> Iterator[str]:
    for text in (name, *aliases):
        for surface in spoken_forms(text):
            yield surface
            words = surface.split()
            spelled = " ".join(_number_words().get(w, w) for w in words)
            # A name of one number would be any number.
            if spelled != surface and len(words) > 1:
                yield spelled


def _room_entries(home: Home) -> Iterator[GazetteerEntry]:
    for room in home.rooms:
        yield from owner_entries(home, room, _spoken_surfaces(room.name, room.aliases))
        for surface in _spoken_surfaces(room.name, room.aliases):
            yield GazetteerEntry(surface, "room", {"home": True}, (room.id,), NAME_WEIGHT)
            if not is_han(surface[-1]):
                yield GazetteerEntry(plural(surface), "room", {"home": True}, (room.id,), NAME_WEIGHT)


def _floor_entries(home: Home) -> Iterator[GazetteerEntry]:
    for floor in home.floors:
        for surface in _spoken_surfaces(floor.name, floor.aliases):
            # A floor called 2 would take every 2 that is said.
            if not surface.lstrip("-").isdigit():
                yield GazetteerEntry(surface, "floor", {}, (floor.id,), NAME_WEIGHT)


def _scene_entries(home: Home) -> Iterator[GazetteerEntry]:
    known = lexicon.by_surface()
    for scene in home.scenes:
        for surface in _spoken_surfaces(scene.name, scene.aliases):
            yield GazetteerEntry(surface, "scene", {}, (scene.id,), NAME_WEIGHT)
            bare = surface
            for ending in little("scene_endings"):
                bare = bare.removesuffix(ending).strip()
            # Without its ending it must not be a word of the language: "night mode" is no "night".
            if len(bare) > 1 and bare != surface and bare not in known:
                yield GazetteerEntry(bare, "scene", {"partial": True}, (scene.id,), WORD_WEIGHT)


def _group_entries(home: Home, members: Mapping[str, tuple[str, ...]]) -> Iterator[GazetteerEntry]:
    """The names of sets, each with the devices in it; what is called ``all lights`` is no name."""
    for group in home.groups:
        for surface in _spoken_surfaces(group.name, group.aliases):
            # Whether it says how many of which kind and nothing else
            language = language_gazetteer()
            cover = best_cover(surface, [language.matches(surface, at) for at in range(len(surface))])
            if not all(
                isinstance(piece, GazetteerMatch) and piece.entry.kind in _PLAIN_KINDS for piece in cover
            ):
                yield GazetteerEntry(surface, "group", {}, members[group.id], NAME_WEIGHT)


def _room_surfaces(surfaces: Sequence[str]) -> Iterator[str]:
    """What a room is called, and the words for its kind: 客厅吊灯 may hang in 客厅间."""
    kinds = room_kinds(surfaces)
    yield from surfaces
    yield from (word for word, kind in lexicon.surfaces("room").items() if kind in kinds)


def _device_name_entries(
    device: Device, words: Mapping[str, GazetteerEntry], rooms: Iterable[str]
) -> Iterator[GazetteerEntry]:
    for surface in _spoken_surfaces(device.name, device.aliases):
        if device.reach == "named":
            # The whole name of what nothing else means, unless it is a common word
            word = words.get(surface)
            if word is None or word.kind in {"type", "room"}:
                yield from _name_entries(surface, device, words, NAME_WEIGHT)
        else:
            yield from _spoken_entries(surface, device, words, rooms)


def _spoken_entries(
    surface: str, device: Device, words: Mapping[str, GazetteerEntry], rooms: Iterable[str]
) -> Iterator[GazetteerEntry]:
    """A name, what is left of it without its room, and its words."""
    places = [room for room in rooms if surface.startswith(room)]
    # A name that begins with its room tells it: 听湖空调和灯 is the lamps of that room.
    told = {IN_ROOM: (max(places, key=len), device.room_id)} if places and is_han(surface[0]) else {}
    for entry in _name_entries(surface, device, words, NAME_WEIGHT):
        yield replace(entry, data={**entry.data, **told})
    for rest in (surface.removeprefix(room).strip() for room in rooms):
        if rest != surface and len(rest) > 1 and rest not in words:
            yield from _name_entries(rest, device, words, VARIANT_WEIGHT)
    carrier, _, hung = surface.partition(" ")
    if len(hung) > 1 and hung not in words and lexicon.surfaces("type").get(carrier) in CARRIER_KINDS:
        yield from _name_entries(hung, device, words, VARIANT_WEIGHT)  # 插座 鱼缸泵
    yield from (name_parts if is_han(surface[-1]) else _name_word_entries)(surface, device, words)


def _name_entries(
    surface: str, device: Device, words: Mapping[str, GazetteerEntry], weight: float
) -> Iterator[GazetteerEntry]:
    word = words.get(surface)
    types = lexicon.surfaces("type")
    data = {**_REACH_DATA[device.reach], "full": weight == NAME_WEIGHT, "kinds": device.kinds}
    if word is not None and word.kind in {"type", "room"}:
        yield GazetteerEntry(surface, word.kind, {**word.data, "named": (device.id,)}, (), NAME_WEIGHT)
        return
    yield GazetteerEntry(surface, "name", data, (device.id,), weight)
    if not is_han(surface[-1]) and surface[-1].isalpha() and surface.rsplit(maxsplit=1)[-1] not in types:
        yield GazetteerEntry(plural(surface), "name", {**data, "plural": True}, (device.id,), weight)


def _name_word_entries(
    surface: str, device: Device, words: Mapping[str, GazetteerEntry]
) -> Iterator[GazetteerEntry]:
    for word in surface.split():
        known = words.get(word)
        # A word of the language may be one of a name as well; the middle one of three is no mode.
        if known is not None and not (
            (known.kind in _LOOSE_KINDS and len(word) > 3)
            or (known.kind == "mode" and word in little("positions"))
        ):
            continue
        if len(word) > 1 and not word.isdigit():
            yield GazetteerEntry(word, "nameword", {}, (device.id,), WORD_WEIGHT)
            yield GazetteerEntry(plural(word), "nameword", {"plural": True}, (device.id,), WORD_WEIGHT)


def _choice_entries(home: Home, names: Iterable[GazetteerEntry]) -> Iterator[GazetteerEntry]:
    """What the values of the home's commands are called, where nothing else is.

    A word of some name, or for a room, may be a value as well: only behind ``set`` and ``to``.
    """
    also, seen = map(set, _language_words())
    for entry in names:
        (also if entry.kind in AMBIGUOUS_KINDS else seen).add(entry.surface)
    for surface in dict.fromkeys(map(normalise, _command_values(home))):
        if len(surface) > 1 and not surface.isdigit() and surface not in seen:
            seen.add(surface)
            kind = "level" if surface in also else "choice"
            yield GazetteerEntry(surface, kind, {"is": surface}, (), CHOICE_WEIGHT)
    yield from _synonym_entries(home, seen | also)


@cache
def _language_words() -> tuple[frozenset[str], frozenset[str]]:
    """The words of the languages that name things or places, and the others that are no value."""
    words = without_kind(lexicon.entries(), "step")
    also = frozenset(e.surface for e in of_kind(words, *AMBIGUOUS_KINDS))
    return also, frozenset(e.surface for e in words) - also


def _synonym_entries(home: Home, seen: set[str]) -> Iterator[GazetteerEntry]:
    """What else people call the groups that the values of the home's commands belong to."""
    groups = filter(None, map(group_of, _command_values(home)))
    for group in dict.fromkeys(chain.from_iterable(map(wanted_for, groups))):
        for kind, surfaces in (("choice", said_modes(group)), ("level", qualifying_words(group))):
            for surface in (s for s in surfaces if s not in seen):
                seen.add(surface)
                yield GazetteerEntry(surface, kind, {"is": group}, (), CHOICE_WEIGHT)


def _command_values(home: Home) -> Iterator[str]:
    commands = (command for profile in home.profiles for command in profile.commands)
    parameters = (parameter for command in commands for parameter in command.parameters)
    for choice in (choice for parameter in parameters for choice in parameter.choices):
        yield from (*choice.text.split(" / "), str(choice.value))


def _rooms_of_kind(home: Home) -> dict[str, tuple[str, ...]]:
    """Room kind -> ids of the home's rooms of that kind, wider kinds included; ``bedrooms``: all beds."""
    wider = lexicon.wider_rooms()
    kinds: dict[str, list[str]] = {}
    for room in home.rooms:
        surfaces = tuple(_spoken_surfaces(room.name, room.aliases))
        found = room_kinds(surfaces)
        slept_in = not found.isdisjoint(little("bedrooms")) if found else any(room_owners(home, surfaces))
        for kind in (*found, *(["bedrooms"] if slept_in else ())):
            kinds.setdefault(kind, []).append(room.id)
    every = {
        kind: _unique_ids(*(kinds.get(k, ()) for k in (kind, *wider.get(kind, ()))))
        for kind in {*kinds, *wider}
    }
    return {kind: ids for kind, ids in every.items() if ids}
