"""Everything about one home that can be computed before anybody speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.language.normalise import fold, is_han, normalise
from winnow.ports import Embedder
from winnow.recall.home.enrich import command_document, refined, types_in
from winnow.recall.home.names import Names
from winnow.recall.lexical import LexicalIndex
from winnow.recall.vectors import VectorIndex
from winnow.types.catalog import Command, Home
from winnow.types.view import HomeView

CARRIERS = frozenset({"plug", "switch"})
"""Kinds that are reached by the name of what hangs on them."""
HIDDEN_TRAIT = "Housekeeping"
Floats = npt.NDArray[np.float32]


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
    carriers: frozenset[str]
    """Plugs and switches: what hangs on them names them."""
    held: dict[str, frozenset[str]] = field(default_factory=dict)
    """Memo of ``holding``."""
    meant: list[Names] = field(default_factory=list)
    """Memo of ``by_meaning``."""

    @property
    def home(self) -> Home:
        """The home, its kinds refined by its names."""
        return self.view.home

    def holding(self, text: str) -> frozenset[str]:
        """Devices whose name or alias holds ``text``: characters for Chinese, whole words for Latin."""
        if not text:
            return frozenset()
        known = self.held.get(text)
        if known is None:
            if len(self.held) > 4096:
                self.held.clear()
            known = self.held[text] = self._holding(text)
        return known

    def by_meaning(self) -> Names:
        """The names of the home as vectors, computed when they are first asked for.

        Most turns find their things without them.
        """
        if not self.meant:
            self.meant.append(Names(self.view, self.embedder))
        return self.meant[0]

    def _holding(self, text: str) -> frozenset[str]:
        if is_han(text[0]):
            key = fold(text)
            return (
                frozenset(i for i, names in self.names.items() if any(key in name for name in names))
                if key
                else frozenset()
            )
        words = [singular(w) for w in normalise(text).split()]
        sets = [self.name_words.get(w, frozenset()) for w in words]
        return frozenset.intersection(*sets) if sets else frozenset()


def singular(word: str) -> str:
    """A plain English plural without its ending."""
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def build_index(home: Home, embedder: Embedder) -> HomeIndex:
    """Index ``home``. Cost grows with devices (names) and with distinct commands (documents, vectors)."""
    home = refined(home)
    view = HomeView.of(home)
    kinds: dict[str, set[str]] = {}
    rooms: dict[str, set[str]] = {}
    floors: dict[str, set[str]] = {}
    typed: dict[str, set[str]] = {}
    words: dict[str, set[str]] = {}
    names: dict[str, tuple[str, ...]] = {}
    placed: dict[str, set[str]] = {}
    for device in home.devices:
        for kind in device.kinds:
            if kind in {"cover", "climate", "media_player"} and device.kinds[0] not in {kind, "thermostat"}:
                continue  # a window is no nameless cover, an air conditioner no thermostat
            kinds.setdefault(kind, set()).add(device.id)
        room = view.rooms.get(device.room_id or "")
        if room is not None:
            rooms.setdefault(room.id, set()).add(device.id)
            for word in _room_words(room.name):
                placed.setdefault(word, set()).add(device.id)
            if room.floor_id:
                floors.setdefault(room.floor_id, set()).add(device.id)
        names[device.id] = tuple(fold(n) for n in (device.name, *device.aliases))
        for name in (device.name, *device.aliases):
            for type_ in types_in(name)[0] if set(device.kinds[:1]) <= CARRIERS else ():
                typed.setdefault(type_, set()).add(device.id)
            for word in normalise(name).replace("-", " ").split():
                words.setdefault(singular(word), set()).add(device.id)
    return HomeIndex(
        view, _commands(home, embedder), embedder, _frozen(kinds), _frozen(rooms), _frozen(floors), _frozen(typed), names, _frozen(words),
        _frozen(placed), frozenset(view.devices), frozenset(d.id for d in home.devices if set(d.kinds[:1]) <= CARRIERS),
    )  # fmt: skip


def _room_words(name: str) -> set[str]:
    words = [w for w in normalise(name).split() if w.isascii() and w.isalpha() and len(w) > 3]
    return {singular(w) for w in words} if len(words) > 1 else set()


def _frozen(table: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(ids) for key, ids in table.items()}


def _commands(home: Home, embedder: Embedder) -> CommandIndex:
    numbers: dict[str, int] = {}
    rows: dict[str, tuple[tuple[Command, int], ...]] = {}
    used = {d.profile_id for d in home.devices}
    for profile in home.profiles:
        if profile.id not in used:
            continue
        offered = [c for c in profile.commands if c.trait != HIDDEN_TRAIT]
        rows[profile.id] = tuple((c, numbers.setdefault(command_document(c), len(numbers))) for c in offered)
    documents = tuple(numbers)
    vectors = embedder.embed(documents) if documents else np.zeros((0, embedder.dimension), np.float32)
    return CommandIndex(
        rows, LexicalIndex.build(documents), VectorIndex(vectors, embedder.name, embedder.version), documents
    )
