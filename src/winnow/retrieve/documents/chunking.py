"""Splits a text into passages; sections, sentences and table heads stay whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import accumulate, pairwise, takewhile
from typing import TYPE_CHECKING

from winnow.language.segment import cut
from winnow.language.sentences import clauses, split_sentences

if TYPE_CHECKING:
    from semantic_text_splitter import MarkdownSplitter, TextSplitter

# The outline of a Markdown text: headings and table heads.


MAX_TABLE_HEAD_CHARS = 400
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

    def headings_over(self, start: int, end: int) -> tuple[str, ...]:
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


class TableHeads:
    """Repeats the head of a table where a passage begins within it."""

    def __init__(self) -> None:
        self._head = ""

    def with_table_head(self, text: str) -> str:
        """The passage that follows the last one, with the head of the table it goes on with."""
        goes_on = self._head and text.startswith("|")
        shown = f"{self._head}\n{text}" if goes_on and not _HEAD.match(text) else text
        if not text.rstrip().endswith("|"):
            self._head = ""
        elif found := _HEAD.findall(text):
            self._head = found[-1] if len(found[-1]) <= MAX_TABLE_HEAD_CHARS else ""
        return shown


MIN_PASSAGE_TOKENS, MAX_PASSAGE_TOKENS = 200, 400
"""Tokens of a passage, about: it is full from the first on, and grows to the second where a sentence ends."""
CHARS_PER_TOKEN, HAN_PER_TOKEN = 4.0, 1.3
"""Characters of a token, about: of what has letters, and of Chinese."""
MAX_BLOCK_CHARS = 8_000
"""Characters that are cut at a time: the splitter takes the square of the time for a line without an end."""
SHORT_PASSAGE_DIVISOR = 4
"""What is shorter than this part of a full passage stays with the one before."""
LOOKAHEAD_CHARS = 200
"""Characters behind a cut that tell whether a sentence ends there."""
SENTENCE_WINDOW_CHARS = 60
"""Characters on both sides of a cut that tell so in most cases."""
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_SECTION = re.compile(r"^(?:#{1,6} [^\n]*\n\s*)+", re.MULTILINE)
_BREAKS = (
    re.compile(r"\n(?=#{1,6} )"),
    re.compile(r"\n[ \t]*\n"),
    re.compile(r"\n"),
    re.compile(r"[。！？.!?]\s*"),
    re.compile(r"\s|[，；、]"),
)
"""Where a long text may be cut before it is cut into passages, best first."""


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A passage to be: where it begins in the text, what it says, what it stands under."""

    start: int
    text: str
    headings: tuple[str, ...] = ()


def text_chunks(text: str, *, markdown: bool) -> Iterator[TextChunk]:
    """The passages of a text in order; none is empty.

    Headings are told of Markdown alone; where a table goes on from one passage to the next, its head is
    repeated.
    """
    if not markdown:
        for start, end in _spans(text, markdown=False):
            yield TextChunk(start, text[start:end])
        return
    outline, heads = Outline(text), TableHeads()
    for start, end in _spans(text, markdown=True):
        yield TextChunk(start, heads.with_table_head(text[start:end]), outline.headings_over(start, end))


