"""The terms of many messages read at once, and where each was said.

``read_terms`` says the same as ``content_terms`` text by text, several times as fast: a character is looked
up in a table, and only what such a table cannot tell (combining marks, ligatures) is read text by text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from threading import Lock
from unicodedata import category

import numpy as np
import numpy.typing as npt

from winnow.language import content_words
from winnow.language.content_words import content_terms, core
from winnow.language.normalize import is_han, normalise

Keys = npt.NDArray[np.int64]
Forms = dict[int, tuple[int, str]]
"""Key of a Latin term -> the first text that has it, and the first word there that it was made of."""
Rows = npt.NDArray[np.int32]
CHARACTER_BITS, ROW_BITS = 21, 12
LATIN = 1 << 2 * CHARACTER_BITS
"""Added to the number of a Latin term. A Chinese one is its character, or its two."""
CHUNK = 1 << ROW_BITS
"""Texts that are read at once."""
_END = "\x1f"
"""Stands between two texts; white space to whoever reads one of them."""
_WORD = re.compile("[a-z0-9\u00e0-\u024f]+")
_TOKEN = re.compile("[a-z0-9_\u00e0-\u024f\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff-]")
_UNKNOWN, _COMPLEX, _DROPPED = -2, -1, 0
_MAX_CODES = 0x110000
_OTHER, _LATIN, _HAN = 0, 1, 2


class NameNumbers:
    """A number for each name, that stays its own."""

    def __init__(self) -> None:
        self._lock, self._numbers = Lock(), dict[str, int]()

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._numbers)

    def of(self, names: Sequence[str]) -> Rows:
        """The numbers of names."""
        with self._lock:
            for name in dict.fromkeys(names):
                self._numbers.setdefault(name, len(self._numbers))
            return np.fromiter(map(self._numbers.__getitem__, names), np.int32, len(names))

    def names(self) -> tuple[str, ...]:
        """All names, by number."""
        with self._lock:
            return tuple(self._numbers)


class Vocabulary:
    """The Latin terms of one history by number.

    Numbers are only ever added, so that every index made of the same history may share it; ``slots`` counts
    the messages that were ever read.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.numbers: dict[str, int] = {}
        self.names: list[str] = []
        self.words = _Words(self)
        self.slots = 0
        self.roles, self.conversations = NameNumbers(), NameNumbers()

    def key(self, term: str) -> int:
        """What a term is found by; one that no message has is found by nothing."""
        if is_han(term[0]):
            return ord(term[0]) if len(term) == 1 else ord(term[0]) << CHARACTER_BITS | ord(term[1])
        number = self.numbers.get(term)
        return -1 if number is None else LATIN + number

    def keys(self, terms: Iterable[str]) -> Keys:
        """Those of several terms."""
        return np.fromiter(map(self.key, terms), np.int64)

    def read(self, text: str) -> frozenset[int]:
        """The keys of the terms of a message, each once."""
        return frozenset(map(self.key, content_words.distinct_terms(text))) - {-1}

    def take_slots(self, number: int) -> int:
        """The first of so many slots that were never taken."""
        with self.lock:
            self.slots += number
            return self.slots - number

    def add(self, term: str) -> int:
        """The key of a Latin term, which is known from now on."""
        with self.lock:
            if (number := self.numbers.get(term)) is None:
                number = self.numbers[term] = len(self.names)
                self.names.append(term)
            return LATIN + number


