"""Terms of each piece of text, their meaning by word vectors, and sentences that repeat others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from winnow.context.compress.units import Units
from winnow.language.content_words import content_terms, terms_in
from winnow.language.gazetteer import stem
from winnow.language.normalize import normalise
from winnow.language.scope_words import limits

# Sentences that say again what another one says.


Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
MIN_OVERLAP = 0.95
"""The share of a sentence's terms that another one must hold to say it all."""
MIN_TERMS = 4
"""Terms of the shortest sentence that can be said to repeat another."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[〇一二三四五六七八九十百千万亿]+")


def find_repeats(units: Units, held: Floats) -> dict[int, int]:
    """Number of a sentence -> that of the one that says it all.

    That is the longer one; of two alike that of the more important item, then the first. ``held``: how often
    each sentence holds each term.

    Two that differ in a number, or of which one denies, excepts or limits more, are not the same.
    """
    if not held.size:
        return {}
    # Whether the terms of a sentence (row) are held by another one (column)
    holding = np.minimum(held, 1)
    sizes = holding.sum(1)
    shares = (holding @ holding.T) / np.maximum(sizes, 1)[:, None]
    alike: Bools = (shares >= MIN_OVERLAP) & (sizes >= MIN_TERMS)[:, None] & ~np.eye(len(sizes), dtype=bool)
    found: dict[int, int] = {}
    for one, other in zip(*(map(int, places) for places in np.nonzero(alike)), strict=True):
        last = not alike[other, one] or _sentence_rank(units, other) < _sentence_rank(units, one)
        if last and one not in found and other not in found and _says_the_same(units, one, other):
            found[one] = other
    return found


def _says_the_same(units: Units, one: int, other: int) -> bool:
    """Whether what a sentence says is said by the other, as far as numbers and words like ``not`` tell."""
    texts = [_sentence_text(units, one), _sentence_text(units, other)]
    mine, theirs = (set(_NUMBER.findall(text)) for text in texts)
    limited = [[kind for kind, _ in limits(text)] for text in texts]
    prose = all(units.all[units.starts[number]].prose for number in (one, other))
    return prose and mine <= theirs and limited[0] == limited[1]


def _sentence_rank(units: Units, sentence: int) -> tuple[float, int]:
    """The lower, the rather it stays."""
    return -units.items[units.items_of[units.starts[sentence]]].importance, sentence


def _sentence_text(units: Units, sentence: int) -> str:
    return "".join(units.all[n].text for n in units.of_sentence(int(units.starts[sentence])))


Numbers = npt.NDArray[np.intp]
_BETWEEN = "\u23ce"
"""A sign that no text needs and normalising leaves alone: all texts are normalised in one go."""
MAX_TABLE_SIZE = 20_000_000
"""Numbers of the largest table that is made: a text of about 200,000 characters needs as many."""


@dataclass(frozen=True, slots=True)
class TextTerms:
    """The terms of many texts, each occurrence a row of ``term_rows`` and ``text_rows``."""

    numbers: dict[str, int]
    """Terms have numbers, in order of their first occurrence."""
    forms: dict[str, str]
    """The first word that each English term was made of."""
    term_rows: Numbers
    text_rows: Numbers
    size: int
    """Texts."""

    @property
    def lengths(self) -> Numbers:
        """Terms of each text."""
        return np.bincount(self.text_rows, minlength=self.size)

    def times(self, asked: Sequence[str]) -> Floats:
        """How often each text holds each of these terms: shape ``(size, len(asked))``."""
        column = np.full(len(self.numbers) + 1, len(asked), np.intp)
        column[[self.numbers.get(term, -1) for term in asked]] = np.arange(len(asked))
        column[-1] = width = len(asked)  # where terms that no text holds were written
        counts = np.bincount(
            self.text_rows * (width + 1) + column[self.term_rows], minlength=self.size * (width + 1)
        )
        return counts.reshape(self.size, width + 1)[:, :-1].astype(np.float32)

    def best(self, rows: Floats) -> Floats:
        """Of what every term has, the greatest of each text's terms: shape ``(size, columns)``."""
        found = np.zeros((self.size, rows.shape[1]), np.float32)
        starts = np.flatnonzero(np.diff(self.text_rows, prepend=-1))
        if len(starts):
            found[self.text_rows[starts]] = np.maximum.reduceat(rows[self.term_rows], starts)
        return found

    def holding(self, groups: Numbers, number: int) -> Floats:
        """How often each group of texts holds each term: shape ``(number, terms)``.

        No terms where that would be too large a table: then nobody looks for repetitions or likeness.
        """
        width = len(self.numbers) if number * len(self.numbers) <= MAX_TABLE_SIZE else 0
        if not width:
            return np.zeros((number, 0), np.float32)
        counts = np.bincount(groups[self.text_rows] * width + self.term_rows, minlength=number * width)
        return counts.reshape(number, width).astype(np.float32)


