"""What the things of a home are called and what they are, as vectors.

For words that nothing in the home is found by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from winnow.language.lexicon import LANGUAGES, kind_words
from winnow.language.normalise import normalise
from winnow.ports import Embedder
from winnow.recall.vectors import VectorIndex
from winnow.types.catalog import Device, Room
from winnow.types.view import HomeView


class Names:
    """The names of a home's devices and scenes, and the words for their kinds, each text once.

    Aliases are names too; the words for kinds are Chinese and English.
    """

    def __init__(self, view: HomeView, embedder: Embedder) -> None:
        owners: dict[str, list[str]] = {}
        for thing_id, text in _called(view):
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


def _called(view: HomeView) -> Iterator[tuple[str, str]]:
    """(id, text) of everything that may be told something: what can only be read is no answer to an order."""
    for device in view.home.devices:
        if device.reach == "spoken" and view.profile(device.id).commands:
            for text in dict.fromkeys((*_own(device, view.room(device.id)), *_kinds(device))):
                yield device.id, text
    for scene in view.home.scenes:
        for name in (scene.name, *scene.aliases):
            yield scene.id, normalise(name)


def _own(device: Device, room: Room | None) -> Iterator[str]:
    """Name and aliases without the name of the room: it says where, not what."""
    for name in map(normalise, (device.name, *device.aliases)):
        bare = re.sub(re.escape(normalise(room.name)), " ", name).strip() if room else name
        yield bare or name


def _kinds(device: Device) -> Iterator[str]:
    for language in LANGUAGES:
        words = kind_words(language)
        yield from (words[kind] for kind in device.kinds if kind in words)
