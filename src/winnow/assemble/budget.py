"""Fit lines into a budget of tokens: shorten, then drop, the least important first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.text.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a briefing.

    ``versions`` run from the fullest to the shortest; ``name`` says what is lost when it is dropped.
    """

    name: str
    versions: Sequence[str]
    members: int | None = None
    """From which version on members of a set are left out, and not only words about them; None: from none."""
    offers: tuple[tuple[str, str], ...] = ()
    """Device and command ids that it names to act with."""
    naming: int | None = None
    """How many of the versions name them; None: all."""


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
    told = zip(lines[:kept], chosen, strict=False)
    cut = tuple(line.name for line, n in told if line.members is not None and n >= line.members)
    return tuple(zip(names[:kept], _texts(lines[:kept], chosen), strict=True)), (*cut, *names[kept:])


def _shorten(lines: tuple[Line, ...], chosen: list[int]) -> bool:
    """Shorten the fullest line, the last one of several; False when every line is at its shortest."""
    able = [n for n, line in enumerate(lines) if chosen[n] + 1 < len(line.versions)]
    if able:
        chosen[min(able, key=lambda n: (chosen[n], -n))] += 1
    return bool(able)


def offered(lines: Sequence[Line], kept: Sequence[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Device id -> ids of the commands that the texts name with it; they are those of the first lines."""
    found: dict[str, tuple[str, ...]] = {}
    for line, (_, text) in zip(lines, kept, strict=False):
        # Most lines stand in full; the shorter versions are only made where that is not so.
        named = line.naming is None or (
            line.naming > 0 and (text == line.versions[0] or text in line.versions[: line.naming])
        )
        for device_id, command_id in line.offers if named else ():
            known = found.get(device_id, ())
            found[device_id] = known if command_id in known else (*known, command_id)
    return found


def _texts(lines: tuple[Line, ...], chosen: list[int]) -> list[str]:
    return [line.versions[n] for line, n in zip(lines, chosen, strict=False)]


def _tokens(texts: list[str]) -> int:
    return count_tokens("\n".join(texts))
