"""What a Markdown text is made of: its headings and what stands under them, the heads of its tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile

HEADER = 400
"""Characters of the head of a table, at most, that is repeated where the table goes on."""
_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}([^\s#>|`*+-].*)\n {0,3}(=+|-{2,})[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~).*?(?:^ {0,3}(?:```|~~~)|\Z)", re.MULTILINE | re.DOTALL)
_HEAD = re.compile(r"^[ \t]*\|[^\n]*\n[ \t]*\|?[ \t:|-]*-[ \t:|-]*$", re.MULTILINE)


class Outline:
    """The headings of a text."""

    def __init__(self, text: str) -> None:
        self._text, self._starts, self._ends = text, list[int](), list[int]()
        self._paths: list[tuple[str, ...]] = [()]
        stack: list[tuple[int, str]] = []
        for start, end, level, name in headings(text):
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, name))
            self._starts.append(start)
            self._ends.append(end)
            self._paths.append(tuple(name for _, name in stack))

    def over(self, start: int, end: int) -> tuple[str, ...]:
        """The headings that all of this stretch stands under, outermost first."""
        first, last = bisect_right(self._starts, start), bisect_right(self._starts, end - 1)
        begin = self._ends[first - 1] if first and self._starts[first - 1] == start else start
        while first < last and not self._text[begin : self._starts[first]].strip():
            begin = self._ends[first]  # headings that begin it stand over all that follows
            first += 1
        path = self._paths[first]
        for below in self._paths[first + 1 : last + 1]:
            path = tuple(
                one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, below, strict=False))
            )
        return path


def headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Where each heading begins and ends, its level and words; what stands in a block of code is none."""
    fences = [found.span() for found in _FENCE.finditer(text)]
    behind = [end for _, end in fences]
    for start, end, level, name in sorted(_like_headings(text)):
        fence = bisect_right(behind, start)
        if name and not (fence < len(fences) and fences[fence][0] <= start):
            yield start, end, level, name


def _like_headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    for at in _ATX.finditer(text):
        yield *at.span(), len(at[1]), at[2].strip()
    for at in _UNDERLINED.finditer(text):
        yield *at.span(), 1 if at[2][0] == "=" else 2, at[1].strip()


def is_heading(text: str) -> bool:
    """Whether a stretch holds nothing but headings."""
    return not _UNDERLINED.sub("", _ATX.sub("", text)).strip()


class Heads:
    """Repeats the head of a table where a passage begins within it."""

    def __init__(self) -> None:
        self._head = ""

    def repeated(self, text: str) -> str:
        """The passage that follows the last one, with the head of the table it goes on with."""
        goes_on = self._head and text.startswith("|")
        shown = f"{self._head}\n{text}" if goes_on and not _HEAD.match(text) else text
        if not text.rstrip().endswith("|"):
            self._head = ""
        elif found := _HEAD.findall(text):
            self._head = found[-1] if len(found[-1]) <= HEADER else ""
        return shown
