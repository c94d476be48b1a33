"""Attributes and values in one spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from winnow.language.ngrams import stem
from winnow.recall.history.superseded.values import looks
from winnow.recall.history.superseded.words import groups, words

LONGEST = 8
"""Words of a value."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a clause says of something."""

    tokens: tuple[str, ...]
    looks: Mapping[str, str]
    words: frozenset[str]
    """Stems of what is no number, date or the like."""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not (self.looks or self.words)


def value_in(tokens: Sequence[str]) -> Value:
    """The value behind what leads to it, up to what ends it."""
    start = 0
    while start < len(tokens) and tokens[start] in words("into"):
        start += 1
    end = min(start + 1, len(tokens))
    while end < min(len(tokens), start + LONGEST) and tokens[end] not in words("stop"):
        end += 1
    told = tuple(tokens[start:end])
    found = _timed(looks(" ".join(told)), tokens[:start])
    return Value(told, found, content(told) - (looking(told) if found else frozenset()))


def _timed(found: Mapping[str, str], before: Sequence[str]) -> Mapping[str, str]:
    """``at 7`` is a time."""
    if set(found) != {"number"} or not words("at") & set(before):
        return found
    return {"time": found["number"]}


def looking(tokens: Sequence[str]) -> frozenset[str]:
    """The words that are part of a number or a date."""
    return frozenset(stem(token) for token in tokens if looks(token)) | {stem(w) for w in words("units")}


def content(tokens: Sequence[str]) -> frozenset[str]:
    """Stems of the words that say something."""
    return frozenset(stem(token.removesuffix("'s")) for token in tokens if token not in words("empty"))


@cache
def stems(name: str) -> frozenset[str]:
    """The stems of a list of words."""
    return frozenset(map(stem, words(name)))


def canonical(what: Sequence[str]) -> frozenset[str]:
    """The attribute in one spelling: families for words of one meaning, else stems."""
    text, found = " ".join(what), set()
    for pattern, family in _families():
        text, times = pattern.subn(" ", text)
        if times:
            found.add(family)
    return frozenset(found) | content(text.split())


@cache
def _families() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (
            re.compile(
                rf"(?<!\S)(?:{'|'.join(map(re.escape, sorted(alike, key=len, reverse=True)))})s?(?!\S)"
            ),
            name,
        )
        for name, alike in groups("same").items()
    )
