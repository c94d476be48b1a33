"""The texts of found passages, sentence by sentence, and which terms of the question each of them says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from winnow.language.content import core
from winnow.language.ngrams import runs
from winnow.language.normalise import normalise
from winnow.language.sentences import Span, sentences
from winnow.recall.passages.alike import Alike
from winnow.recall.passages.terms import LIMIT, WORD, is_word
from winnow.types.document import Passage

Rows = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Said:
    """Sentences by row, those of the best passage first."""

    sentences: tuple[Span, ...]
    passage: Rows
    """The number of each sentence's passage."""
    starts: Rows
    """The first sentence of each passage; every passage has one."""
    table: Floats
    """How well each sentence says each term, 0..1: shape ``(sentences, terms)``."""
    titles: Floats
    """The same of the title and headings of each passage: shape ``(passages, terms)``."""
    lengths: Floats
    """Of each sentence: words, and characters by half."""
    titled: Floats
    """The same of each title and its headings."""

    @property
    def beside(self) -> Floats:
        """What the sentences before and after say, of the same passage."""
        same = (self.passage[1:] == self.passage[:-1])[:, None]
        found = np.zeros_like(self.table)
        found[:-1] = np.where(same, self.table[1:], 0)
        found[1:] = np.maximum(found[1:], np.where(same, self.table[:-1], 0))
        return found

    def best_of(self, values: Floats) -> Floats:
        """The greatest value among each passage's sentences; one row for each."""
        best: Floats = np.maximum.reduceat(values, self.starts, axis=0)
        return best


def said(passages: Sequence[Passage], terms: Sequence[str], alike: Alike | None = None) -> Said:
    """What these passages, at least one, say of the terms; what is ``alike`` says a term by its weight."""
    spans = [sentences(passage.text[:LIMIT]) or (Span("", 0, 0),) for passage in passages]
    counts = np.array([len(found) for found in spans])
    flat = tuple(chain.from_iterable(spans))
    texts, titles = [_Text.of(span.text) for span in flat], [_Text.of(_title(one)) for one in passages]
    return Said(
        flat,
        np.repeat(np.arange(len(passages)), counts),
        np.cumsum(counts) - counts,
        _table(texts, terms, alike or {}),
        _table(titles, terms, alike or {}),
        _lengths(texts),
        _lengths(titles),
    )


def _lengths(texts: Sequence[_Text]) -> Floats:
    return np.array([text.length for text in texts], np.float32)


def _title(passage: Passage) -> str:
    return "\n".join((passage.document.title.replace("_", " "), *passage.headings))


@dataclass(frozen=True, slots=True)
class _Text:
    """The cores of the Latin words of a text, and its Chinese characters, what parts them kept."""

    words: frozenset[str]
    han: str
    length: float

    @classmethod
    def of(cls, text: str) -> _Text:
        words, han = runs(normalise(text, LIMIT))
        return cls(frozenset(map(core, words)), " ".join(han), len(words) + sum(map(len, han)) / 2)

    def says(self, term: str) -> bool:
        # A Chinese word is sought by its characters: cutting every text again would cost ten times as much.
        if term.isascii() and not is_word(term):
            return term in self.words
        return term.removeprefix(WORD) in self.han


def _table(texts: Sequence[_Text], terms: Sequence[str], alike: Alike) -> Floats:
    found = np.array([[text.says(term) for term in terms] for text in texts], np.float32)
    found = found.reshape(len(texts), len(terms))
    for at, term in enumerate(terms):
        for other, weight in alike.get(term, {}).items():
            told = np.array([text.says(other) for text in texts], np.float32)
            found[:, at] = np.maximum(found[:, at], np.float32(weight) * told)
    return found
