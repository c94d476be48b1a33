"""Find many names at once: a character trie, the best cover of a sentence, and the stems of English words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class GazetteerEntry:
    """One surface form and what it stands for. ``weight`` scales its claim against overlapping entries."""

    surface: str
    kind: str
    data: Mapping[str, object] = field(default_factory=dict)
    refs: tuple[str, ...] = ()
    weight: float = 1.0


class GazetteerMatch(NamedTuple):
    """An entry found at ``start:end`` of the text."""

    start: int
    end: int
    entry: GazetteerEntry


Stretch = tuple[int, int]
"""``start, end`` of what no entry explains."""


_Node = dict[str, Any]
"""Where a character leads to: a node, or the entries behind it that nothing was looked for among yet. The
empty text leads to the entries that end here."""


class Gazetteer:
    """A set of entries; immutable once built."""

    def __init__(self, entries: Iterable[GazetteerEntry]) -> None:
        self._root = _trie_node(entries, 0)

    def matches(self, text: str, start: int) -> list[GazetteerMatch]:
        """Every entry whose surface stands at ``start``, Latin words only whole."""
        return self.scan(text, (start,), inside_words(text))[0]

    def scan(self, text: str, starts: Iterable[int], inside: Collection[int]) -> list[list[GazetteerMatch]]:
        """The matches at each of the positions; ``inside``: those where no word begins or ends."""
        root = self._root
        return [
            self._at(text, start, inside) if text[start] in root and start not in inside else []
            for start in starts
        ]

    def _at(self, text: str, start: int, inside: Collection[int]) -> list[GazetteerMatch]:
        """The matches at a position, the shortest first; what a text leads to is grown when it does."""
        found: list[GazetteerMatch] = []
        node, end, size = self._root, start, len(text)
        while end < size and (leads := node.get(text[end])) is not None:
            if leads.__class__ is list:
                leads = node[text[end]] = _trie_node(leads, end + 1 - start)
            node, end = leads, end + 1
            if "" in node and end not in inside:
                found += [GazetteerMatch(start, end, entry) for entry in node[""]]
        return found


def _trie_node(entries: Iterable[GazetteerEntry], depth: int) -> _Node:
    """The node of entries that are the same up to ``depth``."""
    node: _Node = {}
    for entry in entries:
        node.setdefault(entry.surface[depth : depth + 1], []).append(entry)
    return node


_GOES_ON = re.compile("(?<=[0-9A-Za-z])(?=[0-9A-Za-z])")


def inside_words(text: str) -> set[int]:
    """Positions before which a Latin word goes on."""
    return {found.start() for found in _GOES_ON.finditer(text)}


def best_cover(text: str, matches_at: Sequence[Sequence[GazetteerMatch]]) -> list[GazetteerMatch | Stretch]:
    """The cover of the text with the greatest claim: longer entries count by the square of their length.

    Matches and, for what nothing explains, stretches, in order; spaces are part of neither.
    """
    claims = [0.0] * (len(text) + 1)
    chosen: list[GazetteerMatch | None] = [None] * len(text)
    for start in range(len(text) - 1, -1, -1):
        claims[start] = claims[_word_end(text, start)]
        for match in matches_at[start]:
            length = match.end - start
            claim = length * length * match.entry.weight + claims[match.end]
            if claim > claims[start]:
                claims[start], chosen[start] = claim, match
    return _in_order(text, chosen)


def _in_order(text: str, chosen: Sequence[GazetteerMatch | None]) -> list[GazetteerMatch | Stretch]:
    """The matches that are reached from the left, and what lies between them."""
    cover: list[GazetteerMatch | Stretch] = []
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


def _stretch_end(text: str, chosen: Sequence[GazetteerMatch | None], start: int) -> int:
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


# Retrieval channels compare Latin words by their stems and Chinese by runs of characters.


_RUN = re.compile(
    "(?P<word>[a-z0-9\u00e0-\u024f]+)|(?P<han>[\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+)"
)
_PLURALS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"))
_VOWEL = re.compile("[aeiou]")
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def runs(text: str) -> tuple[list[str], list[str]]:
    """The Latin words (and digits) and the runs of Chinese characters of normalised ``text``, in order."""
    words: list[str] = []
    han: list[str] = []
    for word, chinese in _RUN.findall(text):
        if word:
            words.append(word)
        else:
            han.append(chinese)
    return words, han


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """An English word without plural, -ing or -ed: ``batteries`` battery, ``dimming`` dim."""
    if len(word) <= 3 or not word.isalpha():
        return word
    root = _without_plural(word) or _without_tense(word) or word
    # ``close`` and ``closing`` meet without their e
    return root[:-1] if root.endswith("e") and len(root) > 3 else root


def _without_plural(word: str) -> str:
    """The singular; empty when the word is no plural."""
    for ending, put in _PLURALS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + put
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else ""


def _without_tense(word: str) -> str:
    """The word without -ing or -ed; empty when it has neither."""
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            return _DOUBLED.sub(r"\1", rest)
    return ""
