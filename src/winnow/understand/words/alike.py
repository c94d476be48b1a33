"""What sounds or looks like a name of the home; built when the first unknown word is met."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.normalise import is_han
from winnow.language.pinyin import sound_key, syllables

WORDS = 2
"""Most words of a kind or a room that is compared by spelling: a phrase is no name that was misspelt."""
Sounds = Mapping[tuple[str, ...], Entry]


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


class Alike:
    """The surfaces of one home by sound and by spelling."""

    def __init__(self, surfaces: tuple[Entry, ...]) -> None:
        self._surfaces = surfaces

    @cached_property
    def sounds(self) -> Sounds:
        """Sound -> name, room or scene of the home."""
        return {sound(e.surface): e for e in self._surfaces if is_han(e.surface[0]) and len(e.surface) > 1}

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
