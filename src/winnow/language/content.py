"""Text -> its terms: content words without their endings, characters and pairs of them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, cast

from winnow.language.ngrams import runs, stem
from winnow.language.normalise import normalise
from winnow.text.tables import table

_UNIT = re.compile(r"\b(\d+)([a-z]{1,3})\b", re.ASCII)
"""``158cm`` is said as ``158 cm`` too."""
_JOINED = re.compile(r"\b([a-z]+)-([a-z]+)\b", re.ASCII)
"""``de-stress`` is written ``destress`` too."""
LIMIT = 8000
"""Characters of a message that are read."""
STEM = 4
"""Letters that stay when an ending is taken off, at least."""


def _words() -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", "words/content.yaml"))


def content_terms(text: str, forms: dict[str, str] | None = None) -> list[str]:
    """The terms of a text in order, without the words that say nothing.

    ``forms`` learns the first word that each English term was made of.
    """
    return terms_in(normalise(text, LIMIT), forms)


def terms_in(normal: str, forms: dict[str, str] | None = None) -> list[str]:
    """The same of a text that is normalised already."""
    latin, han = runs(_UNIT.sub(r"\1 \2", normal))
    if "-" in normal:
        latin += [first + second for first, second in _JOINED.findall(normal)]
    found: list[str] = []
    for word in latin:
        if not _is_stop(word):
            found.append(core(word))
            if forms is not None:
                forms.setdefault(found[-1], word)
    for run in han:
        found += _han_terms(run)
    return found


def _han_terms(run: str) -> list[str]:
    """The characters and the pairs of them that say something."""
    silent, pairs = _stop_characters(), _stop_pairs()
    signs = [sign for sign in run if sign not in silent]
    return signs + [
        pair for a, b in pairwise(run) if (pair := a + b) not in pairs and not (a in silent and b in silent)
    ]


@lru_cache(maxsize=65536)
def core(word: str) -> str:
    """What an English word shares with the others of its family: ``painter`` and ``paintings`` paint."""
    root = stem(_irregular().get(word, word))
    for ending, put in _words()["endings"]:
        if root.endswith(ending) and len(root) - len(ending) + len(put) >= STEM:
            return root[: len(root) - len(ending)] + cast("str", put)
    return root


def is_character(term: str) -> bool:
    """Whether a term is a single Chinese character."""
    return len(term) == 1 and not term.isascii()


def is_stop(word: str) -> bool:
    """Whether a Chinese word, or a character, says nothing."""
    return word in _stop_pairs() or all(sign in _stop_characters() for sign in word)


def touches_stop(pair: str) -> bool:
    """Whether one of two Chinese characters says nothing by itself."""
    return any(sign in _stop_characters() for sign in pair)


def _is_stop(word: str) -> bool:
    return word in _stop_words() or (len(word) == 1 and not word.isdigit())


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(_words()["stop"]["en"])


@cache
def _stop_characters() -> frozenset[str]:
    return frozenset(_words()["stop"]["characters"])


@cache
def _stop_pairs() -> frozenset[str]:
    return frozenset(_words()["stop"]["pairs"])


@cache
def _irregular() -> dict[str, str]:
    tables = (_words()["irregular"], _words()["short"])
    return {form: word for table in tables for word, forms in table.items() for form in forms}
