"""The index of the passages of one tier: segments as bytes, tuning, and BM25 by language."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import is_character
from winnow.language.tables import table
from winnow.language.term_weights import UNIGRAM_WEIGHT, inverse_frequency, term_weight
from winnow.ports.stores import Segment
from winnow.retrieve.documents.postings import (
    COUNT_BITS,
    HEADING_BIT,
    TITLE_BIT,
    Entries,
    Floats,
    PassagePart,
    TermNames,
    keys_of,
    merge_parts,
    passage_terms,
    starts_of,
)
from winnow.types.document import Passage
from winnow.types.utterance import LanguageCode

# Passages -> bytes that an index is opened from without reading a text.


SEGMENT_VERSION = 2
"""Goes up whenever what is kept or how texts are read changes; of another version nothing is read."""
SEGMENT_ARRAYS = {
    "keys": "<u8",
    "letters": "<u1",
    "names": "<i8",
    "starts": "<i8",
    "rows": "<u4",
    "held": "<u1",
    "lengths": "<f4",
    "chinese": "<f4",
}
Array = npt.NDArray[np.generic]


def segment_of(passages: Sequence[Passage]) -> bytes:
    """The part of an index that these passages make."""
    forms: dict[str, str] = {}
    read = [_passage_terms_of(passage, forms) for passage in passages]
    entries = _entries([one.entry_bits for one in read], forms)
    arrays: dict[str, Array] = {
        "keys": entries.keys,
        "letters": entries.names.letters,
        "names": entries.names.starts,
        "starts": entries.starts,
        "rows": entries.rows,
        "held": entries.entry_bits,
        "lengths": np.array([one.lengths for one in read], np.float32).reshape(-1, 3).T,
        "chinese": np.array([one.chinese for one in read], np.float32),
    }
    head = json.dumps(
        {
            "ids": [passage.id for passage in passages],
            "shapes": {name: arrays[name].shape for name in SEGMENT_ARRAYS},
        }
    ).encode()
    body = [
        np.ascontiguousarray(arrays[name], np.dtype(kind)).tobytes() for name, kind in SEGMENT_ARRAYS.items()
    ]
    return bytes([SEGMENT_VERSION]) + zlib.compress(
        b"".join([len(head).to_bytes(4, "little"), head, *body]), 1
    )


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """A passage as it is indexed."""

    entry_bits: Mapping[str, int]
    """Term -> the bits of its entry."""
    lengths: tuple[float, float, float]
    chinese: float


def _passage_terms_of(passage: Passage, forms: dict[str, str]) -> PassageTerms:
    title = passage_terms(passage.document.title.replace("_", " "), forms)
    headings = passage_terms("\n".join(passage.headings), forms)
    text = passage_terms(passage.text, forms)
    held = {term: min(times, COUNT_BITS) for term, times in Counter(text).items()}
    for found, bit in ((title, TITLE_BIT), (headings, HEADING_BIT)):
        for term in found:
            held[term] = held.get(term, 0) | bit
    characters = sum(map(is_character, text))
    lengths = _length(text, characters), _length(title), _length(headings)
    chinese = characters / (characters + sum(map(str.isascii, text))) if characters else 0.0
    return PassageTerms(held, lengths, chinese)


def _entries(held: Sequence[Mapping[str, int]], forms: Mapping[str, str]) -> Entries:
    """The terms in the order of their keys, and of each the passages that hold it, in order."""
    terms = sorted(set(chain.from_iterable(held)))
    keys = keys_of(terms)
    order = np.argsort(keys)
    number = dict(zip(terms, np.argsort(order).tolist(), strict=True))
    of_term = np.array([number[term] for term in chain.from_iterable(held)], np.int64)
    names = TermNames.of([forms.get(terms[at], terms[at]) for at in order.tolist()])
    # The rows and the bits of all entries, those of the first term first
    by_term = np.argsort(of_term, kind="stable")
    posting_arrays_rows = np.repeat(np.arange(len(held), dtype=np.int32), [len(one) for one in held])
    posting_arrays_bits = np.array([bits for one in held for bits in one.values()], np.uint8)
    rows, bits = posting_arrays_rows[by_term], posting_arrays_bits[by_term]
    return Entries(keys[order], names, starts_of(np.bincount(of_term, minlength=len(terms))), rows, bits)


def _length(terms: Sequence[str], characters: int | None = None) -> float:
    """Each as much as it counts whatever its rarity."""
    known = sum(map(is_character, terms)) if characters is None else characters
    return len(terms) - (1 - UNIGRAM_WEIGHT) * known


def readable(data: bytes) -> bool:
    """Whether it is of the version that is read here."""
    return data[:1] == bytes([SEGMENT_VERSION])


def read_segment(id_: str, data: bytes) -> PassagePart:
    """The part that ``segment_of`` wrote. Raises ValueError where it is damaged or of another version."""
    if not readable(data):
        raise ValueError(f"a segment of version {data[:1].hex()}, read is {SEGMENT_VERSION}")
    try:
        raw = zlib.decompress(memoryview(data)[1:])
        ends = 4 + int.from_bytes(raw[:4], "little")
        head = json.loads(raw[4:ends])
        found = dict(_arrays(raw, ends, head["shapes"]))
    except (zlib.error, KeyError) as error:
        raise ValueError(f"a damaged segment: {error}") from error
    ids = tuple(head["ids"])
    return PassagePart(
        (id_,), (len(ids),), ids, _entries_of(found), _floats(found["lengths"]), _floats(found["chinese"])
    )


def _entries_of(arrays: Mapping[str, Array]) -> Entries:
    return Entries(
        arrays["keys"].astype(np.uint64, copy=False),
        TermNames(arrays["letters"].view(np.uint8), arrays["names"].astype(np.int64, copy=False)),
        arrays["starts"].astype(np.int64, copy=False),
        arrays["rows"].astype(np.int32),
        arrays["held"].view(np.uint8),
    )


def _floats(array: Array) -> Floats:
    return array.astype(np.float32, copy=False)


def _arrays(raw: bytes, at: int, shapes: dict[str, list[int]]) -> Iterator[tuple[str, Array]]:
    for name, kind in SEGMENT_ARRAYS.items():
        count = int(np.prod(shapes[name]))
        yield name, np.frombuffer(raw, np.dtype(kind), count, at).reshape(shapes[name])
        at += count * np.dtype(kind).itemsize


# How passages are scored: the figures of ``weights.yaml``.


Weights = Mapping[str, float]
MEANING = "meaning"
"""The reason that needs vectors; the others need words only."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """BM25 of passages in one language."""

    k1: float
    """How fast repeating a term stops helping."""
    b: float
    """How much a passage is discounted that is long among those of its language, 0 to 1."""
    title: float
    """How many times a term of the title counts, beside the text itself."""
    heading: float
    """The same of a heading."""


@dataclass(frozen=True, slots=True)
class PassageTuning:
    """Chosen and fitted by ``training/knowledge/fit_passages.py``."""

    zh: Scoring
    en: Scoring
    across: float
    """What a pair of Chinese characters counts for that belong to two words of the question."""
    beside: float
    """The same where one of them says nothing by itself."""
    flat: float
    """From which share of the first passage's score on the fifth is so near that words are fed back."""
    feedback: float
    """What they count for."""
    passage: Mapping[LanguageCode, Weights] = field(hash=False)
    """What each reason for a passage counts for, by the language of the question."""
    sentence: Mapping[LanguageCode, Weights] = field(hash=False)
    """The same of a sentence."""

    @property
    def scorings(self) -> tuple[Scoring, Scoring]:
        """Those of passages in English and in Chinese."""
        return self.en, self.zh


