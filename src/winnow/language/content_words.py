"""Terms of a text, and word lists as data: verb families, function words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from operator import add
from typing import Any, cast

from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import normalise
from winnow.language.registry import words_table
from winnow.language.segment import cut
from winnow.language.tables import table

UNIT = re.compile(r"\b(\d+)([a-z]{1,3})\b", re.ASCII)
"""``158cm`` is said as ``158 cm`` too."""
JOINED = re.compile(r"\b([a-z]+)-([a-z]+)\b", re.ASCII)
"""``de-stress`` is written ``destress`` too."""
MAX_TEXT_CHARS = 8000
"""Characters of a message that are read."""
MIN_STEM_CHARS = 4
"""Letters that stay when an ending is taken off, at least."""


def _words() -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", "words/content.yaml"))


def content_terms(text: str, forms: dict[str, str] | None = None) -> list[str]:
    """The terms of a text in order, without the words that say nothing.

    ``forms`` learns the first word that each English term was made of.
    """
    return terms_in(normalise(text, MAX_TEXT_CHARS), forms)


@lru_cache(maxsize=1024)
def distinct_terms(text: str) -> frozenset[str]:
    """The terms of a text, each once."""
    return frozenset(content_terms(text))


@lru_cache(maxsize=4096)
def whole_words(text: str, most: int) -> tuple[str, ...]:
    """The words that say what the first ``most`` characters of a text are about, as written, each once."""
    latin, han = runs(normalise(text, most))
    words = dict.fromkeys((*latin, *(word for run in han for word in cut(run))))
    return tuple(word for word in words if content_terms(word))


def telling_terms(text: str) -> list[str]:
    """Those that tell by themselves: no single Chinese characters, which stand in half of all texts."""
    return [term for term in content_terms(text) if not is_character(term)]


def terms_in(normal: str, forms: dict[str, str] | None = None) -> list[str]:
    """The same of a text that is normalised already."""
    latin, han = _word_runs(normal)
    found: list[str] = []
    stop = silent("en")
    for word in latin:
        # a single letter says nothing, a single digit does
        if word not in stop and (len(word) > 1 or word.isdigit()):
            found.append(core(word))
            if forms is not None:
                forms.setdefault(found[-1], word)
    for run in han:
        found += _han_terms(run)
    return found


def latin_words(normal: str) -> list[str]:
    """The Latin words of a normalised text in order, then those that a hyphen joins."""
    return _word_runs(normal)[0]


def _word_runs(normal: str) -> tuple[list[str], list[str]]:
    latin, han = runs(UNIT.sub(r"\1 \2", normal))
    if "-" in normal:
        latin += [first + second for first, second in JOINED.findall(normal)]
    return latin, han


def _han_terms(run: str) -> list[str]:
    """The characters and the pairs of them that say something."""
    stop, pairs = silent("characters"), _silent_pairs()
    return [sign for sign in run if sign not in stop] + [
        pair for pair in map(add, run, run[1:]) if pair not in pairs
    ]


@cache
def _silent_pairs() -> frozenset[str]:
    """Pairs that say nothing: words of two characters, and any two characters that say nothing."""
    return silent("pairs") | set(map("".join, product(silent("characters"), repeat=2)))


@lru_cache(maxsize=65536)
def core(word: str) -> str:
    """What an English word shares with the others of its family: ``painter`` and ``paintings`` paint."""
    root = stem(_irregular().get(word, word))
    for ending, put in _words()["endings"]:
        if root.endswith(ending) and len(root) - len(ending) + len(put) >= MIN_STEM_CHARS:
            return root[: len(root) - len(ending)] + cast("str", put)
    return root


def is_character(term: str) -> bool:
    """Whether a term is a single Chinese character."""
    return len(term) == 1 and not term.isascii()


def is_stop(word: str) -> bool:
    """Whether a Chinese word, or a character, says nothing."""
    return word in silent("pairs") or silent("characters").issuperset(word)


def touches_stop(pair: str) -> bool:
    """Whether one of two Chinese characters says nothing by itself."""
    return not silent("characters").isdisjoint(pair)


@cache
def silent(part: str) -> frozenset[str]:
    """What says nothing: words of ``en``, Chinese ``characters`` and ``pairs`` of them."""
    return frozenset(_words()["stop"][part])


@cache
def _irregular() -> dict[str, str]:
    tables = (_words()["irregular"], _words()["short"])
    return {form: word for table in tables for word, forms in table.items() for form in forms}


# Phrases with choices keep the data short: ``(a|b)`` is either, ``[a|b]`` either or nothing.

_PIECE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def phrases(line: str) -> Iterator[str]:
    """Every phrase of a line, with single spaces; the line itself where it holds no choice."""
    parts: list[tuple[str, ...]] = []
    at = 0
    for piece in _PIECE.finditer(line):
        ways = (piece[1] or piece[2] or "").split("|")
        parts += [(line[at : piece.start()],), (*ways, "") if piece[1] is None else tuple(ways)]
        at = piece.end()
    for chosen in product(*parts, (line[at:],)):
        yield " ".join("".join(chosen).split())


# Families of verbs and states are shared by several stages: on, off, open, close and their kin.

_DATA: dict[str, Any] = table("winnow.language", "words/families.yaml")
_VERBS = {name: frozenset(verbs) for name, verbs in _DATA["verbs"].items()}

SWITCHING_ON = _VERBS["switching_on"]
SWITCHING_OFF = _VERBS["switching_off"]
OPENING = _VERBS["opening"]
"""What switches on or opens."""
CLOSING = _VERBS["closing"]
"""What switches off or closes."""
STARTING = _VERBS["starting"]
"""What opens, and ``start``."""
STOPPING = _VERBS["stopping"]
"""What closes, and ``stop``."""
MOVING = _VERBS["moving"]
"""``open`` and ``close`` proper, which switch nothing."""
LOCKING = _VERBS["locking"]

ACTS_AGAINST: tuple[tuple[str, str], ...] = tuple((a, b) for a, b in _DATA["acts_against"])
"""Acts that contradict each other."""
OPPOSITE_STATE: dict[str, str] = {
    state: other for a, b in _DATA["states_against"] for state, other in ((a, b), (b, a))
}
"""State -> its opposite."""
STATE_WORDS: dict[str, tuple[str, ...]] = {
    state: tuple(words) for state, words in _DATA["state_words"].items()
}
"""State -> the words a device may have for it, most usual first."""
LOCK_STATES = frozenset({"locked", "unlocked"})
RESTING: tuple[str, ...] = tuple(_DATA["resting"])
"""Values of a mode or speed at which a thing rests."""


# Function words by their use in a sentence: ``words/little.yaml``.


@cache
def little(use: str) -> tuple[str, ...]:
    """The words of a use, whatever their sense, of both languages. Raises KeyError on a use nobody listed."""
    words = words_table("little.yaml")[use]
    return tuple(words) if isinstance(words, list) else tuple(senses(use))


@cache
def senses(use: str) -> Mapping[str, str]:
    """Word -> its sense, of a use that has several; raises KeyError on a use nobody listed."""
    words = words_table("little.yaml")[use]
    assert isinstance(words, dict), f"{use} has one sense"
    return {word: sense for sense, found in words.items() for word in found}
