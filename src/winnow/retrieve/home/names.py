"""Names of a home's things as vectors and as pairs of characters, for words that nothing is found by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from rapidfuzz.distance import OSA

from winnow.language.lexicon import LANGUAGES, kind_words
from winnow.language.normalize import fold, is_han, normalise
from winnow.ports.services import Embedder
from winnow.retrieve.vectors import VectorIndex
from winnow.types.home import Device, HomeView, Room

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
