"""The parts of Chinese names: what something belongs to, the brand before a kind, the side it is on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.little import little, senses
from winnow.types.catalog import Device

WORD = 0.95
"""Claim of one part of a name."""
THIRD = 3
"""Characters from which on a name is no side with what it is the side of."""


def said_parts(surface: str, device: Device, words: Mapping[str, Entry]) -> Iterator[Entry]:
    """``升降桌 高度``: what stands first in a name written in parts is the thing it belongs to.

    Before a word for a kind stands what tells it from its like: the brand, whose it is, where it stands.
    """
    *of, last = (surface.rstrip("0123456789 ") or surface).split()
    which = _which(last) if of else ()
    for part in dict.fromkeys((*of, _before_the_kind(last), *which)):
        if len(part) > 1 and part not in words:
            data = {"kinds": device.kinds, "side": part in senses("sides")}
            yield Entry(part, "nameword", data, (device.id,), WORD)


def _which(last: str) -> tuple[str, ...]:
    """What tells one of several: 右灶 of 电磁灶 右灶, and 右边, as that of 三开 右键 and 筒灯 右."""
    if last in senses("sides"):
        return ()  # a key by its side is one of its switch, not what a side alone means
    return (last, *_sides().get(last[:1], ())) if len(last) < THIRD else (last,)


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, tuple[str, ...]]:
    """A side that names end in -> how it is said: 右边 is the one called 右."""
    said = senses("sides")
    return {side: tuple(word for word in said if said[word] == side) for side in set(said.values())}


def _before_the_kind(name: str) -> str:
    """What of a Chinese name is left of the longest word for a kind that it ends with."""
    kinds = lexicon.surfaces("type")
    rest = next((name[:at] for at in range(1, len(name)) if name[at:] in kinds), "")
    return next((rest.removesuffix(of) for of in little("owned") if rest.endswith(of)), rest)
