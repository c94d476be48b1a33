"""The texts of found passages, sentence by sentence, and which terms of the question each of them says."""

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
from winnow.language.sentences import Span, sentences
from winnow.retrieve.documents.features import LIMIT, WORD, is_word
from winnow.retrieve.documents.question import Alike
from winnow.types.document import Passage

Rows = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float32]
Hit = tuple[int, float]
"""A term's column, and how well it is said."""


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
    read = [_read(passage.text[:LIMIT]) for passage in passages]
    counts = np.array([len(spans) for spans, _ in read])
    texts = list(chain.from_iterable(texts for _, texts in read))
    titles = [_Text.of(_title(one)) for one in passages]
    return Said(
        tuple(chain.from_iterable(spans for spans, _ in read)),
        np.repeat(np.arange(len(passages)), counts),
        np.cumsum(counts) - counts,
        _table(texts, terms, alike or {}),
        _table(titles, terms, alike or {}),
        _lengths(texts),
        _lengths(titles),
    )


@lru_cache(maxsize=1024)  # the next question of a talk finds much of the same again
def _read(text: str) -> tuple[tuple[Span, ...], tuple[_Text, ...]]:
    """The sentences of a passage, at least one, and what each says."""
    spans = sentences(text) or (Span("", 0, 0),)
    return spans, tuple(_Text.of(span.text) for span in spans)


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


@dataclass(slots=True)
class _Sought:
    """What is looked for in each text, and which terms it says by how much."""

    words: dict[str, list[Hit]] = field(default_factory=dict)
    """Cores of Latin words."""
    parts: dict[str, list[Hit]] = field(default_factory=dict)
    """Runs of Chinese characters: cutting every text into words again would cost ten times as much."""

    def add(self, term: str, hit: Hit) -> None:
        """Look for it too."""
        if term.isascii() and not is_word(term):
            self.words.setdefault(term, []).append(hit)
        else:
            self.parts.setdefault(term.removeprefix(WORD), []).append(hit)

    def said(self, text: _Text) -> Iterator[Hit]:
        """The terms a text says."""
        for word in self.words.keys() & text.words:
            yield from self.words[word]
        if text.han:
            for part, hits in self.parts.items():
                if part in text.han:
                    yield from hits


def _table(texts: Sequence[_Text], terms: Sequence[str], alike: Alike) -> Floats:
    sought = _Sought()
    for at, term in enumerate(terms):
        sought.add(term, (at, 1.0))
        for other, weight in alike.get(term, {}).items():
            sought.add(other, (at, weight))
    found = np.zeros((len(texts), len(terms)), np.float32)
    for row, text in zip(found, texts, strict=True):
        for at, weight in sought.said(text):
            row[at] = max(row[at], weight)
    return found
