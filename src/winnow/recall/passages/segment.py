"""Passages -> bytes that an index is opened from without reading a text.

A version byte, then compressed: a head of JSON (ids, and the shapes of what follows) and arrays of numbers,
the lowest byte first.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from winnow.language.content import is_character
from winnow.recall.passages.part import HEADING, TIMES, TITLE, Floats, Names, Part
from winnow.recall.passages.terms import keys_of, passage_terms, plain
from winnow.types.document import Passage

VERSION = 1
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
    entries = [_entries(passage) for passage in passages]
    terms = sorted({term for held, _, _ in entries for term in held})
    keys = keys_of(terms)
    order = np.argsort(keys)
    number = {terms[at]: place for place, at in enumerate(order.tolist())}
    flat = [(number[term], bits) for held, _, _ in entries for term, bits in held.items()]
    of_term = np.array([term for term, _ in flat], np.int64)
    by_term = np.argsort(of_term, kind="stable")
    rows = np.repeat(np.arange(len(entries), dtype=np.uint32), [len(held) for held, _, _ in entries])
    names = Names.of([terms[at] for at in order.tolist()])
    return _packed(
        [passage.id for passage in passages],
        {
            "keys": keys[order],
            "letters": names.letters,
            "names": names.starts,
            "starts": np.concatenate([[0], np.cumsum(np.bincount(of_term, minlength=len(terms)))]),
            "rows": rows[by_term],
            "held": np.array([bits for _, bits in flat], np.uint8)[by_term],
            "lengths": np.array([lengths for _, lengths, _ in entries], np.float32).reshape(-1, 3).T,
            "chinese": np.array([share for _, _, share in entries], np.float32),
        },
    )


def _entries(passage: Passage) -> tuple[dict[str, int], tuple[float, float, float], float]:
    """Term -> how the passage holds it; its lengths; how much of it is Chinese."""
    text, title = passage_terms(passage.text), passage_terms(passage.document.title)
    headings = passage_terms("\n".join(passage.headings))
    held = {term: min(times, TIMES) for term, times in Counter(text).items()}
    for found, bit in ((title, TITLE), (headings, HEADING)):
        for term in found:
            held[term] = held.get(term, 0) | bit
    return held, (_length(text), _length(title), _length(headings)), _chinese(text)


def _length(terms: Sequence[str]) -> float:
    return sum(map(plain, terms))


def _chinese(terms: Sequence[str]) -> float:
    """The share of characters among characters and Latin words."""
    characters = sum(map(is_character, terms))
    latin = sum(term.isascii() for term in terms)
    return characters / (characters + latin) if characters else 0.0


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
        found: dict[str, npt.NDArray[np.generic]] = dict(_arrays(raw, ends, head["shapes"]))
    except (zlib.error, KeyError) as error:
        raise ValueError(f"a damaged segment: {error}") from error
    return Part(
        (id_,),
        (len(head["ids"]),),
        tuple(head["ids"]),
        found["keys"].astype(np.uint64, copy=False),
        Names(found["letters"].view(np.uint8), found["names"].astype(np.int64, copy=False)),
        found["starts"].astype(np.int64, copy=False),
        found["rows"].astype(np.int32),
        found["held"].view(np.uint8),
        _floats(found["lengths"]),
        _floats(found["chinese"]),
    )


def _floats(array: Array) -> Floats:
    return array.astype(np.float32, copy=False)


def _arrays(raw: bytes, at: int, shapes: dict[str, list[int]]) -> Iterator[tuple[str, Array]]:
    for name, kind in ARRAYS.items():
        count = int(np.prod(shapes[name]))
        yield name, np.frombuffer(raw, np.dtype(kind), count, at).reshape(shapes[name])
        at += count * np.dtype(kind).itemsize
