"""Splits items into the units that are kept or cut: sentences, clauses, phrases, rows of tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal

import numpy as np
import numpy.typing as npt

from winnow.language.scope_words import is_limited, statements
from winnow.language.sentences import TextSpan, clauses_of, is_relative, phrases_of, split_sentences
from winnow.types.context import Item

# What of a text has a form: tables, lists, keys with values, code, JSON. Lines are kept or cut whole.

BlockKind = Literal["prose", "heading", "table", "list", "pairs", "code"]
_LINE = re.compile(r"[^\n]*(?:\n|$)")
_KINDS: tuple[tuple[BlockKind, re.Pattern[str]], ...] = (
    ("heading", re.compile(r"\s{0,3}#{1,6}\s+\S")),
    ("table", re.compile(r"\s*\|.*\|\s*$|[^\t]+\t[^\t]+")),
    ("list", re.compile(r"\s*(?:(?:[-*+•·]|\d{1,3}[.)])\s+|\d{1,3}、\s*)\S")),
    ("code", re.compile(r"\s*(?:```|~~~)|(?: {4}|\t)\s*\S|.*[{};]\s*$|\s*(?:def|class|import)\s[^.。]*$")),
    ("pairs", re.compile(r"\s*[^\s:：。！？!?,，][^:：。！？!?\n]{0,24}[:：]\s*\S[^\n]{0,200}$")),
)  # fmt: skip
"""How a line of each looks; the first that fits is taken, prose where none does."""
MULTILINE_KINDS = frozenset({"table", "pairs", "code"})
"""What a single line is none of."""
_INTRODUCES = re.compile(r"[:：]\s*$")
_ENTRIES = re.compile(r"(?<=[:：]\n)(?:[^\n]{0,79}[^\n.。!！?？:：;；,，\s]\n?){2,}")
"""Lines that are a list by what introduces them alone: short, and without a full stop."""
_RULE = re.compile(r"\s*\|?[\s:|-]+$")
JSON_OPENS = ("{", "[")
MAX_JSON_CHARS = 200_000
"""Characters of a JSON text that is turned into lines."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one form. ``rows`` are kept or cut one by one; prose has none."""

    kind: BlockKind
    text: str
    start: int
    rows: tuple[TextSpan, ...] = ()
    headed: bool = False
    """Whether the first row belongs to every other one."""

    @property
    def cuttable(self) -> bool:
        """Whether a part of a sentence of it still says something."""
        return self.kind in {"prose", "list"}


def readable_text(text: str) -> str:
    """The text; where it is JSON, a line for each of its values: ``lamps.0.room: hall``."""
    if text[:1] not in JSON_OPENS or len(text) > MAX_JSON_CHARS:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    lines = [f"{path}: {told}" if path else told for path, told in _json_values("", value)]
    return "\n".join(lines) if lines else text


