"""Sentences that say again what another one says."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.units import Units
from winnow.language.scope import limits

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
HELD = 0.95
"""The share of a sentence's terms that another one must hold to say it all."""
SHORTEST = 4
"""Terms of the shortest sentence that can be said to repeat another."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[〇一二三四五六七八九十百千万亿]+")


def repeats(units: Units, held: Floats) -> dict[int, int]:
    """Number of a sentence -> that of the one that says it all.

    That is the longer one; of two alike that of the more important item, then the first. ``held``: how often
    each sentence holds each term.

    Two that differ in a number, or of which one denies, excepts or limits more, are not the same.
    """
    if not held.size:
        return {}
    # Whether the terms of a sentence (row) are held by another one (column)
    holding = np.minimum(held, 1)
    sizes = holding.sum(1)
    shares = (holding @ holding.T) / np.maximum(sizes, 1)[:, None]
    alike: Bools = (shares >= HELD) & (sizes >= SHORTEST)[:, None] & ~np.eye(len(sizes), dtype=bool)
    found: dict[int, int] = {}
    for one, other in zip(*(map(int, places) for places in np.nonzero(alike)), strict=True):
        last = not alike[other, one] or _rank(units, other) < _rank(units, one)
        if last and one not in found and other not in found and _says(units, one, other):
            found[one] = other
    return found


def _says(units: Units, one: int, other: int) -> bool:
    """Whether what a sentence says is said by the other, as far as numbers and words like ``not`` tell."""
    texts = [_text(units, one), _text(units, other)]
    mine, theirs = (set(_NUMBER.findall(text)) for text in texts)
    limited = [[kind for kind, _ in limits(text)] for text in texts]
    prose = all(units.all[units.starts[number]].prose for number in (one, other))
    return prose and mine <= theirs and limited[0] == limited[1]


def _rank(units: Units, sentence: int) -> tuple[float, int]:
    """The lower, the rather it stays."""
    return -units.items[units.items_of[units.starts[sentence]]].importance, sentence


def _text(units: Units, sentence: int) -> str:
    return "".join(units.all[n].text for n in units.of_sentence(int(units.starts[sentence])))