@cache
def passage_tuning() -> PassageTuning:
    """The figures in force."""
    found: dict[str, Any] = table("winnow.retrieve.documents", "weights.yaml")
    return PassageTuning(**found | {name: Scoring(**found[name]) for name in ("zh", "en")})


Alive = npt.NDArray[np.bool_]
CHINESE_SHARE = 0.5
"""Share of Chinese from which on a passage is."""
MIN_PART_RATIO = 2
"""A part is merged with the one before it unless that is so many times as long: few parts, little work."""


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """Passages by row: those of the first part, then those of the next. Made by ``of``; never changed."""

    parts: tuple[PassagePart, ...] = ()
    alive: tuple[Alive, ...] = field(default=(), repr=False)
    """Which rows of each part still are."""
    tuning: PassageTuning = field(default_factory=passage_tuning)
    lengths: tuple[Lengths, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, segments: Sequence[Segment], tuned: PassageTuning | None = None) -> PassageIndex:
        """The index of these segments. Raises ValueError where one cannot be read."""
        return cls(tuning=tuned or passage_tuning()).extend(segments)

    def extend(self, segments: Sequence[Segment]) -> PassageIndex:
        """The index of these segments, which are all there are; of known ones ``data`` may be empty.

        What is known is not read again, and parts are merged as they grow. Raises ValueError where a segment
        cannot be read.
        """
        known = self.segments
        new = [read_segment(one.id, one.data) for one in segments if one.id not in known]
        # Parts of which each is ``MIN_PART_RATIO`` times as long as the next at least
        inner_parts = [*self.parts, *([merge_parts(new)] if new else [])]
        grown: list[PassagePart] = []
        for part in inner_parts:
            grown.append(part)
            while len(grown) > 1 and grown[-2].size < MIN_PART_RATIO * grown[-1].size:
                grown[-2:] = [merge_parts(grown[-2:])]
        parts = tuple(grown)
        dead = {one.id: one.dead for one in segments}
        alive = tuple(np.concatenate(list(_alive(part, dead))) for part in parts)
        return PassageIndex(parts, alive, self.tuning, _lengths(parts, self.tuning))

    @property
    def segments(self) -> frozenset[str]:
        """Ids of what it is made of."""
        return frozenset(id_ for part in self.parts for id_ in part.segments)

    @property
    def rows(self) -> int:
        """Passages, those among them that no longer are."""
        return sum(part.size for part in self.parts)

    @property
    def size(self) -> int:
        """Passages that are."""
        return sum(int(alive.sum()) for alive in self.alive)

    @property
    def bytes(self) -> int:
        """About what it takes in memory."""
        return sum(part.bytes + 5 * part.size for part in self.parts)

    @property
    def chinese(self) -> float:
        """The share of the passages that are Chinese, 0..1."""
        return sum(float(one.chinese.sum()) for one in self.lengths) / max(self.rows, 1)

    @property
    def is_mostly_dead(self) -> bool:
        """Whether most of it no longer is, so that it is better opened anew."""
        return self.size * 2 < self.rows

    def id(self, row: int) -> str:
        """The id of the passage of a row."""
        for part in self.parts:
            if row < part.size:
                return part.ids[row]
            row -= part.size
        raise IndexError(row)

    def rarity(self, terms: Sequence[str], *, plainly: bool = True) -> dict[str, float]:
        """How much each term tells: its inverse document frequency.

        ``plainly``: of a single Chinese character only a part of it.
        """
        keys = keys_of(terms)
        often = np.zeros(len(terms), np.int64)
        for part in self.parts:
            often += part.entries.frequency(part.entries.numbers(keys))
        rare = inverse_frequency(self.rows, often)
        share = term_weight if plainly else _full_weight
        return {term: share(term) * float(value) for term, value in zip(terms, rare, strict=True)}

    def scores(self, weights: Mapping[str, float], alike: Iterable[Mapping[str, float]] = ()) -> Floats:
        """BM25 of every row with terms of these weights (rarity among them), 0 for what no longer is.

        A term adds its weight at most, however often it is said.

        ``alike``: groups of terms that stand for one another; of each the one that gains most counts.
        """
        groups = tuple(alike)
        together = zip(self.parts, self.lengths, self.alive, strict=True)
        found = [_PartScorer(*one, _count_table(self.tuning)).scores(weights, groups) for one in together]
        return np.concatenate(found) if found else np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class _PartScorer:
    """One part of an index."""

    part: PassagePart
    lengths: Lengths
    alive: Alive
    said: Floats

    def scores(self, weights: Mapping[str, float], groups: Sequence[Mapping[str, float]]) -> Floats:
        """Of each passage, 0 for what no longer is."""
        total = np.zeros(self.part.size, np.float32)
        for rows, gains in self._gains(weights):
            total[rows] += gains
        for group in groups:
            best = np.zeros(self.part.size, np.float32)
            for most_rows, most_gains in self._gains(group):
                best[most_rows] = np.maximum(best[most_rows], most_gains)
            total += best
        total *= self.alive
        return total

    def _gains(self, weights: Mapping[str, float]) -> Iterator[tuple[npt.NDArray[np.integer], Floats]]:
        numbers = self.part.entries.numbers(keys_of(list(weights)))
        for number, weight in zip(numbers.tolist(), weights.values(), strict=True):
            if number >= 0:
                rows, held = self.part.entries.of(number)
                times = self.said[self.lengths.chinese[rows], held]
                yield rows, np.float32(weight) * times / (times + self.lengths.discounts[rows])


