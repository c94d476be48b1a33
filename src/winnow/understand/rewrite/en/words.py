"""English as it is read here: words of a text with what kind of word each is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from winnow.text.tables import table

Kind = Literal["function", "verb", "word", "name", "number", "mark"]

_TOKEN = re.compile(
    r"n['’]t\b|[^\W_]+?(?=n['’]t\b)|[^\W_]+(?:[-&.][^\W_]+)*|['’](?:s|S|re|ve|ll|d|m)\b|[^\s\w]|_"
)
_DIGITS = re.compile(r"[\d.:,/-]+(?:st|nd|rd|th|s)?$")
ENDS = frozenset(".?!;:")
QUOTES = frozenset('"“”`«»')


class Token(NamedTuple):
    """One word or mark, where it stands and what kind it is.

    ``opens`` says that a sentence begins with it.
    """

    text: str
    low: str
    start: int
    end: int
    kind: Kind
    opens: bool


@lru_cache(maxsize=1)
def lists() -> dict[str, Any]:
    """The word lists of ``words.yaml``.

    Sets of words, ``ordinals`` and ``turned`` as mappings, ``slots`` as word -> class.
    """
    raw: dict[str, Any] = table(__name__.rpartition(".")[0], "words.yaml")
    made: dict[str, Any] = {
        key: frozenset(value.split()) for key, value in raw.items() if isinstance(value, str)
    }
    made |= {key: value for key, value in raw.items() if isinstance(value, dict)}
    made["slots"] = {word: slot for slot, words in raw["slots"].items() for word in words}
    return made


@lru_cache(maxsize=512)
def tokens(text: str) -> tuple[Token, ...]:
    """The words and marks of ``text`` in order."""
    found: list[Token] = []
    opens, subjects = True, lists()["subjects"]
    for match in _TOKEN.finditer(text):
        word = match.group()
        low = word.lower().replace("’", "'")
        kind = _kind(word, low, opens)
        if kind == "word" and found and found[-1].low in subjects:
            kind = "verb"
        found.append(Token(word, low, match.start(), match.end(), kind, opens))
        opens = word in ENDS or (opens and kind == "mark")
    return tuple(found)


@lru_cache(maxsize=4096)
def _kind(word: str, low: str, opens: bool) -> Kind:
    if not (word[0].isalnum() or len(word) > 1):
        return "mark"
    if _DIGITS.match(word):
        return "number"
    capital = word[0].isupper()
    if capital and not opens and len(word) > 1 and not word.isupper() and low not in lists()["interjections"]:
        return "name"  # My Heart Will Go On
    if low in lists()["function"]:
        return "function"
    if low in lists()["verbs"] and (opens or not capital):
        return "verb"
    if capital and low not in lists()["numbers"]:
        return "name"
    return "number" if low in lists()["numbers"] else "word"
