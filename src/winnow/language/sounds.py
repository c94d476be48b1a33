"""How words sound, as keys: English by its consonants, Chinese by its syllables without tones."""

from __future__ import annotations

import re
from functools import lru_cache

import jellyfish

from winnow.language.normalise import is_han
from winnow.language.pinyin import sound_key, syllables

_VOWELS = re.compile("[aeiouy]+")
_NOT_LETTERS = re.compile("[^a-z]+")
SPELLED = 0.77
"""Jaro-Winkler similarity, 0..1, from which English words of one key are taken to sound alike."""
Key = tuple[str, ...]


@lru_cache(maxsize=16384)
def consonants(text: str) -> str:
    """The metaphone of English words said as one; th is not heard before s."""
    letters = _NOT_LETTERS.sub("", text)
    return jellyfish.metaphone(letters).replace("0S", "S") if letters else ""


@lru_cache(maxsize=16384)
def beats(word: str) -> int:
    """About how many syllables an English word has: an ``e`` at its end is not spoken."""
    silent = word.endswith("e") and word[-2:-1] not in "aeiouy"
    return max(1, len(_VOWELS.findall(word)) - silent)


def alike(one: str, other: str) -> bool:
    """Whether two words of one key sound alike: English ones by their letters and beats as well."""
    if is_han(one[:1]):
        return True
    a, b = one.replace(" ", ""), other.replace(" ", "")
    return abs(beats(a) - beats(b)) <= 1 and jellyfish.jaro_winkler_similarity(a, b) >= SPELLED


@lru_cache(maxsize=16384)
def heard(text: str) -> Key:
    """The key of a word as it may be heard: syllables with common accents merged, or consonants.

    Empty for what is neither Chinese nor English.
    """
    if is_han(text[:1]):
        return tuple(sound_key(s) for s in syllables(text))
    key = consonants(text)
    return (key,) if key else ()
