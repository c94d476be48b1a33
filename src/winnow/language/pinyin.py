"""How Chinese sounds: syllables without tones, and which of them recognisers and accents mix up."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

_PIECE = re.compile("[a-z0-9]+|[\u3007\u4e00-\u9fff]")


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
