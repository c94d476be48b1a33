"""Segment Chinese text into words with their part of speech."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_LONE = re.compile("[\ud800-\udfff]")
"""Half a character, which no encoding knows."""


@dataclass(frozen=True, slots=True)
class SegmentedWord:
    """A word and where it starts."""

    text: str
    tag: str
    """Part of speech as jieba writes it: ``n``, ``nr``, ``v``, ``r``, ``uj``; ``x`` for marks."""
    start: int

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.start + len(self.text)


@lru_cache(maxsize=1)
def _tagger() -> Callable[[str], list[tuple[str, str]]]:
    """The dictionary takes a tenth of a second to load, so nobody pays for it who never asks."""
    import rjieba

    return rjieba.tag


@lru_cache(maxsize=512)
def segment_words(text: str) -> tuple[SegmentedWord, ...]:
    """The words of ``text`` in order; their texts joined are ``text``."""
    words, at = [], 0
    for word, tag in _tagger()(_LONE.sub("\ufffd", text)):
        words.append(SegmentedWord(text[at : at + len(word)], tag, at))
        at += len(word)
    return tuple(words)


def cut(text: str) -> list[str]:
    """The words of ``text`` without their parts of speech, in order: a third of the time."""
    import rjieba

    return rjieba.cut(_LONE.sub("\ufffd", text))
