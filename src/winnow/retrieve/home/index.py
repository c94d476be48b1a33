"""Everything about one home that can be computed before anybody speaks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from rapidfuzz.distance import OSA

from winnow.language.kinds import naming
from winnow.language.lexicon import holds_word, kind_words, surfaces, type_words
from winnow.language.normalize import fold, is_han, normalise, words_in
from winnow.language.registry import LANGUAGES
from winnow.language.tables import table
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import LexicalIndex, VectorIndex
from winnow.retrieve.home.enrich import CARRIER_KINDS, command_document, refine_kinds, types_in
from winnow.types.home import HOUSEKEEPING, Command, Device, Home, HomeView, Room

# The names of a home by pieces of two characters, for slips that sound like nothing: ``老伙汁``.


MIN_SLIP_CHARS: Mapping[bool, int] = {True: 3, False: 5}
"""Characters from which a name is compared; by whether it is Chinese."""
MIN_SLIP_LIKENESS: Mapping[bool, float] = {True: 0.66, False: 0.7}
"""Share of characters that stay, from which one is a slip of the other; by whether it is Chinese."""


class NameGrams:
    """Pieces of two characters -> the names that hold them, with and without the names of their rooms."""

    def __init__(self, view: HomeView) -> None:
        self._owners: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        for device in view.home.devices:
            if device.reach == "spoken":
                room = view.room(device.id)
                for name in _spoken_names(device, room.name if room else ""):
                    self._owners[name].add(device.id)
        for name in self._owners:
            for piece in _pieces(name):
                self._names[piece].add(name)

    def like(self, said: str) -> dict[str, tuple[float, str]]:
        """Device id -> (share of characters that stay, the name), of names that ``said`` is a slip of.

        Figures in a name are never a slip: ``lamp 2`` is no ``lamp 3``.
        """
        text, found = fold(said), dict[str, tuple[float, str]]()
        han = bool(text) and is_han(text[0])
        if len(text) < MIN_SLIP_CHARS[han]:
            return found
        for name in {name for piece in _pieces(text) for name in self._names.get(piece, ())}:
            share = OSA.normalized_similarity(text, name)
            if MIN_SLIP_LIKENESS[han] <= share < 1 and _digits(text) == _digits(name):
                for device_id in self._owners[name]:
                    found[device_id] = max(found.get(device_id, (0.0, "")), (share, name))
        return found


def _spoken_names(device: Device, room: str) -> Iterator[str]:
    for name in map(fold, (device.name, *device.aliases)):
        yield name
        rest = name.removeprefix(fold(normalise(room)))
        if rest not in {name, ""}:
            yield rest


def _pieces(text: str) -> Iterator[str]:
    framed = f"^{text}$"
    return (framed[at : at + 2] for at in range(len(framed) - 1))


def _digits(text: Iterable[str]) -> list[str]:
    return [ch for ch in text if ch.isdigit()]


class NameVectors:
    """The names of a home's devices and scenes, and the words for their kinds, each text once.

    Aliases are names too; the words for kinds are Chinese and English.
    """

    def __init__(self, view: HomeView, embedder: Embedder) -> None:
        owners: dict[str, list[str]] = {}
        for thing_id, text in _thing_texts(view):
            owners.setdefault(text, []).append(thing_id)
        self.texts, self.owners = tuple(owners), tuple(map(tuple, owners.values()))
        vectors = embedder.embed(self.texts) if owners else np.zeros((0, embedder.dimension), np.float32)
        self._vectors = VectorIndex(vectors, embedder.name, embedder.version)
        self._embedder = embedder

    def alike(self, text: str, least: float) -> dict[str, tuple[float, str]]:
        """Device or scene id -> (cosine of at least ``least``, its text that is nearest), nearest first."""
        found: dict[str, tuple[float, str]] = {}
        for row, score in self._vectors.search(self._embedder.embed([text])[0], self._vectors.size):
            if score < least:
                break
            for thing_id in self.owners[row]:
                found.setdefault(thing_id, (score, self.texts[row]))
        return found


def _thing_texts(view: HomeView) -> Iterator[tuple[str, str]]:
    """(id, text) of everything that may be told something: what can only be read is no answer to an order."""
    for device in view.home.devices:
        if device.reach == "spoken" and view.profile(device.id).commands:
            found: list[str] = []
            for language in LANGUAGES:
                words = kind_words(language)
                found.extend(words[kind] for kind in device.kinds if kind in words)
            for text in dict.fromkeys((*_names_without_room(device, view.room(device.id)), *found)):
                yield device.id, text
    for scene in view.home.scenes:
        for name in (scene.name, *scene.aliases):
            yield scene.id, normalise(name)


def _names_without_room(device: Device, room: Room | None) -> Iterator[str]:
    """Name and aliases without the name of the room: it says where, not what."""
    for name in map(normalise, (device.name, *device.aliases)):
        bare = re.sub(re.escape(normalise(room.name)), " ", name).strip() if room else name
        yield bare or name


# Words of both languages for rooms, floors and contact sensors, as data.


def home_words() -> Mapping[str, Any]:
    """What ``words.yaml`` holds: ``outdoor``, ``levels``, ``contacts`` and ``lamps``."""
    return cast("Mapping[str, Any]", table("winnow.retrieve.home", "words.yaml"))


NAMELESS_KINDS = frozenset({"cover", "climate", "media_player"})
"""Kinds that say what moves, heats or plays and not what it is."""
SWITCH_ENDINGS = (" light switch", " wall switch", " switch", "灯开关", "的开关", "开关")
LAMP_TRAIT = "Lamp."
"""What the traits of the light inside an appliance begin with."""
Pairs = Iterable[tuple[str, str]]
"""What to look up by, and the id of a device."""


@dataclass(frozen=True, slots=True)
class CommandIndex:
    """Documents of the distinct (profile, command) pairs.

    A thousand lamps of one profile are indexed once.
    """

    rows: Mapping[str, tuple[tuple[Command, int], ...]]
    """Profile id -> its commands that may be offered, each with the number of its document."""
    lexical: LexicalIndex
    vectors: VectorIndex
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HomeIndex:
    """One home, indexed."""

    view: HomeView
    commands: CommandIndex
    embedder: Embedder
    by_kind: Mapping[str, frozenset[str]]
    by_room: Mapping[str, frozenset[str]]
    by_floor: Mapping[str, frozenset[str]]
    by_type_named: Mapping[str, frozenset[str]]
    """Type word -> devices whose name holds it."""
    names: Mapping[str, tuple[str, ...]]
    """Device id -> its folded name and aliases."""
    name_words: Mapping[str, frozenset[str]]
    """Latin word, singular -> devices whose name holds it."""
    room_words: Mapping[str, frozenset[str]]
    """Latin word, singular -> devices in the rooms whose name holds it among others."""
    all_ids: frozenset[str]
    exact_name_only: frozenset[str]
    """Devices that only their exact name means."""
    parts: Mapping[str, str]
    """Part -> the device it is a part of."""
    wall_switches: frozenset[str]
    """Switches whose names say where they are and nothing else: what they switch is the light there."""
    lit_inside: frozenset[str]
    """Appliances with a light of their own, which is no device."""
    carriers: frozenset[str]
    """Plugs and switches: what hangs on them names them."""
    holding_memo: dict[str, frozenset[str]] = field(default_factory=dict)
    """Memo of ``holding``."""
    name_vectors: list[NameVectors] = field(default_factory=list)
    """Memo of ``by_meaning``."""
    gram_memo: list[NameGrams] = field(default_factory=list)
    """Memo of ``grams``."""
    label_memo: list[Mapping[str, frozenset[str]]] = field(default_factory=list)
    """Memo of ``with_label``: word of a label -> the devices that bear it."""
    value_memo: list[Mapping[str, frozenset[str]]] = field(default_factory=list)
    """Memo of ``taking``: value of a command -> the devices that take it."""

    @property
    def home(self) -> Home:
        """The home, its kinds refined by its names."""
        return self.view.home

    def holding(self, text: str) -> frozenset[str]:
        """Devices whose name or alias holds ``text``: characters for Chinese, whole words for Latin."""
        if not text:
            return frozenset()
        known = self.holding_memo.get(text)
        if known is None:
            if len(self.holding_memo) > 4096:
                self.holding_memo.clear()
            known = self.holding_memo[text] = self._holding(text)
        return known

    def by_meaning(self) -> NameVectors:
        """The names of the home as vectors, computed when they are first asked for.

        Most turns find their things without them.
        """
        if not self.name_vectors:
            self.name_vectors.append(NameVectors(self.view, self.embedder))
        return self.name_vectors[0]

    def grams(self) -> NameGrams:
        """The names of the home by their pieces, cut when they are first asked for."""
        if not self.gram_memo:
            self.gram_memo.append(NameGrams(self.view))
        return self.gram_memo[0]

    def with_label(self, text: str) -> frozenset[str]:
        """Devices with a label that is ``text`` or holds it as a word."""
        if not self.label_memo:
            self.label_memo.append(_group_ids(_label_words(self.home.devices)))
        return self.label_memo[0].get(singular(text), frozenset())

    def taking(self, value: str) -> frozenset[str]:
        """Devices with a command that takes that value: a source, a programme, a mode."""
        if not self.value_memo:
            self.value_memo.append(_group_ids(_value_words(self.view)))
        return self.value_memo[0].get(normalise(value), frozenset())

    def may_carry(self, ids: Iterable[str]) -> frozenset[str]:
        """The plugs and switches among them whose names do not tell what hangs there: it may be a lamp."""
        devices = self.view.devices
        out: set[str] = set()
        for i in self.carriers.intersection(ids):
            # Whether no name of it says what it is for, beyond that it is a plug or gives light
            device = devices[i]
            words, plain = type_words(), {*CARRIER_KINDS, "light"}
            kinds = (words[word].kinds[:1] for name in _device_names(device) for word in types_in(name)[0])
            if plain.issuperset(kind for found in kinds for kind in found):
                out.add(i)
        return frozenset(out)

    def without_exact_name(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of them that may be meant without their name."""
        return frozenset(ids) - self.exact_name_only

    def _holding(self, text: str) -> frozenset[str]:
        if is_han(text[0]):
            key = fold(text)
            found: list[str] = []
            if key:
                found.extend(i for i, names in self.names.items() if any(_holds_key(n, key) for n in names))
            return frozenset(found)
        words = [singular(w) for w in words_in(text)]
        sets = [self.name_words.get(w, frozenset()) for w in words]
        return frozenset.intersection(*sets) if sets else frozenset()


