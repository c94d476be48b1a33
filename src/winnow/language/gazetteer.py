"""Find many names at once: a character trie, and the best cover of a sentence by its matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entry:
    """One surface form and what it stands for. ``weight`` scales its claim against overlapping entries."""

    surface: str
    kind: str
    data: Mapping[str, object] = field(default_factory=dict)
    refs: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Match:
    """An entry found at ``start:end`` of the text."""

    start: int
    end: int
    entry: Entry


Node = dict[str, "Node | list[Entry]"]
_LEAF = ""


def is_latin(ch: str) -> bool:
    """Letters and digits that are written in words separated by spaces."""
    return ch.isascii() and ch.isalnum()


class Gazetteer:
    """A set of entries; immutable once built."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._root: Node = {}
        self.size = 0
        for entry in entries:
            node = self._root
            for ch in entry.surface:
                node = node.setdefault(ch, {})  # type: ignore[assignment]
            node.setdefault(_LEAF, []).append(entry)  # type: ignore[union-attr]
            self.size += 1

    def matches(self, text: str, start: int) -> list[Match]:
        """Every entry whose surface stands at ``start``, Latin words only whole."""
        if start and is_latin(text[start]) and is_latin(text[start - 1]):
            return []
        found: list[Match] = []
        node: Node = self._root
        end, size = start, len(text)
        while end < size:
            step = node.get(text[end])
            if step is None:
                break
            node = step  # type: ignore[assignment]
            end += 1
            here = node.get(_LEAF)
            if here is not None and not (end < size and is_latin(text[end]) and is_latin(text[end - 1])):
                found.extend(Match(start, end, entry) for entry in here)  # type: ignore[arg-type]
        return found


def skip_width(text: str, start: int) -> int:
    """How much of the text is passed over when nothing explains it: a Latin word, else one character."""
    end = start + 1
    if is_latin(text[start]):
        while end < len(text) and is_latin(text[end]):
            end += 1
    return end - start


def best_cover(text: str, matches_at: list[list[Match]]) -> list[Match | tuple[int, int]]:
    """The cover of the text with the greatest claim: longer entries count by the square of their length.

    Returns matches and, for what nothing explains, ``(start, end)`` stretches, in order.
    """
    size = len(text)
    best = [0.0] * (size + 1)
    choice: list[Match | None] = [None] * (size + 1)
    for start in range(size - 1, -1, -1):
        best[start] = (
            best[min(size, start + skip_width(text, start))] if text[start] != " " else best[start + 1]
        )
        for match in matches_at[start]:
            length = match.end - start
            claim = length * length * match.entry.weight + best[match.end]
            if claim > best[start]:
                best[start], choice[start] = claim, match
    return _walk(text, choice)


def _walk(text: str, choice: list[Match | None]) -> list[Match | tuple[int, int]]:
    cover: list[Match | tuple[int, int]] = []
    at = 0
    while at < len(text):
        match = choice[at]
        if match is not None:
            cover.append(match)
            at = match.end
            continue
        end = at + skip_width(text, at)
        last = cover[-1] if cover else None
        if text[at] == " ":
            pass
        elif (
            isinstance(last, tuple)
            and last[1] == at
            and not is_latin(text[at])
            and not is_latin(text[at - 1])
        ):
            cover[-1] = (last[0], end)
        else:
            cover.append((at, end))
        at = end
    return cover
