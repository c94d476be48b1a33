"""Fit lines into a budget of tokens: shorten, then drop, the least important first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.text.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a briefing.

    ``versions`` run from the fullest to the shortest; ``name`` says what is lost when it is dropped.
    """

    name: str
    versions: Sequence[str]
    members: bool = False
    """Whether a shorter version leaves out members of a set, and not only words about them."""


def fit(lines: tuple[Line, ...], budget: int) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """(name, text) of the lines that fit together, and the names left out. Lines come most important first.

    First every line keeps as much as it can, the last one being shortened first; then lines are dropped from
    the end. A set that lost members to its shortening is named among what was left out as well.
    """
    chosen = [0] * len(lines)
    while (size := _tokens(_texts(lines, chosen))) > budget and _shorten(lines, chosen):
        pass
    kept = len(lines)
    while kept and size > budget:
        kept -= 1
        size = _tokens(_texts(lines[:kept], chosen))
    names = tuple(line.name for line in lines)
    cut = _cut(lines[:kept], chosen)
    return tuple(zip(names[:kept], _texts(lines[:kept], chosen), strict=True)), (*cut, *names[kept:])


def _cut(lines: tuple[Line, ...], chosen: list[int]) -> tuple[str, ...]:
    """The sets that are told without all of their members."""
    return tuple(line.name for line, n in zip(lines, chosen, strict=False) if line.members and n)


def _shorten(lines: tuple[Line, ...], chosen: list[int]) -> bool:
    """Shorten one line: the fullest of all, the last one of several.

    False when every line is at its shortest.
    """
    able = [n for n, line in enumerate(lines) if chosen[n] + 1 < len(line.versions)]
    if able:
        chosen[min(able, key=lambda n: (chosen[n], -n))] += 1
    return bool(able)


def _texts(lines: tuple[Line, ...], chosen: list[int]) -> list[str]:
    return [line.versions[n] for line, n in zip(lines, chosen, strict=False)]


def _tokens(texts: list[str]) -> int:
    return count_tokens("\n".join(texts))