def _json_values(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _json_values(f"{path}.{key}" if path else str(key), one)
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for number, one in enumerate(value):
            yield from _json_values(f"{path}.{number}" if path else str(number), one)
    elif isinstance(value, list):
        yield path, ", ".join(map(_value_text, value))
    else:
        yield path, _value_text(value)


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def split_blocks(text: str) -> list[Block]:
    """The text cut into blocks of one form each, in order; blank lines belong to none."""
    lines = [TextSpan(m.group(), m.start(), m.end()) for m in _LINE.finditer(text) if m.group().strip()]
    entries = [found.span() for found in _ENTRIES.finditer(text)]

    def kind_of(line: TextSpan) -> BlockKind:
        listed = any(start <= line.start < end for start, end in entries)
        return "list" if listed and _line_kind(line.text) == "prose" else _line_kind(line.text)

    if not any(kind_of(line) != "prose" for line in lines):
        return [Block("prose", text, 0)] if lines else []
    found: list[Block] = []
    for kind, group in groupby(lines, key=kind_of):
        found.append(_block_of(kind, list(group), text))
    return _with_introductions(found)


def _line_kind(line: str) -> BlockKind:
    return next((kind for kind, pattern in _KINDS if pattern.match(line)), "prose")


def _block_of(kind: BlockKind, lines: list[TextSpan], text: str) -> Block:
    start = lines[0].start
    whole = text[start : lines[-1].end]
    if kind == "prose" or (kind in MULTILINE_KINDS and len(lines) == 1):
        return Block("prose", whole, start)
    if kind == "table":
        # The rows of a table; the rule under its header belongs to the header
        spans: list[TextSpan] = []
        first, *rest = lines
        if rest and _RULE.match(rest[0].text):
            first = TextSpan(first.text + rest[0].text, first.start, rest[0].end)
            rest = rest[1:]
        spans.append(first)
        spans.extend(rest)
        return Block(kind, whole, start, tuple(spans), headed=True)
    return Block(kind, whole, start, tuple(lines))


def _with_introductions(found: list[Block]) -> list[Block]:
    """Lists with the line that introduces them as their head: ``You need:``."""
    done: list[Block] = []
    for block in found:
        before = done[-1] if done else None
        if block.kind == "list" and before and before.kind == "prose" and _INTRODUCES.search(before.text):
            at = before.text.rstrip().rfind("\n") + 1
            head = TextSpan(before.text[at:], before.start + at, before.start + len(before.text))
            kept = Block(before.kind, before.text[:at], before.start)
            done[-1:] = [kept] if kept.text.strip() else []
            listed = Block("list", head.text + block.text, head.start, (head, *block.rows), headed=True)
            done.append(listed)
        else:
            done.append(block)
    return done


UnitGrain = Literal["sentence", "clause", "phrase"]
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

    def moved(self, item: int, units: int, sentences: int) -> Unit:
        """The same of another item, behind so many units and sentences of those before it."""
        head = None if self.head is None else self.head + units
        under = None if self.under is None else self.under + units
        sentence = self.sentence + sentences
        return Unit(self.text, item, sentence, self.start, self.end, head, under, self.prose, self.limited)


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


def split_units(items: Sequence[Item], grain: UnitGrain, texts: Sequence[str] = ()) -> Units:
    """What the items are made of, or these texts in their place. A stretch of blanks is none."""
    texts = tuple(map(readable_text, texts or [item.text for item in items]))
    found: list[Unit] = []
    for at, text in enumerate(texts):
        sentence = found[-1].sentence + 1 if found else 0
        first = len(found)
        cut = _units_of_text(text, grain)
        found += [unit.moved(at, first, sentence) for unit in cut] if at else cut
    items_of = np.array([unit.item for unit in found], np.intp)
    sentences_of = np.array([unit.sentence for unit in found], np.intp)
    starts = np.flatnonzero(np.diff(sentences_of, prepend=-1))
    return Units(tuple(items), texts, tuple(found), items_of, sentences_of, starts)


# A passage is asked about in many turns, and cutting it costs more than choosing of it.
@lru_cache(maxsize=2048)
def _units_of_text(text: str, grain: UnitGrain) -> tuple[Unit, ...]:
    """The units of one text, as of the first item."""
    found: list[Unit] = []
    heading: int | None = None
    for block in split_blocks(text):
        heading = None if block.kind == "heading" else heading
        sentence = found[-1].sentence + 1 if found else 0
        denied = heading is not None and found[heading].limited
        found += _block_units(block, BlockPlace(len(found), sentence, heading, denied), grain)
        heading = len(found) - 1 if block.kind == "heading" else heading  # the last of several
    return tuple(found)


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """Where a block begins: the numbers of its first unit, its first sentence and its heading."""

    unit: int
    sentence: int
    heading: int | None
    denied: bool
    """Whether the heading turns round what stands under it."""


def _block_units(block: Block, place: BlockPlace, grain: UnitGrain) -> Iterator[Unit]:
    """The units of a block."""
    over, at = place.heading if place.denied else None, place.unit
    for number, span in enumerate(block.rows or _block_sentences(block)):
        head = place.unit if block.headed and number else over
        sentence = place.sentence + number
        parts = _unit_parts(span, grain) if block.cuttable else ((span, is_limited(span.text)),)
        for part, limited in parts:
            ends = part.start, part.end
            # What tells more of a thing says nothing without it: which stands by the river
            of = at - 1 if part.start > span.start and is_relative(part.text) else head
            yield Unit(part.text, 0, sentence, *ends, of, place.heading, block.cuttable, limited)
            at += 1


def _block_sentences(block: Block) -> list[TextSpan]:
    """The sentences of a block of prose."""
    found = (s for s in split_sentences(block.text) if s.text.strip())
    return [TextSpan(s.text, block.start + s.start, block.start + s.end) for s in found]


def _unit_parts(sentence: TextSpan, grain: UnitGrain) -> Iterator[tuple[TextSpan, bool]]:
    """The parts of a sentence; a statement that a word turns round or limits is one of them, and marked."""
    for one, limited in statements(sentence):
        if grain == "sentence" or limited:
            yield one, limited
        else:
            yield from ((part, False) for part in (clauses_of(one) if grain == "clause" else phrases_of(one)))
