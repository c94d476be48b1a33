"""Where words end in Chinese: ``台灯`` is none of ``阳台灯``, which is the lamp of a balcony."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from winnow.language import lexicon

MAX_EDGE_CHARS = 4
"""Characters of the longest word that is looked for across a border."""


def holds_word(name: str, word: str) -> bool:
    """Whether the characters of ``word`` stand in ``name`` and no other word is cut by them."""
    return any(not _cuts(name, at, at + len(word)) for at in _places(name, word))


def _places(name: str, word: str) -> Iterator[int]:
    at = name.find(word)
    while at >= 0:
        yield at
        at = name.find(word, at + 1)


def _cuts(name: str, start: int, end: int) -> bool:
    """Whether a word goes on across either end, and what it leaves of the stretch is a word as well."""
    inside = range(start + 1, end)
    begun = any(_is_word(name[at:end]) and _ends_at(name, start, at) for at in inside)
    return begun or any(_is_word(name[start:at]) and _begins_at(name, at, end) for at in inside)


def _ends_at(name: str, border: int, end: int) -> bool:
    """Whether a word from before the border ends there."""
    return any(_is_word(name[at:end]) for at in range(max(0, end - MAX_EDGE_CHARS), border))


def _begins_at(name: str, start: int, border: int) -> bool:
    """Whether a word that begins there goes on behind the border."""
    return any(
        _is_word(name[start:at]) for at in range(border + 1, min(len(name), start + MAX_EDGE_CHARS) + 1)
    )


def _is_word(text: str) -> bool:
    return text in _words()


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The words for kinds and rooms."""
    return frozenset(lexicon.surfaces("type")) | frozenset(lexicon.surfaces("room"))