def text_terms(texts: Sequence[str]) -> TextTerms:
    """The content terms of each text."""
    forms: dict[str, str] = {}
    together = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in texts)
    found = normalise(together, 2 * len(together)).split(_BETWEEN)
    held = [terms_in(text, forms) for text in found + [""] * (len(texts) - len(found))]
    known = dict.fromkeys(chain.from_iterable(held))  # in order; numbering while reading takes twice as long
    numbers = dict(zip(known, count(), strict=False))
    rows = np.repeat(np.arange(len(held)), list(map(len, held)))
    flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(held)), np.intp, len(rows))
    return TextTerms(numbers, forms, flat, rows, len(held))


# What lies near the question in meaning, by the vectors of single words.


MIN_COSINE, FULL_COSINE = 0.35, 0.6
"""From which cosine on a word stands for another, and how much of it such a word is worth."""


class WordEmbedder(Protocol):
    """Knows the meaning of words."""

    def words(self, words: Sequence[str]) -> Floats:
        """A row of length 1 for each stem, Chinese character or pair of them; zeros where it is not known."""


def word_embedder(embedder: object) -> WordEmbedder | None:
    """What an embedder knows of words; None where it knows whole texts only."""
    return cast("WordEmbedder", embedder) if hasattr(embedder, "words") else None


@dataclass(frozen=True, slots=True)
class TermCounts:
    """What was read: the terms of each unit, and how often each sentence holds them."""

    terms: TextTerms
    held: Floats
    units: Units


def meaning_features(
    meaning: WordEmbedder | None, query: str, read: TermCounts, asked: tuple[Sequence[str], Floats, Floats]
) -> dict[str, Floats]:
    """``like`` and ``soft`` of each unit; zeros where nobody knows the meaning of words."""
    terms = read.terms
    nothing = np.zeros(terms.size, np.float32)
    if meaning is None or not terms.numbers:
        return {"like": nothing, "soft": nothing}
    rows = meaning.words(_term_stems(terms.numbers, terms.forms))
    forms: dict[str, str] = {}
    question = meaning.words(_term_stems(content_terms(query, forms), forms)).sum(0)
    return {"like": _sentence_cosines(rows, question, read), "soft": _soft_coverage(rows, terms, asked)}


def _term_stems(terms: Iterable[str], forms: Mapping[str, str]) -> list[str]:
    """Terms as the table of words writes them: whole English words without their ending."""
    return [stem(forms.get(term, term)) if term.isascii() else term for term in terms]


def _sentence_cosines(rows: Floats, question: Floats, read: TermCounts) -> Floats:
    """The cosine of the question and each unit's sentence."""
    if not read.held.size:
        return np.zeros(read.terms.size, np.float32)
    sums = read.held @ rows
    lengths = np.linalg.norm(sums, axis=1) * float(np.linalg.norm(question))
    cosines = np.divide(sums @ question, lengths, out=np.zeros(len(sums), np.float32), where=lengths > 0)
    found: Floats = cosines[read.units.sentences_of]
    return found


def _soft_coverage(rows: Floats, terms: TextTerms, asked: tuple[Sequence[str], Floats, Floats]) -> Floats:
    """The share of the question's words that is there, or something like them."""
    names, times, weights = asked
    if not names:
        return np.zeros(terms.size, np.float32)
    telling = np.array([len(term) > 1 or term.isascii() for term in terms.numbers], np.bool_)
    cosines = rows @ rows[[terms.numbers[name] for name in names]].T * telling[:, None]
    best = terms.best(cosines)
    there = np.where(times > 0, 1.0, np.where(best > MIN_COSINE, FULL_COSINE * best, 0.0))
    found: Floats = (there @ weights / (float(weights.sum()) or 1.0)).astype(np.float32)
    return found
