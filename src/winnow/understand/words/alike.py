"""What sounds or looks like a name of the home; built when the first unknown word is met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from jellyfish import levenshtein_distance as levenshtein
from rapidfuzz import fuzz, process

from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.normalise import is_han
from winnow.language.pinyin import sound_key, syllables
from winnow.language.sounds import Key, consonants, heard

WORDS = 2
"""Most words of a kind or a room that is compared by spelling: a phrase is no name that was misspelt."""
Sounds = Mapping[tuple[str, ...], Entry]
Table = Mapping[Key, tuple[Entry, ...]]
"""Sound -> the words of this sound, marked as heard."""
LONG = 4
"""Consonants of a name that may be heard with one of them wrong."""
NEARLY = 78.0
"""rapidfuzz ratio, 0..100, of a name of which one consonant was heard wrong."""
SURE = 0.9
"""How sure a word is that only sounds like what was said."""


def sound(text: str) -> tuple[str, ...]:
    """The sound of a text with common accents merged."""
    return tuple(sound_key(s) for s in syllables(text))


@lru_cache(maxsize=1)
def language_sounds() -> Sounds:
    """Sound -> type or room word of the language."""
    return {
        sound(e.surface): e
        for e in lexicon.entries()
        if e.kind in {"type", "room"} and len(e.surface) > 1 and is_han(e.surface[0])
    }


def by_sound(entries: Iterable[Entry], *, keyed: bool = True) -> Table:
    """Words by their sound; names of one sound are one name of all their things, so that one is asked for.

    ``keyed``: whether their sounds are told apart.
    """
    found: dict[Key, dict[str, Entry]] = {}
    for entry in entries:
        row = found.setdefault(heard(entry.surface) if keyed else ("",), {})
        one = entry.kind if entry.kind == "name" else f"{entry.kind} {entry.surface}"
        same = row.get(one)
        refs = tuple(dict.fromkeys((*(same.refs if same else ()), *entry.refs)))
        row[one] = Entry(entry.surface, entry.kind, {**entry.data, "heard": SURE}, refs, entry.weight)
    return {key: tuple(row.values()) for key, row in found.items() if key}


class Alike:
    """The surfaces of one home by sound and by spelling."""

    def __init__(self, surfaces: tuple[Entry, ...]) -> None:
        self._surfaces = surfaces

    @cached_property
    def sounds(self) -> Sounds:
        """Sound -> name, room or scene of the home."""
        return {sound(e.surface): e for e in self._surfaces if is_han(e.surface[0]) and len(e.surface) > 1}

    @cached_property
    def by_sound(self) -> Table:
        """The same, and what is English, by how it may be heard."""
        return by_sound(self._surfaces)

    def nearly(self, said: str) -> list[Entry]:
        """Names of the home of nearly the sound and letters of English words, as one name."""
        letters, key = said.replace(" ", "").replace("'", ""), consonants(said)
        if len(key) < LONG:
            return []
        near = process.extract(letters, self._letters.keys(), scorer=fuzz.ratio, score_cutoff=NEARLY)
        found = [self._letters[one] for one, _, _ in near if levenshtein(consonants(one), key) == 1]
        return [entry for row in by_sound(found, keyed=False).values() for entry in row]

    @cached_property
    def words(self) -> frozenset[str]:
        """The single words of the names."""
        return frozenset(word for e in self._surfaces for word in e.surface.split() if word.isascii())

    @cached_property
    def _letters(self) -> Mapping[str, Entry]:
        """Letters only -> English name of the home."""
        named = ((e.surface.replace(" ", "").replace("'", ""), e) for e in self._surfaces)
        return {letters: e for letters, e in named if letters.isascii()}

    @cached_property
    def spellings(self) -> Mapping[str, Entry]:
        """Letters only -> entry, home names before the words of the language."""
        out: dict[str, Entry] = {}
        words = (e for e in lexicon.entries() if e.kind in {"type", "room"} and e.surface.count(" ") < WORDS)
        for entry in (*self._surfaces, *words):
            letters = entry.surface.replace(" ", "").replace("'", "")
            if letters.isascii() and len(letters) > 3:
                out.setdefault(letters, entry)
        return out
