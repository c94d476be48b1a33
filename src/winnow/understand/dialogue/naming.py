"""Sentences by which a person gives a device a name of their own, or takes one back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from winnow.language.normalize import language_of, normalise
from winnow.language.tables import table

_QUOTES = "\"'“”"
_END = " .!。!"


@dataclass(frozen=True, slots=True)
class Taught:
    """A name and what it is said to mean; ``thing`` is empty where the name is to be forgotten."""

    word: str
    thing: str = ""
    firm: bool = True
    """Said for nothing else: where it cannot be done the person is told why."""


def taught_in(text: str) -> Iterator[Taught]:
    """What the sentence may teach, likeliest first: nothing, as a rule. A question teaches nothing."""
    said = normalise(text).strip(_END)
    language = language_of(said)
    for group, pattern in _patterns(language):
        if (match := pattern.fullmatch(said)) is None:
            continue
        found = match.groupdict()
        word = found["w"].strip(_QUOTES)
        if found["w"] == word:
            # Whether a word stands for something else in such a sentence: ``this is the lamp``
            others = _rows(language)["no_name"]
            if word in others or (language == "zh" and word.startswith(tuple(others))):
                continue
        yield Taught(word, found.get("t") or "", group == "firm")


def carriers(thing: str) -> Iterator[str]:
    """Orders by which a thing is looked for; none is carried out."""
    for carrier in _rows(language_of(thing))["carriers"]:
        yield carrier.replace("{t}", thing)


def _rows(language: str) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.language", "words/teaching.yaml")[language])


@lru_cache(maxsize=2)
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = _rows(language)
    word, thing = f"(?P<w>{rows['word']})", f"(?P<t>{rows['thing']})"
    return tuple(
        (group, re.compile(line.replace("{w}", word).replace("{t}", thing)))
        for group in ("firm", "forget", "loose")
        for line in rows[group]
    )