def _holds_key(name: str, key: str) -> bool:
    """Whether a name holds a word; one for a kind not across the kind it ends with: 前台灯带 no 台灯."""
    if not holds_word(name, key) or key not in naming():
        return holds_word(name, key)
    head = next((at for at in range(len(name)) if name[at:] in naming()), len(name))
    at = name.find(key)
    return not at < head < at + len(key) < len(name)


def singular(word: str) -> str:
    """A plain English plural without its ending."""
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def build_index(home: Home, embedder: Embedder) -> HomeIndex:
    """Index ``home``. Cost grows with devices (names) and with distinct commands (documents, vectors)."""
    home = refine_kinds(home)
    view, devices = HomeView.of(home), home.devices
    placed_devices = [(room, i) for i in view.devices if (room := view.room(i)) is not None]
    placed, carriers = placed_devices, [d for d in devices if set(d.kinds[:1]) <= CARRIER_KINDS]
    return HomeIndex(
        view=view,
        commands=_commands(home, embedder),
        embedder=embedder,
        by_kind=_group_ids(_own_kinds(devices)),
        by_room=_group_ids((room.id, i) for room, i in placed),
        by_floor=_group_ids((room.floor_id, i) for room, i in placed if room.floor_id),
        by_type_named=_group_ids(_types_named(carriers)),
        names={d.id: tuple(map(fold, _device_names(d))) for d in devices},
        name_words=_group_ids(_name_words(devices)),
        room_words=_group_ids(_room_words(placed)),
        all_ids=frozenset(view.devices),
        exact_name_only=frozenset(_named_only(devices)),
        parts=dict(_parts(view)),
        wall_switches=frozenset(_wall_switches(view)),
        lit_inside=frozenset(_lit_inside(view)),
        carriers=frozenset(d.id for d in carriers),
    )