class _Words(dict[str, int]):
    """Word as it is written -> key of its term; -1: it says nothing."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._add = vocabulary.add

    def __missing__(self, word: str) -> int:
        # a single letter says nothing, a single digit does
        silent = word in content_words.silent("en") or not (len(word) > 1 or word.isdigit())
        key = self[word] = -1 if silent else self._add(core(word))
        return key


@dataclass(frozen=True, slots=True)
class Segment:
    """For every term the messages that hold it, by the slots they were given, and how often."""

    keys: Keys
    """Each once, in order."""
    starts: Rows
    """Where each begins in ``slots``; one more, for the end."""
    slots: Rows
    times: npt.NDArray[np.uint16]

    def part(self, key: int) -> slice:
        """Where the messages of a term are."""
        at = int(self.keys.searchsorted(key))
        if at == len(self.keys) or self.keys[at] != key:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]))

    def occurrences(self, keys: Keys) -> tuple[Rows, npt.NDArray[np.intp], npt.NDArray[np.uint16]]:
        """Where several terms are: slot, place of the term among ``keys``, and how often it is there."""
        if not len(self.keys):  # messages that say nothing
            return self.slots, np.zeros(0, np.intp), self.times
        at = np.minimum(self.keys.searchsorted(keys), len(self.keys) - 1)
        sizes = np.where(self.keys.take(at) == keys, self.starts.take(at + 1) - self.starts.take(at), 0)
        places = np.repeat(np.arange(len(keys)), sizes)
        at = (self.starts.take(at) - np.cumsum(sizes) + sizes).take(places) + np.arange(len(places))
        return self.slots.take(at), places, self.times.take(at)


def slot_counts(segments: Sequence[Segment], key: int) -> tuple[Rows, npt.NDArray[np.uint16]]:
    """The slots that hold the term of a key, and how often each does."""
    parts = [(one.slots[part], one.times[part]) for one in segments if (part := one.part(key)).stop]
    if len(parts) == 1:
        return parts[0]
    slots, times = zip((np.zeros(0, np.int32), np.zeros(0, np.uint16)), *parts, strict=True)
    return np.concatenate(slots), np.concatenate(times)


@dataclass(frozen=True, slots=True)
class ReadTerms:
    """What some texts hold."""

    segment: Segment
    telling: Rows
    """By text: how many of its terms tell by themselves."""
    characters: Rows
    """By text: how many are single Chinese characters."""
    forms: Forms = field(repr=False)


def read_terms(texts: Sequence[str], vocabulary: Vocabulary, first_slot: int = 0) -> ReadTerms:
    """The terms of texts, which have the slots from ``first_slot`` on."""
    segments: list[Segment] = []
    forms: Forms = {}
    telling, characters = np.zeros((2, len(texts)), np.int32)
    for start in range(0, len(texts), CHUNK):
        rows, keys, first = _occurrences(texts[start : start + CHUNK], vocabulary, forms)
        forms |= {key: (row + start, word) for key, (row, word) in first.items()}
        size, single = min(CHUNK, len(texts) - start), keys < 1 << CHARACTER_BITS
        characters[start : start + size] = np.bincount(rows[single], minlength=size)
        telling[start : start + size] = np.bincount(rows[~single], minlength=size)
        segments.append(_counted(rows, keys, start + first_slot))
    return ReadTerms(merge(segments), telling, characters, forms)


def _counted(rows: npt.NDArray[np.int64], keys: Keys, first_slot: int) -> Segment:
    """How often each of ``CHUNK`` texts holds each term, of every time that one was said."""
    packed, times = np.unique(keys << ROW_BITS | rows, return_counts=True)
    slots = (packed & (CHUNK - 1)) + first_slot
    return _segment(packed >> ROW_BITS, slots.astype(np.int32), np.minimum(times, 65535).astype(np.uint16))


def merge(segments: Sequence[Segment], is_there: npt.NDArray[np.bool_] | None = None) -> Segment:
    """One segment of several, the older first; only of slots that are there."""
    if is_there is not None:
        segments = [_left(one, is_there[one.slots]) for one in segments]
    return segments[0] if len(segments) == 1 else _side_by_side(segments)


def _side_by_side(segments: Sequence[Segment]) -> Segment:
    """The messages of each term, those of the older segments first."""
    keys = np.unique(np.concatenate([np.zeros(0, np.int64), *(one.keys for one in segments)]))
    parts = [(one, keys.searchsorted(one.keys), np.diff(one.starts)) for one in segments]
    starts = np.zeros(len(keys) + 1, np.int32)
    for _, at, sizes in parts:
        starts[at + 1] += sizes
    np.cumsum(starts, out=starts)
    slots, times = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint16)
    free = starts[:-1].copy()
    for one, at, sizes in parts:
        places = _places(one, free[at], sizes)
        slots[places], times[places] = one.slots, one.times
        free[at] += sizes  # the next part's messages of a term come behind these
    return Segment(keys, starts, slots, times)


def _places(one: Segment, begins: Rows, sizes: Rows) -> Rows:
    """Where the messages of a segment go whose terms begin there."""
    return np.repeat(begins - one.starts[:-1], sizes) + np.arange(len(one.slots), dtype=np.int32)


def _left(one: Segment, kept: npt.NDArray[np.bool_]) -> Segment:
    """What of a segment is kept."""
    starts = np.append(np.int32(0), np.cumsum(kept, dtype=np.int32))[one.starts]
    has_some = starts[1:] > starts[:-1]
    return Segment(
        one.keys[has_some], np.append(starts[:-1][has_some], starts[-1]), one.slots[kept], one.times[kept]
    )


def _segment(keys: Keys, slots: Rows, times: npt.NDArray[np.uint16]) -> Segment:
    begins = np.ones(len(keys), np.bool_)
    begins[1:] = keys[1:] != keys[:-1]
    starts = np.flatnonzero(begins).astype(np.int32)
    return Segment(keys[starts], np.append(starts, np.int32(len(keys))), slots, times)


def _occurrences(
    texts: Sequence[str], vocabulary: Vocabulary, known: Collection[int]
) -> tuple[npt.NDArray[np.int64], Keys, Forms]:
    """The text and the key of every term said, in no order; the first word of each new Latin one."""
    normal, complex_rows = _plain_text(texts)
    plain = content_words.UNIT.sub(r"\1 \2", normal)
    codes = _codes(plain)
    kinds, row_at = _kinds()[codes], np.cumsum(codes == ord(_END))
    more_rows, more = _more_words(texts, normal, complex_rows)
    words = _WORD.findall(plain) + more
    rows = np.concatenate([_word_rows(kinds, row_at), more_rows])
    keys = np.fromiter(map(vocabulary.words.__getitem__, words), np.int64, len(words))
    told, slow = keys >= 0, _complex_han(texts, complex_rows, vocabulary)
    han = _han(codes, np.flatnonzero(kinds == _HAN), row_at)
    all_rows, all_keys = map(np.concatenate, zip((rows[told], keys[told]), han, slow, strict=True))
    return all_rows, all_keys, _first_words(rows, keys, words, known)


def _codes(text: str) -> npt.NDArray[np.uint32]:
    """The code of each character."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _word_rows(kinds: npt.NDArray[np.uint8], row_at: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The row of each Latin word, by what is known of each character."""
    is_latin = kinds == _LATIN
    return row_at[np.flatnonzero(np.diff(is_latin, prepend=False) & is_latin)]


