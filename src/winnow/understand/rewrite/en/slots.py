"""Where a query leans on what was said before: pronouns, ``that song``, ``the second one``, half a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from winnow.language.tables import table

# A light tagger is enough here: the kind of a word by lists, capitals and its neighbours.

Kind = Literal["function", "verb", "word", "name", "number", "mark"]

_TOKEN = re.compile(
    r"n['’]t\b|[^\W_]+?(?=n['’]t\b)|[^\W_]+(?:[-&.][^\W_]+)*|['’](?:s|S|re|ve|ll|d|m)\b|[^\s\w]|_"
)
_DIGITS = re.compile(r"[\d.:,/-]+(?:st|nd|rd|th|s)?$")
ENDS = frozenset(".?!;:")
QUOTES = frozenset('"“”`«»')


class EnglishToken(NamedTuple):
    """One word or mark, where it stands and what kind it is."""

    text: str
    low: str
    start: int
    end: int
    kind: Kind
    opens: bool
    """Whether a sentence begins with it."""


_NOWHERE = EnglishToken("", "", 0, 0, "mark", False)


def token_at(read: Sequence[EnglishToken], i: int) -> EnglishToken:
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
    classes = {
        section: {word: name for name, listed in raw[section].items() for word in listed.split()}
        for section in ("slots", "groups", "determined")
    }
    return {**raw, **made, **classes}


@lru_cache(maxsize=512)
def tokens(text: str) -> tuple[EnglishToken, ...]:
    """The words and marks of ``text`` in order."""
    found: list[EnglishToken] = []
    opens, subjects = True, lists()["subjects"]
    for match in _TOKEN.finditer(text):
        word = match.group()
        low = word.lower().replace("’", "'")
        kind = _kind(word, low, opens)
        if kind == "word" and found and found[-1].low in subjects:
            kind = "verb"
        found.append(EnglishToken(word, low, match.start(), match.end(), kind, opens))
        opens = word in ENDS or (opens and kind == "mark")
    return tuple(found)


@lru_cache(maxsize=4096)
def _kind(word: str, low: str, opens: bool) -> Kind:
    if len(word) == 1 and not word.isalnum():
        return "mark"
    if _DIGITS.match(word):
        return "number"
    if word[0].isupper() and _is_name_word(word, low, opens):
        return "name"
    if low in lists()["function"]:
        return "function"
    if low in lists()["verbs"]:
        return "verb"
    return "number" if low in lists()["numbers"] else "word"


def _is_name_word(word: str, low: str, opens: bool) -> bool:
    """Whether a word with a capital is, or is part of, a name."""
    known = lists()
    # within a sentence even a small word: My Heart Will Go On
    if not opens and len(word) > 1 and not word.isupper() and low not in known["interjections"]:
        return True
    if low in known["function"] or low in known["numbers"]:
        return False
    return not opens or low not in known["verbs"]


_BEHIND = frozenset({"mark", "function"})
_PHRASED = frozenset({"word", "name", "number"})
"""Kinds of words that phrases are made of."""
_OWNED = frozenset({"its", "his", "their"})
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})


@dataclass(frozen=True, slots=True)
class EnglishSlot:
    """Words ``start`` up to ``end`` of the query that may stand for something said earlier."""

    start: int
    end: int
    form: str
    """Class of the word (``it``, ``he``, ...), ``such`` for ``that song``, ``name`` for part of a name,
    ``nth`` for ``the second one``."""
    owns: bool = False
    """What replaces it takes a possessive 's."""
    noun: str = ""
    """``song`` of ``that song``."""
    place: int = 0
    """For ``nth``: which, from 1; from the end below 0."""

    @property
    def group(self) -> str:
        """Forms that are weighed alike."""
        return str(lists()["groups"].get(self.form, self.form))


def find_slots(read: tuple[EnglishToken, ...]) -> Iterator[EnglishSlot]:
    """The slots of a query, in order, none within another."""
    i = 0
    while i < len(read):
        slot = _slot(read, i)
        if slot is not None:
            yield slot
        i = slot.end if slot is not None else i + 1


