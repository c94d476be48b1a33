"""Which class of a taxonomy a turn falls into, once its source is known."""

from __future__ import annotations

import re
from functools import lru_cache

from winnow.language.normalise import is_han, normalise
from winnow.types.intent import Both, IntentClass, Source, Taxonomy
from winnow.understand.intent.cues import shows


def label(source: Source, text: str, said: str, taxonomy: Taxonomy) -> str:
    """The class of that source whose cues ``text`` shows most.

    The last message ``said`` counts where the text shows none.
    """
    if source == "none":
        return taxonomy.idle.id
    classes = _retrieving(source, taxonomy)
    for words in map(normalise, (text, said)):
        shown = [_shown(c, words) for c in classes]
        if any(shown):
            return classes[shown.index(max(shown))].id
    return next((c for c in classes if c.otherwise), classes[0]).id


def _retrieving(source: Source, taxonomy: Taxonomy) -> list[IntentClass]:
    """The classes of a source; all that need retrieval where it has none."""
    classes = [c for c in taxonomy.classes if c.source != "none"]
    return [c for c in classes if c.source == source] or classes


def _shown(of: IntentClass, words: str) -> int:
    """How many words of the class there are."""
    return len(words_of(of.cues).findall(words)) + len(words_of(of.implied).findall(words))


def shows_a_class(text: str, taxonomy: Taxonomy) -> bool:
    """Whether a text shows a cue of any class."""
    return any(_shown(c, normalise(text)) for c in taxonomy.classes)


def implied(text: str, taxonomy: Taxonomy) -> Source:
    """Where a statement is looked up that asks without asking; ``none`` when it does not."""
    words = normalise(text)
    return next((c.source for c in taxonomy.classes if _needed(c, words)), "none")


def _needed(of: IntentClass, words: str) -> bool:
    """Whether a word of the class that asks without asking is said, and not denied."""
    return any(not shows("denied", words[: m.start()]) for m in words_of(of.implied).finditer(words))


@lru_cache(maxsize=512)
def words_of(both: Both) -> re.Pattern[str]:
    """The words of a class, the longest first; matches nothing when it has none."""
    words = sorted({normalise(w) for w in (*both.zh, *both.en)} - {""}, key=len, reverse=True)
    pieces = [re.escape(w) if is_han(w[0]) else rf"(?<![a-z0-9]){re.escape(w)}" for w in words]
    return re.compile("|".join(pieces) or r"(?!)")