def _named_only(devices: Iterable[Device]) -> Iterator[str]:
    return (d.id for d in devices if d.reach == "named")


def _parts(view: HomeView) -> Pairs:
    """Each part with the device it is a part of, where that is in the home."""
    return ((d.id, d.part_of) for d in view.home.devices if d.part_of and d.part_of in view.devices)


def _wall_switches(view: HomeView) -> Iterator[str]:
    for device in view.home.devices:
        if device.kinds[:1] == ("switch",) and not device.part_of:
            room = view.room(device.id)
            if any(_is_of_a_place(name, room) for name in _device_names(device)):
                yield device.id


def _lit_inside(view: HomeView) -> Iterator[str]:
    """Those that can be told something of a light inside."""
    lit = {p.id for p in view.home.profiles if any(c.trait.startswith(LAMP_TRAIT) for c in p.commands)}
    return (d.id for d in view.home.devices if d.profile_id in lit)


def _is_of_a_place(name: str, room: Room | None) -> bool:
    """Whether a name is a word for a room and ``开关`` or ``switch``."""
    place = next((name.lower().removesuffix(end) for end in SWITCH_ENDINGS if name.lower().endswith(end)), "")
    rooms = (*surfaces("room"), *((room.name.lower(), *room.aliases) if room else ()))
    return normalise(place) in rooms


