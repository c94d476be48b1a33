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
    groups: list[list[int]] = []
    for number in sorted(taken):
        before = groups[-1][-1] if groups else number
        last = units.all[before]
        # A piece goes on where it stands right behind the one before, of which all is kept.
        if number == before + 1 and units.all[number].item == last.item and taken[before] == last.text:
            groups[-1].append(number)
        else:
            groups.append([number])
    found = (_run(units, taken, group) for group in groups)
    for item, own in groupby(found, key=lambda run: run.first.item):
        yield item, list(own)


def joined(units: Units, taken: Taken) -> dict[int, str]:
    """Number of an item -> what is kept of it, in its order, with marks where something is missing."""
    texts: dict[int, str] = {}
    for item, found in runs(units, taken):
        source, text = units.texts[item], ""
        for run in found:
            piece = run.text.strip()
            if not text:
                text = piece if run.begins else _beside(GAP, piece)
            elif run.begins and "\n" in source[max(0, run.first.start - 2) : run.first.start]:
                text = f"{text}\n{piece}"  # it began a line, which tells as much as a mark
            else:
                text = _beside(_beside(text, GAP), piece)
        texts[item] = text if found[-1].ends else _beside(text, GAP)
    return texts


def _run(units: Units, taken: Taken, numbers: Sequence[int]) -> Run:
    first, last = units.all[numbers[0]], units.all[numbers[-1]]
    whole = taken[numbers[-1]] == last.text
    begins = numbers[0] == units.starts[first.sentence]
    ends = whole and numbers[-1] + 1 == units.of_sentence(numbers[-1]).stop
    text = (
        units.texts[first.item][first.start : last.end] if whole else "".join(map(taken.__getitem__, numbers))
    )
    return Run(first, text, begins, ends)


def _beside(left: str, right: str) -> str:
    """Two pieces side by side; Latin letters need a blank between."""
    tight = any("\u2e80" <= sign <= "\uffef" for sign in (left[-1:], right[:1]))
    return f"{left}{'' if tight else ' '}{right}"
