"""English as it is read here: words of a text with what kind of word each is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    """One word or mark, where it stands and what kind it is."""

    text: str
    low: str
    start: int
    end: int
    kind: Kind
    opens: bool
    """Whether a sentence begins with it."""


_NOWHERE = Token("", "", 0, 0, "mark", False)


def token_at(read: Sequence[Token], i: int) -> Token:
    """The token at ``i``; an empty mark before the first and behind the last."""
    return read[i] if 0 <= i < len(read) else _NOWHERE


@lru_cache(maxsize=1)
def lists() -> dict[str, Any]:
    """The word lists of ``words.yaml``.

    Sets of words; ``ordinals`` and ``turned`` as mappings; ``slots``, ``groups`` and ``determined`` as
    word -> class.
    """
    raw: dict[str, Any] = table(__package__, "words.yaml")
    made = {name: frozenset(words.split()) for name, words in raw.items() if isinstance(words, str)}
    classes = {name: _classes(raw[name]) for name in ("slots", "groups", "determined")}
    return {**raw, **made, **classes}


def _classes(words: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, listed in words.items() for word in listed.split()}


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
    if len(word) == 1 and not word.isalnum():
        return "mark"
    if _DIGITS.match(word):
        return "number"
    if word[0].isupper() and _named(word, low, opens):
        return "name"
    if low in lists()["function"]:
        return "function"
    if low in lists()["verbs"]:
        return "verb"
    return "number" if low in lists()["numbers"] else "word"


def _named(word: str, low: str, opens: bool) -> bool:
    """Whether a word with a capital is, or is part of, a name."""
    known = lists()
    # within a sentence even a small word: My Heart Will Go On
    if not opens and len(word) > 1 and not word.isupper() and low not in known["interjections"]:
        return True
    if low in known["function"] or low in known["numbers"]:
        return False
    return not opens or low not in known["verbs"]
