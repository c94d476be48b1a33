"""A question and the pages found for it, in terms: what sufficiency and relevance are computed from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from winnow.language.content_words import content_terms, is_character
from winnow.language.normalize import is_han, normalise
from winnow.language.sentences import split_sentences
from winnow.language.term_weights import UNIGRAM_WEIGHT, inverse_frequency, term_weight
from winnow.types.utterance import LanguageCode

_QUOTED = re.compile('[《「『“"]([^》」』”"]+)[》」』”"]')
_WORD = re.compile(r"[A-Za-z][A-Za-z.'’-]*|\d[\d,.]*")
_SIGN = re.compile(r"[a-z0-9\u00e0-\u024f]+|[\u3007\u3400-\u4dbf\u4e00-\u9fff]")
MAX_CACHED_PAGES = 512
"""Texts whose terms are remembered: the same passages are read for relevance and for sufficiency."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is read of one thing that was found: a passage, a message, a fact."""

    text: str
    title: str = ""


@dataclass(frozen=True)
class PageQuestion:
    """A question with how much each of its terms tells."""

    text: str
    weights: Mapping[str, float]
    """Term -> inverse document frequency, in the order of the question."""

    @cached_property
    def language(self) -> LanguageCode:
        """Chinese as soon as a Chinese character is in it."""
        return "zh" if any(is_han(sign) for sign in self.text) else "en"

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Its terms in order, as often as they occur, single Chinese characters left out."""
        return tuple(term for term in content_terms(self.text) if not is_character(term))

    @cached_property
    def distinct_terms(self) -> tuple[str, ...]:
        """The terms that tell by themselves, each once; all where there is no such term."""
        return tuple(term for term in self.weights if not is_character(term)) or tuple(self.weights)

    @cached_property
    def mass(self) -> float:
        """All weights together; 1 where nothing is asked for."""
        return sum(self.weights.values()) or 1.0

    @cached_property
    def named_terms(self) -> frozenset[str]:
        """Terms of what is called by its name: quoted, a number, or a word with a capital within."""
        quoted = _QUOTED.findall(self.text)
        words = enumerate(_WORD.findall(self.text))
        names = [word for place, word in words if self.language == "zh" or _is_name(place, word)]
        return frozenset(term for part in (*quoted, *names) for term in content_terms(part))

    @cached_property
    def unnamed_terms(self) -> tuple[str, ...]:
        """The terms that tell and name nothing."""
        return tuple(term for term in self.distinct_terms if term not in self.named_terms)

    @cached_property
    def _set(self) -> frozenset[str]:
        return frozenset(self.weights)

    def terms_in(self, terms: Iterable[str]) -> frozenset[str]:
        """Those of its terms that are among these."""
        return self._set.intersection(terms)

    def sum(self, terms: Iterable[str]) -> float:
        """The weights of these terms together."""
        return sum(self.weights[term] for term in terms)

    def share(self, held: frozenset[str], of: Sequence[str] | None = None) -> float:
        """Their part of the weights; of the weights of ``of`` alone, 1 where that is nothing."""
        if of is None:
            return self.sum(self._set & held) / self.mass
        mass = self.sum(of)
        return self.sum(term for term in of if term in held) / mass if mass else 1.0


@dataclass(frozen=True)
class PageText:
    """The terms of a page."""

    title: frozenset[str]
    counts: Counter[str]
    ordered_terms: tuple[str, ...]
    """Its terms in order, single Chinese characters left out."""
    sentences: tuple[tuple[str, ...], ...]
    """The terms of each of its sentences."""
    sentence_texts: tuple[str, ...]
    """The sentences themselves."""

    @cached_property
    def all_terms(self) -> frozenset[str]:
        """All its terms."""
        return frozenset(self.counts)

    @cached_property
    def length(self) -> float:
        """Its terms, single Chinese characters as little as they count."""
        characters = self.counts.total() - len(self.ordered_terms)
        return len(self.ordered_terms) + UNIGRAM_WEIGHT * characters


def _is_name(place: int, word: str) -> bool:
    return word[0].isdigit() or (place > 0 and word[0].isupper())


def text_symbols(text: str) -> list[str]:
    """The Latin words and the Chinese characters of a text, in order."""
    return _SIGN.findall(normalise(text))


@lru_cache(MAX_CACHED_PAGES)
def page_text(page: Page) -> PageText:
    """The terms of a page; those of its title count as its own."""
    title = content_terms(page.title)
    said = tuple(part.text for part in split_sentences(page.text))
    parts = tuple(tuple(content_terms(part)) for part in said)
    terms = [*title, *chain.from_iterable(parts)]
    telling = tuple(
        term for term in terms if len(term) > 1 or term.isascii()
    )  # not is_character, said faster
    return PageText(frozenset(title), Counter(terms), telling, parts, said)


def weigh_question(text: str, weights: Mapping[str, float], pages: Sequence[Page]) -> PageQuestion:
    """The question, each of its terms with its weight.

    A term without one is as telling as the most telling one; where none has one, what was found tells how
    rare each is.
    """
    terms = dict.fromkeys(content_terms(text))
    if not any(term in weights for term in terms):
        return PageQuestion(text, {term: _rareness(term, pages) for term in terms})
    most = {alone: _most(weights, alone) for alone in (True, False)}
    return PageQuestion(text, {term: weights.get(term, most[is_character(term)]) for term in terms})


def _most(weights: Mapping[str, float], alone: bool) -> float:
    """The greatest weight of a single character, or of a term that is none."""
    found = [weight for term, weight in weights.items() if is_character(term) == alone]
    other = UNIGRAM_WEIGHT if alone else 1 / UNIGRAM_WEIGHT
    return max(found) if found else other * max(weights.values())


def _rareness(term: str, pages: Sequence[Page]) -> float:
    number = sum(term in page_text(page).all_terms for page in pages)
    return term_weight(term) * inverse_frequency(len(pages), number)
