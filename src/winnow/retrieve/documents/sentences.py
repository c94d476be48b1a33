"""The sentences of candidate passages, and which terms of the question each of them contains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import core
from winnow.language.gazetteer import runs
from winnow.language.normalize import normalise
from winnow.language.sentences import TextSpan, split_sentences
from winnow.retrieve.documents.postings import MAX_PASSAGE_CHARS, WORD_MARK, is_word
from winnow.retrieve.documents.question import Translations
from winnow.types.document import Passage

Rows = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float32]
TermMatch = tuple[int, float]
"""A term's column, and how well it is said."""


@dataclass(frozen=True, slots=True)
class SentenceMatches:
    """Sentences by row, those of the best passage first."""

    sentences: tuple[TextSpan, ...]
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
    title_lengths: Floats
    """The same of each title and its headings."""

    @property
    def neighbours(self) -> Floats:
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


def sentence_matches(
    passages: Sequence[Passage], terms: Sequence[str], alike: Translations | None = None
) -> SentenceMatches:
    """What these passages, at least one, say of the terms; what is ``alike`` says a term by its weight."""
    read = [_sentence_terms(passage.text[:MAX_PASSAGE_CHARS]) for passage in passages]
    counts = np.array([len(spans) for spans, _ in read])
    texts = list(chain.from_iterable(texts for _, texts in read))
    titles = [
        _TermText.of("\n".join((one.document.title.replace("_", " "), *one.headings))) for one in passages
    ]
    return SentenceMatches(
        tuple(chain.from_iterable(spans for spans, _ in read)),
        np.repeat(np.arange(len(passages)), counts),
        np.cumsum(counts) - counts,
        _table(texts, terms, alike or {}),
        _table(titles, terms, alike or {}),
        _lengths(texts),
        _lengths(titles),
    )


@lru_cache(maxsize=1024)  # the next question of a talk finds much of the same again
def _sentence_terms(text: str) -> tuple[tuple[TextSpan, ...], tuple[_TermText, ...]]:
    """The sentences of a passage, at least one, and what each says."""
    spans = split_sentences(text) or (TextSpan("", 0, 0),)
    return spans, tuple(_TermText.of(span.text) for span in spans)


def _lengths(texts: Sequence[_TermText]) -> Floats:
    return np.array([text.length for text in texts], np.float32)


@dataclass(frozen=True, slots=True)
class _TermText:
    """The cores of the Latin words of a text, and its Chinese characters, what parts them kept."""

    words: frozenset[str]
    han: str
    length: float

    @classmethod
    def of(cls, text: str) -> _TermText:
        words, han = runs(normalise(text, MAX_PASSAGE_CHARS))
        return cls(frozenset(map(core, words)), " ".join(han), len(words) + sum(map(len, han)) / 2)


@dataclass(slots=True)
class _TermMatcher:
    """What is looked for in each text, and which terms it says by how much."""

    words: dict[str, list[TermMatch]] = field(default_factory=dict)
    """Cores of Latin words."""
    parts: dict[str, list[TermMatch]] = field(default_factory=dict)
    """Runs of Chinese characters: cutting every text into words again would cost ten times as much."""

    def add(self, term: str, hit: TermMatch) -> None:
        """Look for it too."""
        if term.isascii() and not is_word(term):
            self.words.setdefault(term, []).append(hit)
        else:
            self.parts.setdefault(term.removeprefix(WORD_MARK), []).append(hit)

    def matches(self, text: _TermText) -> Iterator[TermMatch]:
        """The terms a text says."""
        for word in self.words.keys() & text.words:
            yield from self.words[word]
        if text.han:
            for part, hits in self.parts.items():
                if part in text.han:
                    yield from hits


def _table(texts: Sequence[_TermText], terms: Sequence[str], alike: Translations) -> Floats:
    sought = _TermMatcher()
    for at, term in enumerate(terms):
        sought.add(term, (at, 1.0))
        for other, weight in alike.get(term, {}).items():
            sought.add(other, (at, weight))
    found = np.zeros((len(texts), len(terms)), np.float32)
    for row, text in zip(found, texts, strict=True):
        for at, weight in sought.matches(text):
            row[at] = max(row[at], weight)
    return found