def _alive(part: PassagePart, dead: Mapping[str, frozenset[str]]) -> Iterator[Alive]:
    """Which passages of each of its segments still are; none of a segment that is not told."""
    ends = np.cumsum([0, *part.sizes]).tolist()
    for id_, (start, end) in zip(part.segments, pairwise(ends), strict=True):
        gone = dead.get(id_)
        if gone:
            yield np.array([passage not in gone for passage in part.ids[start:end]], np.bool_)
        else:
            yield np.full(end - start, gone is not None, np.bool_)


def _full_weight(_: str) -> float:
    return 1.0


@cache
def _count_table(tuned: PassageTuning) -> Floats:
    """How often a term counts as said, by language and the bits of its entry: shape ``(2, 256)``."""
    bits = np.arange(256)
    times, title, heading = bits & COUNT_BITS, bits & TITLE_BIT > 0, bits & HEADING_BIT > 0
    return np.array([times + by.title * title + by.heading * heading for by in tuned.scorings], np.float32)


@dataclass(frozen=True, slots=True)
class Lengths:
    """What the length of each passage of a part takes off, and its language."""

    discounts: Floats
    chinese: npt.NDArray[np.intp]
    """1 where it is Chinese, else 0."""


def _lengths(parts: Sequence[PassagePart], tuned: PassageTuning) -> tuple[Lengths, ...]:
    """A passage is long or short among those of its language."""
    if not parts:
        return ()
    chinese = [(part.chinese >= CHINESE_SHARE).astype(np.intp) for part in parts]
    lengths = np.concatenate(
        [_weighted_lengths(part, of, tuned) for part, of in zip(parts, chinese, strict=True)]
    )
    every = np.concatenate(chinese)
    means = np.bincount(every, lengths, 2) / np.maximum(np.bincount(every, minlength=2), 1)
    # By the share that each length is of the mean of its language
    share = lengths / np.maximum(means[every], 1e-9)
    k1, b = np.array([(scoring.k1, scoring.b) for scoring in tuned.scorings], np.float32).T
    discounts: Floats = (k1[every] * (1 - b[every] + b[every] * share)).astype(np.float32)
    ends = np.cumsum([part.size for part in parts])[:-1]
    return tuple(Lengths(*one) for one in zip(np.split(discounts, ends), chinese, strict=True))


def _weighted_lengths(part: PassagePart, chinese: npt.NDArray[np.intp], tuned: PassageTuning) -> Floats:
    """How long each passage is, all fields together."""
    by = np.array([[1.0, scoring.title, scoring.heading] for scoring in tuned.scorings], np.float32)
    found: Floats = (by[chinese].T * part.lengths).sum(0)
    return found
