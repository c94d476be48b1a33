"""How words sound: Chinese syllables without tones, English consonants, and which of them are confused."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

import jellyfish

from winnow.language.normalize import is_han

_PIECE = re.compile("[a-z0-9]+|[\u3007\u4e00-\u9fff]")


def _lines(name: str) -> list[str]:
    return (files("winnow.language.zh") / name).read_text("utf-8").splitlines()


@lru_cache(maxsize=1)
def _readings() -> dict[str, str]:
    """Character -> its commonest syllable, about 21,000 of them."""
    table: dict[str, str] = {}
    for line in _lines("pinyin.txt"):
        syllable, _, characters = line.partition(" ")
        table.update(dict.fromkeys(characters, syllable))
    return table


@lru_cache(maxsize=1)
def _words() -> tuple[re.Pattern[str], dict[str, list[str]]]:
    """Words in which a character is read otherwise, as a pattern and as syllables."""
    rows = (line.split(" ") for line in _lines("pinyin_words.txt") if line)
    words = {word: syllables for word, *syllables in rows}
    return re.compile("|".join(words)), words


@lru_cache(maxsize=8192)
def syllables(text: str) -> tuple[str, ...]:
    """One syllable per Chinese character of normalised ``text``; a run of letters or digits is one too."""
    pattern, words = _words()
    readings = _readings()
    special = {m.start() + i: s for m in pattern.finditer(text) for i, s in enumerate(words[m[0]])}
    if not special:
        return tuple([readings.get(piece, piece) for piece in _PIECE.findall(text)])
    return tuple([special.get(m.start()) or readings.get(m[0], m[0]) for m in _PIECE.finditer(text)])


@lru_cache(maxsize=4096)
def sound_key(syllable: str) -> str:
    """The same key for syllables that are mixed up: zh/z, ch/c, sh/s, l/n/r, hu/f and final ng/n."""
    key = syllable.removesuffix("g") if syllable.endswith("ng") else syllable
    if key[:2] in ("zh", "ch", "sh"):
        return key[0] + key[2:]
    if key[:1] in ("n", "r", "l") and len(key) > 1:
        return "l" + key[1:]
    if key[:2] == "hu":
        return {"hu": "fu", "hui": "fei", "hun": "fen"}.get(key, "f" + key[2:])
    return "fen" if key == "hon" else key


# Sound keys make words comparable: English by its consonants, Chinese by its syllables without tones.


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
def phrase_sound_key(text: str) -> Key:
    """The key of a word as it may be heard: syllables with common accents merged, or consonants.

    Empty for what is neither Chinese nor English.
    """
    if is_han(text[:1]):
        return tuple(sound_key(s) for s in syllables(text))
    key = consonants(text)
    return (key,) if key else ()