def _more_words(
    texts: Sequence[str], normal: str, complex_rows: Sequence[int]
) -> tuple[npt.NDArray[np.int64], list[str]]:
    """The words that a hyphen joins and those of texts read one by one: the row of each, and they."""
    read = {
        row: [first + second for first, second in content_words.JOINED.findall(text)]
        for row, text in enumerate(normal.split(_END) if "-" in normal else ())
        if "-" in text
    }
    for row in complex_rows:  # nothing of these is in ``normal``
        read[row] = content_words.latin_words(normalise(texts[row], content_words.MAX_TEXT_CHARS))
    rows = np.fromiter((row for row, words in read.items() for _ in words), np.int64)
    return rows, list(chain.from_iterable(read.values()))


def _complex_han(
    texts: Sequence[str], rows: Sequence[int], vocabulary: Vocabulary
) -> tuple[npt.NDArray[np.int64], Keys]:
    """The rows and keys of the Chinese terms of texts that are read one by one."""
    found = [
        (row, vocabulary.key(term)) for row in rows for term in content_terms(texts[row]) if is_han(term[0])
    ]
    rows_of, keys = np.array(found, np.int64).reshape(-1, 2).T
    return rows_of, keys


def _first_words(
    rows: npt.NDArray[np.int64], keys: Keys, words: Sequence[str], known: Collection[int]
) -> Forms:
    """Of each term not known the first text and the word there: words that a hyphen joins come last."""
    is_known = np.zeros(max(int(keys.max(initial=LATIN)), *known, LATIN) - LATIN + 2, np.bool_)
    is_known[[-1, *(key - LATIN for key in known)]] = True  # the last stands for words that say nothing
    new = np.flatnonzero(~is_known[np.maximum(keys - LATIN, -1)])
    new = new[np.argsort(rows[new], kind="stable")]
    found, first = np.unique(keys[new], return_index=True)
    places = new[first].tolist()
    return {key: (int(rows[at]), words[at]) for key, at in zip(found.tolist(), places, strict=True)}


