"""English words grown together, put apart: ``turn off theprinter``."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from winnow.language import lexicon
from winnow.understand.words.vocabulary import Vocabulary

SHORTEST = 5
"""Letters from which on a word may be two."""
HALF = 3
"""Letters of each of the two, where neither is the article."""
_WORD = re.compile(r"(?<![\w'.])[a-z]+(?![\w'])")


def put_apart(text: str, vocabulary: Vocabulary) -> str:
    """The normalised text with each word that nobody knows, and that is two known ones in one way, as two."""
    return _WORD.sub(lambda found: _two(found[0], vocabulary), text)


def _two(word: str, vocabulary: Vocabulary) -> str:
    if len(word) < SHORTEST or _knows(word, vocabulary) or word in vocabulary.alike.spellings:
        return word
    cuts = ((word[:at], word[at:]) for at in range(2, len(word) - 1))
    made = [" ".join(two) for two in cuts if _stand(*two) and all(_knows(w, vocabulary) for w in two)]
    return made[0] if len(made) == 1 else word


def _stand(one: str, other: str) -> bool:
    """Whether two words may have grown together: one is the article, or both are of some length and one acts.

    Two nouns side by side may be a word of their own: a greenhouse is no green house.
    """
    acts = one in _acting() or other in _acting()
    return _article() in (one, other) or (acts and min(len(one), len(other)) >= HALF)


def _knows(word: str, vocabulary: Vocabulary) -> bool:
    return word in _words() or word in vocabulary.alike.words


@lru_cache(maxsize=1)
def _article() -> str:
    """The longest of the articles, the one that is heard in another word by chance least."""
    return max((w for w, what in lexicon.surfaces("filler").items() if what == "article"), key=len)


@lru_cache(maxsize=1)
def _acting() -> frozenset[str]:
    """The single words that say what is to be done."""
    sections = ("verb", "step", "light_verb", "particle")
    return frozenset(word for name in sections for word in lexicon.surfaces(name) if word.isascii())


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The single words of the language's entries."""
    entries = chain(lexicon.entries(), lexicon.past_entries(), lexicon.question_entries())
    return frozenset(word for e in entries for word in e.surface.split() if word.isascii())
