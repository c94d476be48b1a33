"""The forms of the verbs that state something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from winnow.recall.history.superseded.words import groups, words

_ENDINGS = ("s", "es", "ed", "d", "ing")


@cache
def verbs() -> frozenset[str]:
    """Plain forms of all verbs that are listed."""
    listed = {verb for family in groups("says").values() for verb in family}
    return frozenset(listed) | words("habit") | words("change") | words("leave")


@cache
def lemma(token: str) -> str:
    """The plain form of a listed verb; any other word as it is."""
    known = _irregular().get(token)
    return known or next((plain for plain in _plain_forms(token) if plain in verbs()), token)


def _irregular() -> Mapping[str, str]:
    return cast("Mapping[str, str]", groups("irregular"))


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
    irregular = token in _irregular() and not token.endswith(("s", "ing")) and token != lemma(token)
    return irregular or token.endswith("ed")


def is_finite(token: str) -> bool:
    """Whether it is a verb of a third person: ``starts``, ``moved``."""
    return token != lemma(token) and not token.endswith("ing") and lemma(token) in verbs()


def family(tokens: Sequence[str]) -> str:
    """The attribute a verb and its preposition state (``live in``: home); empty where they state none."""
    verb = lemma(tokens[0])
    following = tokens[1] if len(tokens) > 1 else ""
    for name, listed in groups("says").items():
        leading = listed.get(verb, ())
        if following in leading or "" in leading:
            return str(name)
    return ""
