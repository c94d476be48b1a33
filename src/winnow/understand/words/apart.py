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
    made = [" ".join(two) for two in cuts if _stand(*two, vocabulary)]
    return made[0] if len(made) == 1 else word


def _stand(one: str, other: str, vocabulary: Vocabulary) -> bool:
    """Whether two words may have grown together: the article and any other, or an act and what it is of.

    Two nouns side by side may be a word of their own, and so may an act and any noun: a greenhouse is no
    green house, a playlist no list.
    """
    if not {one, other}.isdisjoint(_joining()) or f"{one} {other}" in _pairs():
        return _knows(one, vocabulary) and _knows(other, vocabulary)
    pairs = (one, other), (other, one)
    return min(len(one), len(other)) >= HALF and any(
        act in _acting() and (of in _acted_on() or of in vocabulary.alike.words) for act, of in pairs
    )


def _knows(word: str, vocabulary: Vocabulary) -> bool:
    return word in _words() or word in vocabulary.alike.words


@lru_cache(maxsize=1)
def _joining() -> frozenset[str]:
    """The longest of the articles, heard in another word by chance least, and the first word for and."""
    articles = (w for w, what in lexicon.surfaces("filler").items() if what == "article")
    ands = (w for w, what in lexicon.surfaces("conj").items() if what == "and" and w.isascii())
    return frozenset({max(articles, key=len), next(ands)})


@lru_cache(maxsize=1)
def _pairs() -> frozenset[str]:
    """The acts of two words: ``turn on``."""
    sections = ("verb", "step")
    return frozenset(w for name in sections for w in lexicon.surfaces(name) if w.count(" ") == 1)


@lru_cache(maxsize=1)
def _acting() -> frozenset[str]:
    """The single words that say what is to be done."""
    sections = ("verb", "step", "light_verb", "particle")
    return frozenset(word for name in sections for word in lexicon.surfaces(name) if word.isascii())


@lru_cache(maxsize=1)
def _acted_on() -> frozenset[str]:
    """The single words that stand beside an act: what it is of, and the rest of it."""
    sections = ("type", "room", "property", "mode", "quantifier", "particle")
    return frozenset(word for name in sections for word in lexicon.surfaces(name) if word.isascii())


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The single words of the language's entries."""
    entries = chain(lexicon.entries(), lexicon.past_entries(), lexicon.question_entries())
    return frozenset(word for e in entries for word in e.surface.split() if word.isascii())
