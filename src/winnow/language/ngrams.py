"""Pieces of text that lanes compare: Latin words and their stems, runs of Chinese characters."""

from __future__ import annotations

import re
from functools import lru_cache

_RUN = re.compile(
    "(?P<word>[a-z0-9\u00e0-\u024f]+)|(?P<han>[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+)"
)
_PLURALS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"))
_VOWEL = re.compile("[aeiou]")
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def runs(text: str) -> tuple[list[str], list[str]]:
    """The Latin words (and digits) and the runs of Chinese characters of normalised ``text``, in order."""
    words: list[str] = []
    han: list[str] = []
    for word, chinese in _RUN.findall(text):
        if word:
            words.append(word)
        else:
            han.append(chinese)
    return words, han


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """An English word without plural, -ing or -ed: ``batteries`` battery, ``dimming`` dim."""
    if len(word) <= 3 or not word.isalpha():
        return word
    return _silent_e(_without_plural(word) or _without_tense(word) or word)


def _without_plural(word: str) -> str:
    """The singular; empty when the word is no plural."""
    for ending, put in _PLURALS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + put
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else ""


def _without_tense(word: str) -> str:
    """The word without -ing or -ed; empty when it has neither."""
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            return _DOUBLED.sub(r"\1", rest)
    return ""


def _silent_e(word: str) -> str:
    """``close`` and ``closing`` meet without their e."""
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
