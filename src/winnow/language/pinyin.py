"""How Chinese sounds: syllables without tones, and how alike two names sound to a recogniser or an accent."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

_PIECE = re.compile("[a-z0-9]+|[\u3007\u4e00-\u9fff]")
_SHORTEST_FOR_GAP = 3
_ACCENT = 0.9
_PARTIAL = 0.8


def _lines(name: str) -> list[str]:
    return (files("winnow.language") / "data" / name).read_text("utf-8").splitlines()


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
    words = {
        word: syllables
        for word, *syllables in (line.split(" ") for line in _lines("pinyin_words.txt") if line)
    }
    return re.compile("|".join(words)), words


@lru_cache(maxsize=8192)
def syllables(text: str) -> tuple[str, ...]:
    """One syllable per Chinese character of normalised ``text``.

    A run of Latin letters or digits is one element; the rest is dropped.
    """
    pattern, words = _words()
    readings = _readings()
    special = {m.start() + i: s for m in pattern.finditer(text) for i, s in enumerate(words[m[0]])}
    if not special:
        return tuple([readings.get(piece, piece) for piece in _PIECE.findall(text)])
    return tuple([special.get(m.start()) or readings.get(m[0], m[0]) for m in _PIECE.finditer(text)])


@lru_cache(maxsize=4096)
def sound_key(syllable: str) -> str:
    """The same key for syllables that accents and recognisers mix up.

    Zh/z ch/c sh/s, l/n/r, hu/f, final ng/n.
    """
    key = syllable.removesuffix("g") if syllable.endswith("ng") else syllable
    if key[:2] in ("zh", "ch", "sh"):
        return key[0] + key[2:]
    if key[:1] in ("n", "r", "l") and len(key) > 1:
        return "l" + key[1:]
    if key[:2] == "hu":
        return {"hu": "fu", "hui": "fei", "hun": "fen"}.get(key, "f" + key[2:])
    return "fen" if key == "hon" else key


@lru_cache(maxsize=65536)
def syllable_similarity(a: str, b: str) -> float:
    """1.0 for the same syllable, 0.9 for one accent's twin, up to 0.8 by letters in common."""
    if a == b:
        return 1.0
    first, second = sound_key(a), sound_key(b)
    if first == second:
        return _ACCENT
    alike = 1 - _distance(first, second) / max(len(first), len(second))
    return _PARTIAL * alike if alike >= 1 / 2 else 0.0


def _distance(a: str, b: str) -> int:
    """Edit distance of two short strings."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


def sound_similarity(a: str, b: str) -> float:
    """0..1: how alike ``a`` and ``b`` (normalised) sound, syllable by syllable.

    One syllable more or less costs its share when the longer has three or more; a greater difference in
    length gives 0.
    """
    first, second = sorted((syllables(a), syllables(b)), key=len)
    if (
        not first
        or len(second) - len(first) > 1
        or (len(second) > len(first) and len(second) < _SHORTEST_FOR_GAP)
    ):
        return 0.0
    if len(first) == len(second):
        return sum(map(syllable_similarity, first, second)) / len(second)
    return _one_missing(first, second) / len(second)


def _one_missing(short: tuple[str, ...], long: tuple[str, ...]) -> float:
    """The best sum of similarities when one syllable of ``long`` has no counterpart."""
    total = best = sum(map(syllable_similarity, short, long[1:]))
    for i, syllable in enumerate(short):
        total += syllable_similarity(syllable, long[i]) - syllable_similarity(syllable, long[i + 1])
        best = max(best, total)
    return best