def _slot(read: tuple[EnglishToken, ...], i: int) -> EnglishSlot | None:
    low = read[i].low
    if nth := _nth(read, i):
        return nth
    if low in _DEMONSTRATIVES:
        return _demonstrative(read, i)
    form = lists()["slots"].get(low)
    if form:
        owns = _owner(read, i) if form == "her" else form in _OWNED
        return None if form in _EMPTY and _EMPTY[form](read, i) else EnglishSlot(i, i + 1, form, owns=owns)
    if read[i].kind == "name" and token_at(read, i - 1).kind != "name":
        end = i + 1
        while token_at(read, end).kind == "name":
            end += 1
        return EnglishSlot(i, end, "name")
    return None


def _nth(read: tuple[EnglishToken, ...], i: int) -> EnglishSlot | None:
    """``the second one``, ``the first``, ``the second to last``, ``option 2``; not ``the second message``."""
    known = lists()
    low, after, end = read[i].low, token_at(read, i + 1).low, i + 2
    if low in known["numbered"]:
        place = int(after) if after.isdecimal() else known["cardinals"].get(after)
        return EnglishSlot(i, end, "nth", place=place) if place else None
    place = low == "the" and known["ordinals"].get(after, 0)
    if [token.low for token in read[end : end + 2]] == ["to", "last"]:
        place, end = -place, end + 2
    then = token_at(read, end)
    one = then.low in known["choices"]
    # the third takes an hour, but the last played song
    verb = then.kind == "verb" and then.low not in known["nouns"]
    stops = one or token_at(read, end + verb).kind in _BEHIND
    return EnglishSlot(i, end + one, "nth", place=place) if place and stops else None


def _demonstrative(read: tuple[EnglishToken, ...], i: int) -> EnglishSlot | None:
    low, before, after = read[i].low, token_at(read, i - 1), token_at(read, i + 1)
    if after.low in {"one", "ones"}:
        return EnglishSlot(i, i + 2, "that")
    joins = low == "that" and after.kind != "mark"
    if joins and before.kind in _PHRASED:
        return None  # the message that came
    if after.kind in {"word", "number"}:
        return _such(read, i)
    # A word that is as often a noun as a verb
    if after.low in lists()["verbs"] and after.low in lists()["nouns"]:
        return EnglishSlot(i, i + 2, "such", noun=after.low)
    if joins and before.low in lists()["complementizer"]:
        return None  # tell her that I
    return EnglishSlot(i, i + 1, lists()["slots"][low])


def _such(read: tuple[EnglishToken, ...], i: int) -> EnglishSlot | None:
    """``that old song``; None where an adverb follows."""
    end = i + 1
    while token_at(read, end).kind in {"word", "number"} and not read[end].low.endswith("ly"):
        end += 1
    return EnglishSlot(i, end, "such", noun=read[end - 1].low) if end > i + 1 else None


def _expletive(read: tuple[EnglishToken, ...], i: int) -> bool:
    """``there is``, ``are there``: nothing is pointed at."""
    be, before, after = lists()["expletive"], token_at(read, i - 1).low, token_at(read, i + 1)
    if before in lists()["idioms"] or after.low in be or after.low in {"any", "anything", "a", "other"}:
        return True
    return before in be and after.kind != "mark"


def _idle(read: tuple[EnglishToken, ...], i: int) -> bool:
    """``is it raining``, ``it is cold``: the weather and the hour, which no phrase stands for."""
    near = {token_at(read, i - 1).low, token_at(read, i + 1).low}
    if token_at(read, i - 2).low in {"time", "late", "early", "day", "date"}:
        return True  # what time is it
    return bool(near & lists()["expletive"]) and any(t.low in lists()["weather"] for t in read[i + 1 : i + 5])


def _counts(read: tuple[EnglishToken, ...], i: int) -> bool:
    """``one day``, ``one of them``, ``one person``: a number."""
    after = token_at(read, i + 1)
    return after.kind in _PHRASED or after.low in {"of", "more", "or"}


_EMPTY = {"there": _expletive, "one": _counts, "it": _idle}
"""What a word may be that points at nothing."""


def _owner(read: tuple[EnglishToken, ...], i: int) -> bool:
    """Whether ``her`` owns what follows: a noun comes next."""
    after = token_at(read, i + 1)
    if after.kind in {"mark", "number"} or after.low in lists()["after_object"]:
        return False
    return after.kind != "verb" or after.low in lists()["nouns"]
