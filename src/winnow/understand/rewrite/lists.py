"""Lists that a turn tells with marks of any kind, in bold, or with commas alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from winnow.language.patterns import compiled_patterns
from winnow.language.tables import table

_SET = re.compile(r"(\*{1,3}|__|`+)(?=\S)([^*`\n]+?)(?<=\S)\1")
_HEADING = re.compile(r"(?m)^[ \t]*(?:#{1,6}|>)[ \t]+")
_LINKED = re.compile(r"!?\[([^\]\n]+)\]\([^)\s]*\)")
_SET_OFF = " \t*_`"
MIN_ITEMS = 2
"""Things that make a list."""


def marked_items(text: str) -> list[str]:
    """The things of the first such list, in order, each up to what is said of it; none where there is none.

    Numbers must count up from 1: ``1.5`` and ``in 2.`` are no marks.
    """
    text = _LINKED.sub(r"\1", text)
    found = _patterns()["mark"].finditer(text)
    places = {mark: place_of(next(filter(None, mark.groups()))) for mark in found}
    listed: list[re.Match[str]] = []
    for mark, place in places.items():
        if place in {0, len(listed) + 1}:
            listed.append(mark)
        elif place == 1:
            break
    if len(listed) < MIN_ITEMS:
        listed = [mark for mark, place in places.items() if place < 0]
    if len(listed) < MIN_ITEMS:
        return _unmarked_items(text)
    ends = [*(mark.start() for mark in listed[1:]), len(text)]
    items = [_named(text[mark.end() : end]) for mark, end in zip(listed, ends, strict=True)]
    return items if all(items) else []


def _unmarked_items(text: str) -> list[str]:
    """The things that are set in bold, else names between commas and nothing else."""
    bold, row = list(_bold(text)), _patterns()["row"].search(text)
    return bold if len(bold) >= MIN_ITEMS else row[1].split(", ") if row else []


def place_of(said: str) -> int:
    """Which place a numeral or a word gives; 0 for ``finally``, the next one, and below 0 for a dash."""
    return int(said) if said.isdecimal() else table(__package__, "lists.yaml")["places"][said.lower()]


def _patterns() -> Mapping[str, re.Pattern[str]]:
    return compiled_patterns(__package__, "lists.yaml")


def _bold(text: str) -> Iterator[str]:
    for found in _SET.finditer(text):
        if thing := found[2].strip(_SET_OFF + ":：。."):
            yield thing


def plain(text: str) -> str:
    """A turn without the marks of Markdown: no query holds them."""
    return _HEADING.sub("", _LINKED.sub(r"\1", _SET.sub(r"\2", text)))


def _named(said: str) -> str:
    """The thing itself: what is set in bold, else what stands before anything is said of it."""
    bold = next(_bold(said), "")
    return bold or _patterns()["item_end"].split(said.strip(_SET_OFF + "\n"), maxsplit=1)[0].strip(_SET_OFF)
