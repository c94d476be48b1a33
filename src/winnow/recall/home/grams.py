"""The names of a home by pieces of two characters, for slips that sound like nothing: ``老伙汁``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rapidfuzz.distance import OSA

from winnow.language.normalise import fold, is_han, normalise
from winnow.types.catalog import Device
from winnow.types.view import HomeView

SHORTEST: Mapping[bool, int] = {True: 3, False: 5}
"""Characters from which a name is compared; by whether it is Chinese."""
LIKENESS: Mapping[bool, float] = {True: 0.66, False: 0.7}
"""Share of characters that stay, from which one is a slip of the other; by whether it is Chinese."""


class Grams:
    """Pieces of two characters -> the names that hold them, with and without the names of their rooms."""

    def __init__(self, view: HomeView) -> None:
        self._owners: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        for device in view.home.devices:
            if device.reach == "spoken":
                room = view.room(device.id)
                for name in _called(device, room.name if room else ""):
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
        if len(text) < SHORTEST[han]:
            return found
        for name in {name for piece in _pieces(text) for name in self._names.get(piece, ())}:
            share = OSA.normalized_similarity(text, name)
            if LIKENESS[han] <= share < 1 and _figures(text) == _figures(name):
                for device_id in self._owners[name]:
                    found[device_id] = max(found.get(device_id, (0.0, "")), (share, name))
        return found


def _called(device: Device, room: str) -> Iterator[str]:
    for name in map(fold, (device.name, *device.aliases)):
        yield name
        rest = name.removeprefix(fold(normalise(room)))
        if rest not in {name, ""}:
            yield rest


def _pieces(text: str) -> Iterator[str]:
    framed = f"^{text}$"
    return (framed[at : at + 2] for at in range(len(framed) - 1))


def _figures(text: Iterable[str]) -> list[str]:
    return [ch for ch in text if ch.isdigit()]
