"""Which class of a taxonomy a turn falls into, once its source is known."""

from __future__ import annotations

import re
from functools import lru_cache

from winnow.language.normalise import is_han, normalise
from winnow.types.intent import Both, Source, Taxonomy


def label(source: Source, text: str, said: str, taxonomy: Taxonomy) -> str:
    """The class of that source whose cues ``text`` shows most; the last message ``said`` counts where the text shows none.

    A taxonomy without a class of that source is asked for any class that needs retrieval.
    """
    if source == "none":
        return taxonomy.idle.id
    open_ = [c for c in taxonomy.classes if c.source == source] or [
        c for c in taxonomy.classes if c.source != "none"
    ]
    for words in (normalise(text), normalise(said)):
        best = max(
            open_, key=lambda c: len(_words(c.cues).findall(words)) + len(_words(c.implied).findall(words))
        )
        if _words(best.cues).search(words) or _words(best.implied).search(words):
            return best.id
    return next((c for c in open_ if c.otherwise), open_[0]).id


def implied(text: str, taxonomy: Taxonomy) -> Source:
    """Where a statement is looked up that asks without asking; ``none`` when it does not."""
    words = normalise(text)
    return next((c.source for c in taxonomy.classes if _words(c.implied).search(words)), "none")


@lru_cache(maxsize=512)
def _words(both: Both) -> re.Pattern[str]:
    """The words of a class, the longest first; matches nothing when it has none."""
    words = sorted({normalise(w) for w in (*both.zh, *both.en)} - {""}, key=len, reverse=True)
    pieces = [re.escape(w) if is_han(w[0]) else rf"(?<![a-z0-9]){re.escape(w)}" for w in words]
    return re.compile("|".join(pieces) or r"(?!)")
