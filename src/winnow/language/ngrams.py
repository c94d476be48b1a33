"""Pieces of text that lanes compare: character n-grams and plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_RUN = re.compile(
    "(?P<word>[a-z0-9\u00e0-\u024f]+)|(?P<han>[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+)"
)
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def char_ngrams(text: str, sizes: Sequence[int] = (2, 3)) -> list[str]:
    """Every run of ``sizes`` characters, in order of size, then of place; spaces count as characters."""
    return [text[i : i + n] for n in sizes for i in range(len(text) - n + 1)]


def runs(text: str) -> tuple[list[str], list[str]]:
    """The Latin words (and digits) and the runs of Chinese characters of normalised ``text``, each in order."""
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
    """An English word without plural, ``-ing`` or ``-ed``.

    ``lights`` light, ``dimming`` dim, ``batteries`` battery.
    """
    if len(word) <= 3 or not word.isalpha():
        return word
    for ending, put in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + put
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _silent_e(word[:-1])
    for ending in ("ing", "ed"):
        if (
            word.endswith(ending)
            and len(word) >= len(ending) + 3
            and re.search("[aeiou]", word[: -len(ending)])
        ):
            return _silent_e(_DOUBLED.sub(r"\1", word[: -len(ending)]))
    return _silent_e(word)


def _silent_e(word: str) -> str:
    """``close`` and ``closing`` meet without their e."""
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
