"""Items -> the smallest pieces that are kept or cut: sentences, clauses or phrases, and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.structure import Block, blocks, readable
from winnow.language.scope import is_limited, statements
from winnow.language.sentences import Span, clauses_of, phrases_of, sentences
from winnow.types.compression import Item

Grain = Literal["sentence", "clause", "phrase"]
Numbers = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of an item's text, from ``start`` to before ``end``."""

    text: str
    item: int
    sentence: int
    """Sentences are numbered over all items; a line of a table or of code is one."""
    start: int
    end: int
    head: int | None = None
    """The unit without which it says nothing: the header of its table, what its list is of."""
    under: int | None = None
    """The heading it stands under."""
    prose: bool = True
    """Whether it is running text, whose parts still say something."""
    limited: bool = False
    """Whether a word turns it round or limits it, so that a part of it may say the opposite."""

    @property
    def cuttable(self) -> bool:
        """Whether a part of it may stand for it."""
        return self.prose and not self.limited


@dataclass(frozen=True, slots=True)
class Units:
    """The units of all items, in order."""

    items: tuple[Item, ...]
    texts: tuple[str, ...]
    """What the units are cut from: the texts of the items, JSON as lines."""
    all: tuple[Unit, ...]
    items_of: Numbers
    """The number of each unit's item."""
    sentences_of: Numbers
    starts: Numbers
    """The first unit of each sentence."""

    def of_sentence(self, number: int) -> range:
        """The units of the sentence that a unit stands in."""
        sentence = self.all[number].sentence
        after = self.starts[sentence + 1] if sentence + 1 < len(self.starts) else len(self.all)
        return range(int(self.starts[sentence]), int(after))


def units(items: Sequence[Item], grain: Grain) -> Units:
    """What the items are made of. A stretch of blanks is none."""
    texts = tuple(readable(item.text) for item in items)
    found: list[Unit] = []
    for at, text in enumerate(texts):
        heading: int | None = None
        for block in blocks(text):
            first = len(found)
            heading = None if block.kind == "heading" else heading
            sentence = found[-1].sentence + 1 if found else 0
            denied = heading is not None and found[heading].limited
            found += _of_block(block, Place(at, first, sentence, heading, denied), grain)
            heading = first if block.kind == "heading" else heading
    items_of = np.array([unit.item for unit in found], np.intp)
    sentences_of = np.array([unit.sentence for unit in found], np.intp)
    starts = np.flatnonzero(np.diff(sentences_of, prepend=-1))
    return Units(tuple(items), texts, tuple(found), items_of, sentences_of, starts)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block begins: the numbers of its item, its first unit, its first sentence and its heading."""

    item: int
    unit: int
    sentence: int
    heading: int | None
    denied: bool
    """Whether the heading turns round what stands under it."""


def _of_block(block: Block, place: Place, grain: Grain) -> Iterator[Unit]:
    """The units of a block."""
    over = place.heading if place.denied else None
    for number, span in enumerate(block.rows or _sentences(block)):
        head = place.unit if block.headed and number else over
        sentence = place.sentence + number
        for part in _parts(span, grain) if block.cuttable else (span,):
            ends = part.start, part.end
            limited = is_limited(part.text)
            yield Unit(part.text, place.item, sentence, *ends, head, place.heading, block.cuttable, limited)


def _sentences(block: Block) -> list[Span]:
    """The sentences of a block of prose."""
    found = (s for s in sentences(block.text) if s.text.strip())
    return [Span(s.text, block.start + s.start, block.start + s.end) for s in found]


def _parts(sentence: Span, grain: Grain) -> Iterator[Span]:
    """The parts of a sentence; a statement that a word turns round or limits is one of them."""
    for one in statements(sentence):
        if grain == "sentence" or is_limited(one.text):
            yield one
        else:
            yield from clauses_of(one) if grain == "clause" else phrases_of(one)
