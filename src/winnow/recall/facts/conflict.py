"""Where two texts tell otherwise of one matter: another number, another day, or the opposite. Rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from winnow.language.content import content_terms
from winnow.language.numbers.find import find_numbers
from winnow.language.sentences import sentences
from winnow.recall.facts.marks import without
from winnow.recall.facts.novelty import frame, is_of_another, is_of_same, is_other
from winnow.recall.facts.said import said

MOST = 24
"""Sentences of a text that are compared."""
HEADING, BULLETS = "#", ("-", "+", "*", "•", "·")
SHARED = 0.5
"""Part of the terms of two sentences, numbers aside, that both must have before they are read closely."""
ASKED = 0.5
"""Part of a question's words from which on a sentence that has them tells by itself of what it speaks."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence of a text, and its terms without numbers."""

    text: str
    terms: frozenset[str]


@lru_cache(maxsize=4096)
def stated(text: str) -> tuple[Stated, ...]:
    """The first sentences of a text that say anything; headings do not."""
    told = (sentence.text.strip() for sentence in sentences(text)[:MOST])
    made = (Stated(one, terms(one)) for one in told if not one.startswith(HEADING))
    return tuple(one for one in made if one.terms)


def terms(text: str) -> frozenset[str]:
    """The terms of a text without numbers."""
    return frozenset(term for term in content_terms(text) if not find_numbers(term))


def asked_words(question: str) -> frozenset[str]:
    """The words of a question that tell what is asked about."""
    return frame(said(without("asks", question)))


def is_of_asked(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence names what is asked about, whatever it stands in; a line of a list does not."""
    listed = sentence.startswith(BULLETS)
    return not listed and len(asked & frame(said(sentence))) >= ASKED * max(1, len(asked))


def conflicts(one: str, other: str) -> Iterator[tuple[str, str]]:
    """The sentences of two texts that cannot both hold, if both speak of one thing."""
    for a, b in product(stated(one), stated(other)):
        if len(a.terms & b.terms) >= SHARED * max(len(a.terms), len(b.terms)) and _conflict(a.text, b.text):
            yield a.text, b.text


def _conflict(one: str, other: str) -> bool:
    a, b = said(one), said(other)
    return is_other(a, b) and is_of_same(a, b, least=1) and not is_of_another(a, b)
