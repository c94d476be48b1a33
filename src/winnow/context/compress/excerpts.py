"""Joins kept pieces into readable text with gaps marked; key words where no piece fits."""

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
from winnow.language.segment import segment_words
from winnow.language.tables import table

GAP_MARK = "…"
KeptTexts = Mapping[int, str]
"""Number of a unit -> what is kept of it: its whole text, or the beginning of it."""


@dataclass(frozen=True, slots=True)
class UnitRun:
    """Pieces that stood next to each other."""

    first: Unit
    text: str
    begins: bool
    """Whether it begins where its sentence does."""
    ends: bool
    """Whether it ends where a sentence does."""


def unit_runs(units: Units, taken: KeptTexts) -> Iterator[tuple[int, list[UnitRun]]]:
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
    found = (_one_run(units, taken, group) for group in groups)
    for item, own in groupby(found, key=lambda run: run.first.item):
        yield item, list(own)


def join_units(units: Units, taken: KeptTexts) -> dict[int, str]:
    """Number of an item -> what is kept of it, in its order, with marks where something is missing."""
    texts: dict[int, str] = {}
    for item, found in unit_runs(units, taken):
        source, text = units.texts[item], ""
        for run in found:
            piece = run.text.strip()
            if not text:
                text = piece if run.begins else _beside(GAP_MARK, piece)
            elif run.begins and "\n" in source[max(0, run.first.start - 2) : run.first.start]:
                text = f"{text}\n{piece}"  # it began a line, which tells as much as a mark
            else:
                text = _beside(_beside(text, GAP_MARK), piece)
        texts[item] = text if found[-1].ends else _beside(text, GAP_MARK)
    return texts


def _one_run(units: Units, taken: KeptTexts, numbers: Sequence[int]) -> UnitRun:
    first, last = units.all[numbers[0]], units.all[numbers[-1]]
    whole = taken[numbers[-1]] == last.text
    begins = numbers[0] == units.starts[first.sentence]
    ends = whole and numbers[-1] + 1 == units.of_sentence(numbers[-1]).stop
    text = (
        units.texts[first.item][first.start : last.end] if whole else "".join(map(taken.__getitem__, numbers))
    )
    return UnitRun(first, text, begins, ends)


def _beside(left: str, right: str) -> str:
    """Two pieces side by side; Latin letters need a blank between."""
    tight = any("\u2e80" <= sign <= "\uffef" for sign in (left[-1:], right[:1]))
    return f"{left}{'' if tight else ' '}{right}"


# A piece of which not even the beginning fits -> the words of it that tell most.


def telling_words(text: str, fits: Callable[[str], bool]) -> str:
    """The telling words in their order, as many as fit, names and numbers before all others."""
    rules, chosen, told = _keyword_rules(), list[str](), ""
    telling = [match.group().strip() for match in rules["keywords"].finditer(text)]
    for word in dict.fromkeys((*telling, *_telling_candidates(text))):
        more = rules["between"][language_of(text)].join(sorted([*chosen, word], key=text.find))
        if not any(word in other for other in chosen) and fits(more):
            chosen.append(word)
            told = more
    return told


def _telling_candidates(text: str) -> list[str]:
    """The words that say what it is about, without those that hold sentences together."""
    if language_of(text) == "zh":
        tags = _keyword_rules()["tags"]
        return [word.text for word in segment_words(text) if word.tag.startswith(tags) and len(word.text) > 1]
    return [word for word in re.findall(r"[A-Za-z][\w'-]+", text) if content_terms(word)]


@cache
def _keyword_rules() -> dict[str, Any]:
    rules = cast("dict[str, Any]", table("winnow.context", "data/keywords.yaml"))
    return {**rules, "keywords": re.compile(rules["keywords"]), "tags": tuple(rules["tags"])}
