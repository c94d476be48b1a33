"""Kept pieces -> a text that reads: what stood together stays together, gaps are marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, cast

from winnow.context.compress.units import Unit, Units
from winnow.language.content_words import content_terms
from winnow.language.normalize import language_of
from winnow.language.segment import segment
from winnow.language.tables import table

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


# A piece of which not even the beginning fits -> the words of it that tell most.


def keywords(text: str, fits: Callable[[str], bool]) -> str:
    """The telling words in their order, as many as fit, names and numbers before all others."""
    rules, chosen, told = _rules(), list[str](), ""
    telling = [match.group().strip() for match in rules["keywords"].finditer(text)]
    for word in dict.fromkeys((*telling, *_content(text))):
        more = rules["between"][language_of(text)].join(sorted([*chosen, word], key=text.find))
        if not any(word in other for other in chosen) and fits(more):
            chosen.append(word)
            told = more
    return told


def _content(text: str) -> list[str]:
    """The words that say what it is about, without those that hold sentences together."""
    if language_of(text) == "zh":
        tags = _rules()["tags"]
        return [word.text for word in segment(text) if word.tag.startswith(tags) and len(word.text) > 1]
    return [word for word in re.findall(r"[A-Za-z][\w'-]+", text) if content_terms(word)]


@cache
def _rules() -> dict[str, Any]:
    rules = cast("dict[str, Any]", table("winnow.context", "data/keywords.yaml"))
    return {**rules, "keywords": re.compile(rules["keywords"]), "tags": tuple(rules["tags"])}
