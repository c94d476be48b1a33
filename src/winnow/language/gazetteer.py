"""Find many names at once: a character trie, and the best cover of a sentence by its matches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Entry:
    """One surface form and what it stands for. ``weight`` scales its claim against overlapping entries."""

    surface: str
    kind: str
    data: Mapping[str, object] = field(default_factory=dict)
    refs: tuple[str, ...] = ()
    weight: float = 1.0


class Match(NamedTuple):
    """An entry found at ``start:end`` of the text."""

    start: int
    end: int
    entry: Entry


Stretch = tuple[int, int]
"""``start, end`` of what no entry explains."""


class _Node(dict[str, "_Node"]):
    """Where a character leads to, and the entries that end here."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def __missing__(self, ch: str) -> _Node:
        node = self[ch] = _Node()
        return node


class Gazetteer:
    """A set of entries; immutable once built."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._root = _Node()
        for entry in entries:
            node = self._root
            for ch in entry.surface:
                node = node[ch]
            node.entries.append(entry)

    def matches(self, text: str, start: int) -> list[Match]:
        """Every entry whose surface stands at ``start``, Latin words only whole."""
        return self.scan(text, (start,), inside_words(text))[0]

    def scan(self, text: str, starts: Iterable[int], inside: Collection[int]) -> list[list[Match]]:
        """The matches at each of the positions; ``inside``: those where no word begins or ends."""
        root = self._root
        found: list[list[Match]] = []
        for start in starts:
            here: list[Match] = []
            found.append(here)
            node = root.get(text[start])
            if node is None or start in inside:
                continue
            end = start + 1
            while node is not None:
                if node.entries and end not in inside:
                    here += [Match(start, end, entry) for entry in node.entries]
                node = node.get(text[end : end + 1])  # the end of the text leads nowhere
                end += 1
        return found


_GOES_ON = re.compile("(?<=[0-9A-Za-z])(?=[0-9A-Za-z])")


def inside_words(text: str) -> set[int]:
    """Positions before which a Latin word goes on."""
    return {found.start() for found in _GOES_ON.finditer(text)}


def best_cover(text: str, matches_at: Sequence[Sequence[Match]]) -> list[Match | Stretch]:
    """The cover of the text with the greatest claim: longer entries count by the square of their length.

    Matches and, for what nothing explains, stretches, in order; spaces are part of neither.
    """
    claims = [0.0] * (len(text) + 1)
    chosen: list[Match | None] = [None] * len(text)
    for start in range(len(text) - 1, -1, -1):
        claims[start] = claims[_word_end(text, start)]
        for match in matches_at[start]:
            length = match.end - start
            claim = length * length * match.entry.weight + claims[match.end]
            if claim > claims[start]:
                claims[start], chosen[start] = claim, match
    return _in_order(text, chosen)


def _in_order(text: str, chosen: Sequence[Match | None]) -> list[Match | Stretch]:
    """The matches that are reached from the left, and what lies between them."""
    cover: list[Match | Stretch] = []
    at = 0
    while at < len(text):
        match = chosen[at]
        if match is not None:
            cover.append(match)
            at = match.end
        elif text[at] == " ":
            at += 1
        else:
            end = _stretch_end(text, chosen, at)
            cover.append((at, end))
            at = end
    return cover


def _stretch_end(text: str, chosen: Sequence[Match | None], start: int) -> int:
    """A Latin word is one stretch, so are other characters up to a match, a Latin word or a space."""
    if is_latin(text[start]):
        return _word_end(text, start)
    for end in range(start + 1, len(text)):
        if chosen[end] is not None or text[end] == " " or is_latin(text[end]):
            return end
    return len(text)


def _word_end(text: str, start: int) -> int:
    """Behind what is passed over at once when nothing explains it: a Latin word, else one character."""
    end = start + 1
    if is_latin(text[start]):
        while end < len(text) and is_latin(text[end]):
            end += 1
    return end


def is_latin(text: str) -> bool:
    """Letters and digits of words that are separated by spaces."""
    return text.isascii() and text.isalnum()
