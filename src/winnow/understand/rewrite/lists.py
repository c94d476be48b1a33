"""Lists that a turn tells with marks before each thing: ``1、 1） (1) ① 1.`` in lines or in one; dashes."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"(?:^|(?<=[\s:：;；。,，]))(?:[(（]?(?P<number>\d{1,2})[.、)）．](?!\d)|(?P<ring>[①-⑩]))\s*|"
    r"(?:^|\n)[ \t]*(?P<dash>[-*•])[ \t]+"
)
_ITEM_END = re.compile(r"[\n；;。，,：:（(]|\.(?:\s|$)|\s[-–—]\s")
_SET_OFF = " \t*_`"
MIN_ITEMS = 2
"""Things that make a list."""


def marked_items(text: str) -> list[str]:
    """The things of the first such list, in order, each up to what is said of it; none where there is none.

    Numbers must count up from 1: ``1.5`` and ``in 2.`` are no marks.
    """
    marks = list(_MARK.finditer(text))
    counted = [mark for mark in marks if not mark["dash"]]
    begun = False
    kept: list[re.Match[str]] = []
    for mark in counted:
        number = int(mark["number"]) if mark["number"] else ord(mark["ring"]) - ord("①") + 1
        if number == len(kept) + 1:
            kept.append(mark)
        elif begun and number == 1:
            break
        begun = bool(kept)
    if len(kept) < MIN_ITEMS:
        kept = [mark for mark in marks if mark["dash"]]
    if len(kept) < MIN_ITEMS:
        return []
    ends = [*(mark.start() for mark in kept[1:]), len(text)]
    items = [_named(text[mark.end() : end]) for mark, end in zip(kept, ends, strict=True)]
    return items if all(items) else []


def _named(said: str) -> str:
    """The thing itself, without what is said of it and without the signs that set it off."""
    return _ITEM_END.split(said.strip(_SET_OFF + "\n"), maxsplit=1)[0].strip(_SET_OFF)
