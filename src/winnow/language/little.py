"""Little words by what they do in a sentence: ``words/little.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from winnow.text.tables import table


def _uses() -> Mapping[str, list[str] | Mapping[str, list[str]]]:
    return table("winnow.language", "words/little.yaml")  # type: ignore[no-any-return]


@cache
def little(use: str) -> tuple[str, ...]:
    """The words of a use, whatever their sense, of both languages. Raises KeyError on a use nobody listed."""
    words = _uses()[use]
    return tuple(words) if isinstance(words, list) else tuple(senses(use))


@cache
def senses(use: str) -> Mapping[str, str]:
    """Word -> its sense, of a use that has several; raises KeyError on a use nobody listed."""
    words = _uses()[use]
    assert isinstance(words, dict), f"{use} has one sense"
    return {word: sense for sense, found in words.items() for word in found}
