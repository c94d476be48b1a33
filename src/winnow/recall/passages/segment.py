"""Passages -> bytes that an index is opened from without reading a text.

A version byte, then compressed: a head of JSON (ids, and the shapes of what follows) and arrays of numbers,
the lowest byte first.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from winnow.language.content import is_character
from winnow.recall.lexical import UNIGRAM
from winnow.recall.passages.part import (
    HEADING,
    TIMES,
    TITLE,
    Bytes,
    Entries,
    Floats,
    Long,
    Names,
    Numbers,
    Part,
    starts_of,
)
from winnow.recall.passages.terms import keys_of, passage_terms
from winnow.types.document import Passage

VERSION = 2
"""Goes up whenever what is kept or how texts are read changes; of another version nothing is read."""
ARRAYS = {
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
    read = [_read(passage, forms) for passage in passages]
    entries = _entries([one.held for one in read], forms)
    return _packed(
        [passage.id for passage in passages],
        {
            "keys": entries.keys,
            "letters": entries.names.letters,
            "names": entries.names.starts,
            "starts": entries.starts,
            "rows": entries.rows,
            "held": entries.held,
            "lengths": np.array([one.lengths for one in read], np.float32).reshape(-1, 3).T,
            "chinese": np.array([one.chinese for one in read], np.float32),
        },
    )


@dataclass(frozen=True, slots=True)
class Read:
    """A passage as it is indexed."""

    held: Mapping[str, int]
    """Term -> the bits of its entry."""
    lengths: tuple[float, float, float]
    chinese: float


def _read(passage: Passage, forms: dict[str, str]) -> Read:
    title = passage_terms(passage.document.title.replace("_", " "), forms)
    headings = passage_terms("\n".join(passage.headings), forms)
    text = passage_terms(passage.text, forms)
    held = {term: min(times, TIMES) for term, times in Counter(text).items()}
    for found, bit in ((title, TITLE), (headings, HEADING)):
        for term in found:
            held[term] = held.get(term, 0) | bit
    characters = sum(map(is_character, text))
    lengths = _length(text, characters), _length(title), _length(headings)
    return Read(held, lengths, _chinese(text, characters))


def _entries(held: Sequence[Mapping[str, int]], forms: Mapping[str, str]) -> Entries:
    """The terms in the order of their keys, and of each the passages that hold it, in order."""
    terms = sorted(set(chain.from_iterable(held)))
    keys = keys_of(terms)
    order = np.argsort(keys)
    number = dict(zip(terms, np.argsort(order).tolist(), strict=True))
    of_term = np.array([number[term] for term in chain.from_iterable(held)], np.int64)
    names = Names.of([forms.get(terms[at], terms[at]) for at in order.tolist()])
    rows, bits = _laid(held, of_term)
    return Entries(keys[order], names, starts_of(np.bincount(of_term, minlength=len(terms))), rows, bits)


def _laid(held: Sequence[Mapping[str, int]], of_term: Long) -> tuple[Numbers, Bytes]:
    """The rows and the bits of all entries, those of the first term first."""
    by_term = np.argsort(of_term, kind="stable")
    rows = np.repeat(np.arange(len(held), dtype=np.int32), [len(one) for one in held])
    bits = np.array([bits for one in held for bits in one.values()], np.uint8)
    return rows[by_term], bits[by_term]


def _length(terms: Sequence[str], characters: int | None = None) -> float:
    """Each as much as it counts whatever its rarity."""
    known = sum(map(is_character, terms)) if characters is None else characters
    return len(terms) - (1 - UNIGRAM) * known


def _chinese(terms: Sequence[str], characters: int) -> float:
    """The share of characters among characters and Latin words."""
    return characters / (characters + sum(map(str.isascii, terms))) if characters else 0.0


def _packed(ids: Sequence[str], arrays: dict[str, Array]) -> bytes:
    head = json.dumps({"ids": ids, "shapes": {name: arrays[name].shape for name in ARRAYS}}).encode()
    body = [np.ascontiguousarray(arrays[name], np.dtype(kind)).tobytes() for name, kind in ARRAYS.items()]
    return bytes([VERSION]) + zlib.compress(b"".join([len(head).to_bytes(4, "little"), head, *body]), 1)


def readable(data: bytes) -> bool:
    """Whether it is of the version that is read here."""
    return data[:1] == bytes([VERSION])


def read_segment(id_: str, data: bytes) -> Part:
    """The part that ``segment_of`` wrote. Raises ValueError where it is damaged or of another version."""
    if not readable(data):
        raise ValueError(f"a segment of version {data[:1].hex()}, read is {VERSION}")
    try:
        raw = zlib.decompress(memoryview(data)[1:])
        ends = 4 + int.from_bytes(raw[:4], "little")
        head = json.loads(raw[4:ends])
        found = dict(_arrays(raw, ends, head["shapes"]))
    except (zlib.error, KeyError) as error:
        raise ValueError(f"a damaged segment: {error}") from error
    ids = tuple(head["ids"])
    return Part((id_,), (len(ids),), ids, _found(found), _floats(found["lengths"]), _floats(found["chinese"]))


def _found(arrays: Mapping[str, Array]) -> Entries:
    return Entries(
        arrays["keys"].astype(np.uint64, copy=False),
        Names(arrays["letters"].view(np.uint8), arrays["names"].astype(np.int64, copy=False)),
        arrays["starts"].astype(np.int64, copy=False),
        arrays["rows"].astype(np.int32),
        arrays["held"].view(np.uint8),
    )


def _floats(array: Array) -> Floats:
    return array.astype(np.float32, copy=False)


def _arrays(raw: bytes, at: int, shapes: dict[str, list[int]]) -> Iterator[tuple[str, Array]]:
    for name, kind in ARRAYS.items():
        count = int(np.prod(shapes[name]))
        yield name, np.frombuffer(raw, np.dtype(kind), count, at).reshape(shapes[name])
        at += count * np.dtype(kind).itemsize
