"""What of a text has a form: tables, lists, keys with values, code, JSON. Lines are kept or cut whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from winnow.language.sentences import Span

Kind = Literal["prose", "heading", "table", "list", "pairs", "code"]
_LINE = re.compile(r"[^\n]*(?:\n|$)")
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("heading", re.compile(r"\s{0,3}#{1,6}\s+\S")),
    ("table", re.compile(r"\s*\|.*\|\s*$|[^\t]+\t[^\t]+")),
    ("list", re.compile(r"\s*(?:[-*+•·]|\d{1,3}[.)、])\s+\S")),
    ("code", re.compile(r"\s*(?:```|~~~)|(?: {4}|\t)\s*\S|.*[{};]\s*$|\s*(?:def|class|import)\s[^.。]*$")),
    ("pairs", re.compile(r"\s*[^\s:：。！？!?,，][^:：。！？!?\n]{0,24}[:：]\s*\S[^\n]{0,200}$")),
)  # fmt: skip
"""How a line of each looks; the first that fits is taken, prose where none does."""
SEVERAL = frozenset({"table", "pairs", "code"})
"""What a single line is none of."""
_INTRODUCES = re.compile(r"[:：]\s*$")
_RULE = re.compile(r"\s*\|?[\s:|-]+$")
LARGEST = 200_000
"""Characters of a JSON text that is turned into lines."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one form. ``rows`` are kept or cut one by one; prose has none."""

    kind: Kind
    text: str
    start: int
    rows: tuple[Span, ...] = ()
    headed: bool = False
    """Whether the first row belongs to every other one."""

    @property
    def cuttable(self) -> bool:
        """Whether a part of a sentence of it still says something."""
        return self.kind in {"prose", "list"}


def readable(text: str) -> str:
    """The text; where it is JSON, a line for each of its values: ``lamps.0.room: hall``."""
    if text[:1] not in "{[" or len(text) > LARGEST:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    lines = [f"{path}: {told}" if path else told for path, told in _values("", value)]
    return "\n".join(lines) if lines else text


def _values(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _values(f"{path}.{key}" if path else str(key), one)
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for number, one in enumerate(value):
            yield from _values(f"{path}.{number}" if path else str(number), one)
    elif isinstance(value, list):
        yield path, ", ".join(map(_told, value))
    else:
        yield path, _told(value)


def _told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def blocks(text: str) -> list[Block]:
    """The text cut into blocks of one form each, in order; blank lines belong to none."""
    lines = [Span(m.group(), m.start(), m.end()) for m in _LINE.finditer(text) if m.group().strip()]
    if not any(_kind(line.text) != "prose" for line in lines):
        return [Block("prose", text, 0)] if lines else []
    found: list[Block] = []
    for kind, group in groupby(lines, key=lambda line: _kind(line.text)):
        found.append(_block(kind, list(group), text))
    return _introduced(found)


def _kind(line: str) -> Kind:
    return next((kind for kind, pattern in _KINDS if pattern.match(line)), "prose")


def _block(kind: Kind, lines: list[Span], text: str) -> Block:
    start = lines[0].start
    whole = text[start : lines[-1].end]
    if kind == "prose" or (kind in SEVERAL and len(lines) == 1):
        return Block("prose", whole, start)
    if kind == "table":
        return Block(kind, whole, start, tuple(_with_rule(lines)), headed=True)
    return Block(kind, whole, start, tuple(lines))


def _with_rule(lines: list[Span]) -> Iterator[Span]:
    """The rows of a table; the rule under its header belongs to the header."""
    first, *rest = lines
    if rest and _RULE.match(rest[0].text):
        first = Span(first.text + rest[0].text, first.start, rest[0].end)
        rest = rest[1:]
    yield first
    yield from rest


def _introduced(found: list[Block]) -> list[Block]:
    """Lists with the line that introduces them as their head: ``You need:``."""
    done: list[Block] = []
    for block in found:
        before = done[-1] if done else None
        if block.kind == "list" and before and before.kind == "prose" and _INTRODUCES.search(before.text):
            at = before.text.rstrip().rfind("\n") + 1
            head = Span(before.text[at:], before.start + at, before.start + len(before.text))
            kept = Block(before.kind, before.text[:at], before.start)
            done[-1:] = [kept] if kept.text.strip() else []
            listed = Block("list", head.text + block.text, head.start, (head, *block.rows), headed=True)
            done.append(listed)
        else:
            done.append(block)
    return done
