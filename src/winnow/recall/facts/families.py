"""Attributes that have a name here, in statements and in questions of both languages: ``home``, ``age``."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache, lru_cache

from winnow.language.normalise import language_of, normalise
from winnow.recall.facts.said import said
from winnow.recall.history.superseded.chinese import canonical as chinese_families
from winnow.recall.history.superseded.english.attributes import canonical as english_families
from winnow.recall.history.superseded.english.clauses import tokens_of
from winnow.recall.history.superseded.english.verbs import lemma
from winnow.recall.history.superseded.words import groups
from winnow.text.tables import table


@lru_cache(maxsize=16384)
def families_of(text: str) -> Set[str]:
    """The attributes a text names or states: ``where do I live`` and ``I moved to Oslo`` are of ``home``."""
    language, plain = language_of(text), normalise(text)
    if language == "zh":
        named = chinese_families(plain)
    else:
        tokens = tokens_of(plain)
        named = english_families(tokens) | {_verbs().get(lemma(token), "") for token in tokens}
    stated = frozenset[str]().union(*(claim.what for claim in said(text).claims))
    return (named | stated) & known_families()


@cache
def known_families() -> Set[str]:
    """Their names."""
    return frozenset(groups("same")) | frozenset(groups("same", "zh")) | frozenset(groups("says"))


@cache
def _verbs() -> dict[str, str]:
    """Verb -> the one attribute it states; those that state several, or anything, tell nothing."""
    told: dict[str, set[str]] = {}
    for name, listed in groups("says").items():
        for verb in listed:
            told.setdefault(verb, set()).add(str(name))
    return {verb: min(names) for verb, names in told.items() if len(names) == 1}


@lru_cache(maxsize=16384)
def bears_on(question: str, told: str) -> bool:
    """Whether what was told bears on a question by its subject: an allergy on what to cook."""
    asked, said_ = normalise(question), normalise(told)
    return any(ask.search(asked) and tell.search(said_) for ask, tell in _subjects())


@cache
def _subjects() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What is asked and what is told, for each subject."""
    listed = table(__package__, "bears.yaml").values()
    return tuple((re.compile(one["asked"]), re.compile(one["told"])) for one in listed)
