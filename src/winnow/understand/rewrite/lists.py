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


def marked_items(text: str) -> Mapping[int, str]:
    """Place -> thing of the first such list, each up to what is said of it; empty where there is none.

    A place is the printed number, counting up from 1 or at line starts: ``1.5`` and ``in 2.`` are no marks.
    """
    text = _patterns()["table_row"].sub(r"- \1", _patterns()["table_head"].sub("", _LINKED.sub(r"\1", text)))
    found = _patterns()["mark"].finditer(text)
    places = {mark: place_of(next(filter(None, mark.groups()))) for mark in found}
    listed = _numbered(text, places)
    if len(listed) < MIN_ITEMS:
        listed = dict(enumerate((mark for mark, place in places.items() if place < 0), 1))
    if len(listed) < MIN_ITEMS:
        return dict(enumerate(_unmarked_items(text), 1))
    ends = [*(mark.start() for mark in listed.values()), len(text)][1:]
    items = [_named(text[mark.end() : end]) for mark, end in zip(listed.values(), ends, strict=True)]
    return dict(zip(listed, items, strict=True)) if all(items) else {}


def _numbered(text: str, places: Mapping[re.Match[str], int]) -> dict[int, re.Match[str]]:
    """Place -> mark of the first list with numbers."""
    listed: dict[int, re.Match[str]] = {}
    for mark, place in places.items():
        last = max(listed, default=0)
        # A number may be left out, where the next one is set off as the one before
        skips = place > last and last + 1 not in places.values()
        if place in {0, last + 1} or (skips and _before(text, mark) == _before(text, listed.get(last))):
            listed[place or last + 1] = mark
        elif place == 1:
            break
    return listed


def thing_at(items: Mapping[int, str], place: int) -> str:
    """The thing at a place, below 0 counted from the end: -1 is the last one; empty where there is none."""
    from_end = zip(range(-len(items), 0), items.values(), strict=True)
    return {**items, **dict(from_end)}.get(place, "")


def _before(text: str, mark: re.Match[str] | None) -> str:
    """The sign that a mark follows, a line break at a start of a line; empty behind a word."""
    sign = text[: mark.start()].rstrip(" \t")[-1:] if mark else ""
    return "" if sign.isalnum() else sign or "\n"


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