def _own_kinds(devices: Iterable[Device]) -> Pairs:
    """The kinds each is counted among: a window is no nameless cover, an air conditioner no thermostat."""
    for device in devices:
        for kind in device.kinds:
            if kind not in NAMELESS_KINDS or device.kinds[0] in {kind, "thermostat"}:
                yield kind, device.id


def _types_named(carriers: Iterable[Device]) -> Pairs:
    """The words for what hangs there, and for the kind of that: a lamp on a socket is one of the lights."""
    types = type_words()
    for device in carriers:
        for word in {word for name in _device_names(device) for word in types_in(name)[0]}:
            yield word, device.id
            yield from ((kind, device.id) for kind in types[word].kinds if kind in types)
        if any(name.lower().endswith(_lamps()) for name in _device_names(device)):
            yield from ((word, device.id) for word in ("light", "lamp"))


def _lamps() -> tuple[str, ...]:
    """The ends of names that tell of a lamp: whole words."""
    return tuple(f" {word}" if word.isascii() else word for word in home_words()["lamps"])


def _label_words(devices: Iterable[Device]) -> Pairs:
    for device in devices:
        for label in (normalise(tag).replace("_", " ") for tag in device.tags):
            yield from ((singular(word), device.id) for word in (label, *label.split()))


def _value_words(view: HomeView) -> Pairs:
    taken = {
        profile_id: {
            normalise(str(word))
            for c in profile.commands
            for p in c.parameters
            for choice in p.choices
            for word in (choice.value, choice.text)
            if word
        }
        for profile_id, profile in view.profiles.items()
    }
    for device in view.home.devices:
        yield from ((value, device.id) for value in taken.get(device.profile_id, ()))


def _name_words(devices: Iterable[Device]) -> Pairs:
    for device in devices:
        for name in _device_names(device):
            for word in words_in(name):
                yield singular(word), device.id


def _room_words(placed: Iterable[tuple[Room, str]]) -> Pairs:
    """The Latin words of the names that have several of them."""
    for room, device_id in placed:
        words = [w for w in normalise(room.name).split() if w.isascii() and w.isalpha() and len(w) > 3]
        if len(words) > 1:
            yield from ((singular(word), device_id) for word in words)


def _device_names(device: Device) -> tuple[str, ...]:
    return device.name, *device.aliases


def _group_ids(pairs: Pairs) -> dict[str, frozenset[str]]:
    """Key -> the ids that stand beside it."""
    table: dict[str, set[str]] = {}
    for key, device_id in pairs:
        table.setdefault(key, set()).add(device_id)
    return {key: frozenset(ids) for key, ids in table.items()}


def _commands(home: Home, embedder: Embedder) -> CommandIndex:
    numbers: dict[str, int] = {}
    rows: dict[str, tuple[tuple[Command, int], ...]] = {}
    used = {d.profile_id for d in home.devices}
    for profile in home.profiles:
        if profile.id not in used:
            continue
        offered = [c for c in profile.commands if c.trait != HOUSEKEEPING]
        rows[profile.id] = tuple((c, numbers.setdefault(command_document(c), len(numbers))) for c in offered)
    documents = tuple(numbers)
    vectors = embedder.embed(documents) if documents else np.zeros((0, embedder.dimension), np.float32)
    return CommandIndex(
        rows, LexicalIndex.build(documents), VectorIndex(vectors, embedder.name, embedder.version), documents
    )
