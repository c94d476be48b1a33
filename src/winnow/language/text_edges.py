"""Where words end in Chinese: ``台灯`` is none of ``阳台灯``, which is the lamp of a balcony."""

from __future__ import annotations

from functools import lru_cache

from winnow.language import lexicon

MAX_EDGE_CHARS = 4
"""Characters of the longest word that is looked for across a border."""


def holds_word(name: str, word: str) -> bool:
    """Whether the characters of ``word`` stand in ``name`` and no other word is cut by them."""
    at = name.find(word)
    while at >= 0:
        if not _cuts_words(name, at, at + len(word)):
            return True
        at = name.find(word, at + 1)
    return False


def _cuts_words(name: str, start: int, end: int) -> bool:
    """Whether a word goes on across either end, and what it leaves of the stretch is a word as well."""
    words = _words()
    for at in range(start + 1, end):
        before = range(max(0, at - MAX_EDGE_CHARS), start)
        if name[at:end] in words and any(name[begin:at] in words for begin in before):
            return True
        behind = range(end + 1, min(len(name), at + MAX_EDGE_CHARS) + 1)
        if name[start:at] in words and any(name[at:stop] in words for stop in behind):
            return True
    return False


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The words for kinds and rooms."""
    return frozenset(lexicon.surfaces("type")) | frozenset(lexicon.surfaces("room"))
