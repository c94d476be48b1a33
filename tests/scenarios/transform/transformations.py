"""What is done to a sentence, text to text; None where there is nothing to do it to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from zlib import crc32

from tests.scenarios.transform.frames import Frame, Grammar, grammar
from tests.scenarios.transform.orders import language_of

_INNER = re.compile(r"\s*(?:[，。；、！？：:;!?—]|,(?!\d)|\.(?!\d))\s*")
"""Marks between words; not those within a number."""


def framed(frame: Frame, found: Mapping[str, str]) -> str | None:
    """The pattern filled in, where the sentence has what it needs."""
    wanted = {name for _, name, _, _ in Formatter().parse(frame.pattern) if name}
    return frame.pattern.format_map(found) if wanted <= found.keys() else None


def noun_for(text: str, known: Grammar) -> str:
    """One of the nouns, always the same for the same sentence."""
    nouns: Sequence[str] = known.words["nouns"]
    return nouns[crc32(text.encode()) % len(nouns)]


def unmarked(text: str) -> str | None:
    """Without the punctuation inside it, as speech comes."""
    joint = grammar(language_of(text)).words["joint"]
    bare = _INNER.sub(joint, text).strip()
    inner = text.strip(grammar(language_of(text)).words["marks"])
    return bare if _INNER.search(inner) else None


def shouted(text: str) -> str | None:
    """In capital letters."""
    return _unless_same(text.upper(), text)


def titled(text: str) -> str | None:
    """Every word with a capital letter."""
    return _unless_same(re.sub(r"[A-Za-z]+('[a-z]+)?", lambda word: word[0].capitalize(), text), text)


def small(text: str) -> str | None:
    """Without capital letters."""
    return _unless_same(text.lower(), text)


def halves(text: str) -> list[tuple[str, str]]:
    """Each way to cut a sentence in two at a mark or an ``and``."""
    cut = re.compile("|".join([_INNER.pattern, *map(re.escape, grammar(language_of(text)).words["cuts"])]))
    return [(text[: m.start()], text[m.end() :]) for m in cut.finditer(text) if m.start() and text[m.end() :]]


def joined(first: str, second: str) -> str:
    """Two orders with nothing between them."""
    return grammar(language_of(first)).words["joint"].join((first, second))


def swapped(first: str, second: str) -> str:
    """Two orders, the second one first."""
    between = grammar(language_of(first)).words["between"]
    marks = grammar(language_of(first)).words["marks"]
    return second.strip(marks) + between + first.strip(marks)


def _unless_same(changed: str, text: str) -> str | None:
    return changed if changed != text else None