def _han(
    codes: npt.NDArray[np.uint32], at: npt.NDArray[np.intp], row_at: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], Keys]:
    """The characters and pairs of neighbours that say something."""
    signs, rows = codes[at].astype(np.int64), row_at[at]
    silent = _silent()[signs]
    joined = np.flatnonzero((at[1:] == at[:-1] + 1) & ~(silent[1:] & silent[:-1])) if len(at) else at
    pairs = signs[joined] << CHARACTER_BITS | signs[joined + 1] if len(joined) else signs[:0]
    told = ~np.isin(pairs, _silent_pairs())
    return (
        np.concatenate([rows[~silent], rows[joined][told]]),
        np.concatenate([signs[~silent], pairs[told]]),
    )


def _plain_text(texts: Sequence[str]) -> tuple[str, list[int]]:
    """The texts normalised as far as terms are concerned, one behind the other.

    And the rows of those that are not: these are empty.
    """
    whole = _END.join(texts)
    if whole.count(_END) != len(texts) - 1:
        whole = _END.join(text.replace(_END, " ") for text in texts)
    codes = _codes(whole)
    read = _read_codes(codes)
    row_at = np.cumsum(codes == ord(_END))
    size = np.bincount(row_at, minlength=len(texts))
    is_complex = size > content_words.MAX_TEXT_CHARS
    is_complex[row_at[read == _COMPLEX]] = True
    kept = (read != _DROPPED) & (~is_complex[row_at] | (codes == ord(_END)))
    plain = read[kept].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return plain, np.flatnonzero(is_complex).tolist()


def _read_codes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
    """What each character is read as."""
    simple = _simple_codes()
    read = simple[codes]
    if len(unknown := np.unique(codes[read == _UNKNOWN])):
        for code in unknown.tolist():
            simple[code] = _simple_code(chr(code))
        read = simple[codes]
    return read


def _simple_code(char: str) -> int:
    """What a character is read as wherever it stands; ``_COMPLEX`` where that hangs on what is beside it."""
    if category(char)[0] == "M" or 0x1100 <= ord(char) < 0x1200:
        # May join the one before, unless it is dropped sooner
        return _DROPPED if normalise(f"a{char}a") == "aa" else _COMPLEX
    read = normalise(f"a{char}a")[1:-1]
    if len(read) == 1:
        return ord(read)
    if not read:
        return _DROPPED
    return _COMPLEX if _TOKEN.search(read) else ord(" ")


@cache
def _simple_codes() -> npt.NDArray[np.int32]:
    """Character -> what it is read as; learned when it is first seen."""
    made = np.full(_MAX_CODES, _UNKNOWN, np.int32)
    made[ord(_END)] = ord(_END)
    return made


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """Which characters words and Chinese terms are made of."""
    made = np.zeros(_MAX_CODES, np.uint8)
    for first, last in (("a", "z"), ("0", "9"), ("\u00e0", "\u024f")):
        made[ord(first) : ord(last) + 1] = _LATIN
    for first, last in (
        ("\u3007", "\u3007"),
        ("\u3400", "\u4dbf"),
        ("\u4e00", "\u9fff"),
        ("\U00020000", "\U0003ffff"),
    ):
        made[ord(first) : ord(last) + 1] = _HAN
    return made


@cache
def _silent() -> npt.NDArray[np.bool_]:
    made = np.zeros(_MAX_CODES, np.bool_)
    made[[ord(sign) for sign in content_words.silent("characters")]] = True
    return made


@cache
def _silent_pairs() -> Keys:
    pairs = [pair for pair in content_words.silent("pairs") if len(pair) == 2]
    return np.array([ord(pair[0]) << CHARACTER_BITS | ord(pair[1]) for pair in pairs], np.int64)