def passage_size(text: str) -> tuple[int, int]:
    """Characters of a full passage and of the longest, by how much of the text is Chinese."""
    sample = text[:: len(text) // MAX_BLOCK_CHARS + 1]
    share = len(_HAN.findall(sample)) / max(1, len(sample))
    of_token = 1 / (share / HAN_PER_TOKEN + (1 - share) / CHARS_PER_TOKEN)
    return int(MIN_PASSAGE_TOKENS * of_token), int(MAX_PASSAGE_TOKENS * of_token)


def text_blocks(text: str) -> Iterator[tuple[int, str]]:
    """The text in order, never more at a time than is cut quickly, each part with its place."""
    start = 0
    while len(text) - start > MAX_BLOCK_CHARS:
        end = _block_end(text, start)
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _block_end(text: str, start: int) -> int:
    """The best place to cut in the second half of a block."""
    half, end = start + MAX_BLOCK_CHARS // 2, start + MAX_BLOCK_CHARS
    return _last_break(text, half, end)


def _last_break(text: str, least: int, most: int) -> int:
    """The last place between the two of the best kind that there is."""
    for kind in _BREAKS:
        found = [at.end() for at in kind.finditer(text, least, most)]
        if found:
            return found[-1]
    return most


class PlainSplitter:
    """Cuts at headings, else at the best break in reach: where semantic-text-splitter is not installed."""

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def chunk_indices(self, text: str) -> Iterator[tuple[int, str]]:
        """Each part and the place it begins at; together they are the text."""
        sections = [at.start() for at in _SECTION.finditer(text)]
        start = begun = 0
        for end in [*sections, len(text)]:
            if begun > start and end - start > self._least:  # small sections go together
                yield from self._cut(text, start, begun)
                start = begun
            begun = end
        yield from self._cut(text, start, len(text))

    def _cut(self, text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
        while end - start > self._most:
            cut_at = _last_break(text, start + self._least, start + self._most)
            yield start, text[start:cut_at]
            start = cut_at
        yield start, text[start:end]


def _spans(text: str, *, markdown: bool) -> Iterator[tuple[int, int]]:
    """Where passages begin and end, without the blanks around them."""
    limits = passage_size(text)
    # Where the passages begin; the first at the beginning of the text
    found: list[int] = []
    splitter, last = _splitter(*limits, markdown=markdown), 0
    found.append(0)
    for offset, block in text_blocks(text):
        for at, _ in splitter.chunk_indices(block):
            inner_start = _sentence_start(text, last, offset + at)
            if inner_start > last:
                last = inner_start
                found.append(inner_start)
    starts = [*found, len(text)]
    for start, end in _merged_spans(text, starts, limits, markdown=markdown):
        said = text[start:end].strip()
        if said:
            begin = text.index(said[0], start)
            yield begin, begin + len(said)


@cache
def _splitter(least: int, most: int, *, markdown: bool) -> MarkdownSplitter | TextSplitter | PlainSplitter:
    if not find_spec("semantic_text_splitter"):
        return PlainSplitter(least, most)
    from semantic_text_splitter import MarkdownSplitter, TextSplitter

    return (MarkdownSplitter if markdown else TextSplitter)((least, most))


def _sentence_start(text: str, last: int, start: int) -> int:
    """Where a passage is to begin instead, so that no sentence, clause or word is torn."""
    before = text[last:start]
    first = max(
        0, start - SENTENCE_WINDOW_CHARS
    )  # whether a sentence begins there shows by what stands close to it
    if "\n" in before[len(before.rstrip()) :] or start - first in _sentences(
        text[first : start + SENTENCE_WINDOW_CHARS]
    ):
        return start
    # The splitter cuts by length alone; the cut moves back to a sentence, else a clause, else a word.
    around, least = text[last : start + LOOKAHEAD_CHARS], (start - last) // SHORT_PASSAGE_DIVISOR
    for begun in (
        _sentences,
        lambda text: (span.start for span in clauses(text)),
        lambda text: accumulate(map(len, cut(text))),
    ):
        fitting = [at for at in begun(around) if least < at <= start - last]
        if fitting:
            return last + fitting[-1]
    return start


def _sentences(text: str) -> Iterator[int]:
    return (span.start for span in split_sentences(text))


def _merged_spans(
    text: str, starts: Sequence[int], limits: tuple[int, int], *, markdown: bool
) -> Iterator[tuple[int, int]]:
    """The passages between the starts; headings go with what follows, what is short with what it follows."""
    least, most = limits
    begun, end = starts[0], starts[0]
    for first, last in pairwise(starts):
        said = text[begun:end]
        short = (
            last - first < least // SHORT_PASSAGE_DIVISOR
            and last - begun <= most
            and not text.startswith("#", first)
        )
        if not said.strip() or short or (markdown and len(said) < most and is_heading(said)):
            end = last
            continue
        yield begun, end
        begun, end = first, last
    yield begun, end
