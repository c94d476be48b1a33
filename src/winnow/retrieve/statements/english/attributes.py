"""Attributes and values in one spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from winnow.language.gazetteer import stem
from winnow.retrieve.statements.claims import statement_groups, statement_words, typed_values

MAX_VALUE_WORDS = 8
"""Words of a value."""


@dataclass(frozen=True, slots=True)
class ClauseValue:
    """What a clause says of something."""

    tokens: tuple[str, ...]
    looks: Mapping[str, str]
    words: frozenset[str]
    """Stems of what is no number, date or the like."""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not (self.looks or self.words)


def clause_value(tokens: Sequence[str]) -> ClauseValue:
    """The value behind what leads to it, up to what ends it."""
    start = 0
    while start < len(tokens) and tokens[start] in statement_words("into"):
        start += 1
    end = min(start + 1, len(tokens))
    while end < min(len(tokens), start + MAX_VALUE_WORDS) and tokens[end] not in statement_words("stop"):
        end += 1
    told = tuple(tokens[start:end])
    found = typed_values(" ".join(told))
    before = tokens[:start]
    if set(found) == {"number"} and statement_words("at") & set(before):
        found = {"time": found["number"]}
    return ClauseValue(told, found, content_stems(told) - (typed_words(told) if found else frozenset()))


def typed_words(tokens: Sequence[str]) -> frozenset[str]:
    """The words that are part of a number or a date."""
    return frozenset(stem(token) for token in tokens if typed_values(token)) | {
        stem(w) for w in statement_words("units")
    }


def content_stems(tokens: Sequence[str]) -> frozenset[str]:
    """Stems of the words that say something."""
    return frozenset(
        stem(token.removesuffix("'s")) for token in tokens if token not in statement_words("empty")
    )


@cache
def stem_list(name: str) -> frozenset[str]:
    """The stems of a list of words."""
    return frozenset(map(stem, statement_words(name)))


def canonical_attribute(what: Sequence[str]) -> frozenset[str]:
    """The attribute in one spelling: families for words of one meaning, else stems."""
    text, found = " ".join(what), set()
    for pattern, family in _families():
        text, times = pattern.subn(" ", text)
        if times:
            found.add(family)
    return frozenset(found) | content_stems(text.split())


@cache
def _families() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (
            re.compile(
                rf"(?<!\S)(?:{'|'.join(map(re.escape, sorted(alike, key=len, reverse=True)))})s?(?!\S)"
            ),
            name,
        )
        for name, alike in statement_groups("same").items()
    )


# The forms of the verbs that state something.


_ENDINGS = ("s", "es", "ed", "d", "ing")


@cache
def statement_verbs() -> frozenset[str]:
    """Plain forms of all verbs that are listed."""
    listed = {verb for family in statement_groups("says").values() for verb in family}
    return frozenset(listed) | statement_words("habit") | statement_words("change") | statement_words("leave")


@cache
def verb_lemma(token: str) -> str:
    """The plain form of a listed verb; any other word as it is."""
    known = _irregular().get(token)
    return known or next((plain for plain in _plain_forms(token) if plain in statement_verbs()), token)


def _irregular() -> Mapping[str, str]:
    return cast("Mapping[str, str]", statement_groups("irregular"))


def _plain_forms(token: str) -> Iterator[str]:
    yield token
    for ending in _ENDINGS:
        if token.endswith(ending):
            bare = token[: -len(ending)]
            yield from (bare, bare + "e", bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare)
    if token.endswith(("ies", "ied")):
        yield token[:-3] + "y"


@cache
def is_past(token: str) -> bool:
    """Whether a form of a verb tells of what was: an event is no habit."""
    irregular = token in _irregular() and not token.endswith(("s", "ing")) and token != verb_lemma(token)
    return irregular or token.endswith("ed")


def is_finite(token: str) -> bool:
    """Whether it is a verb of a third person: ``starts``, ``moved``."""
    return token != verb_lemma(token) and not token.endswith("ing") and verb_lemma(token) in statement_verbs()


def verb_family(tokens: Sequence[str]) -> str:
    """The attribute a verb and its preposition state (``live in``: home); empty where they state none."""
    verb = verb_lemma(tokens[0])
    following = tokens[1] if len(tokens) > 1 else ""
    for name, listed in statement_groups("says").items():
        leading = listed.get(verb, ())
        if following in leading or "" in leading:
            return str(name)
    return ""
