"""Kept pieces -> a text that reads: what stood together stays together, gaps are marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from winnow.assemble.compress.units import Unit, Units

GAP = "…"
Taken = Mapping[int, str]
"""Number of a unit -> what is kept of it: its whole text, or the beginning of it."""


@dataclass(frozen=True, slots=True)
class Run:
    """Pieces that stood next to each other."""

    first: Unit
    text: str
    begins: bool
    """Whether it begins where its sentence does."""
    ends: bool
    """Whether it ends where a sentence does."""


def runs(units: Units, taken: Taken) -> Iterator[tuple[int, list[Run]]]:
    """Number of an item and the runs kept of it, for each item of which something is kept, in order."""
    for item, found in groupby(_runs(units, taken), key=lambda run: run.first.item):
        yield item, list(found)


def joined(units: Units, taken: Taken) -> dict[int, str]:
    """Number of an item -> what is kept of it, in its order."""
    return {item: _text(units.texts[item], found) for item, found in runs(units, taken)}


def _runs(units: Units, taken: Taken) -> Iterator[Run]:
    run: list[int] = []
    for number in sorted(taken):
        if run and not _goes_on(units, taken, run[-1], number):
            yield _run(units, taken, run)
            run = []
        run.append(number)
    if run:
        yield _run(units, taken, run)


def _goes_on(units: Units, taken: Taken, before: int, number: int) -> bool:
    """Whether a piece stands right behind the one before, of which all is kept."""
    last, unit = units.all[before], units.all[number]
    return number == before + 1 and unit.item == last.item and taken[before] == last.text


def _run(units: Units, taken: Taken, numbers: Sequence[int]) -> Run:
    first, last = units.all[numbers[0]], units.all[numbers[-1]]
    whole = taken[numbers[-1]] == last.text
    begins = numbers[0] == units.starts[first.sentence]
    ends = whole and numbers[-1] + 1 == units.of_sentence(numbers[-1]).stop
    text = (
        units.texts[first.item][first.start : last.end] if whole else "".join(map(taken.__getitem__, numbers))
    )
    return Run(first, text, begins, ends)


def _text(source: str, found: Sequence[Run]) -> str:
    """The runs of one item, with marks where something is missing within a sentence or between two."""
    text = ""
    for run in found:
        piece = run.text.strip()
        if text:
            # The text so far and the next piece: on a line of its own where it began one, else behind a
            # mark
            own_line = run.begins and "\n" in source[max(0, run.first.start - 2) : run.first.start]
            text = f"{text}\n{piece}" if own_line else _beside(_beside(text, GAP), piece)
        else:
            text = piece if run.begins else _beside(GAP, piece)
    return text if found[-1].ends else _beside(text, GAP)


def _beside(left: str, right: str) -> str:
    """Two pieces side by side; Latin letters need a blank between."""
    tight = _is_wide(left[-1:]) or _is_wide(right[:1])
    return f"{left}{'' if tight else ' '}{right}"


def _is_wide(character: str) -> bool:
    return "\u2e80" <= character <= "\uffef"
