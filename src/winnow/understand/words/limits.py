"""How far an order may go, said beside it: ``but not too bright``, ``但是别全开``.

The order is read without it, so that it neither moves another thing nor is an order of its own; whether the
order keeps it, ``decide.plan_checks`` looks at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from winnow.text.patterns import patterns
from winnow.types.query import Limit

WHOLE = ("whole_en", "nearly_en", "whole_zh")
"""Names of the patterns of what is not to be done all the way."""
TOO = ("too_en", "too_zh")
"""Names of the patterns of what is not to be too much; said without a turn it may be a reason."""
SMALL = ("only_little", "only_little_again", "only_little_zh")
"""Names of the patterns of what leads to a small amount."""


def without_limits(text: str) -> tuple[str, tuple[Limit, ...]]:
    """A normalised text without the limits it holds, and these in the order they were said."""
    # ``just a little`` as ``a little``: how little, the order itself says
    joint = " " if text.isascii() else ""
    for name in SMALL:
        text = _patterns()[name].sub(rf"\g<kept>{joint}", text)
    text = text.strip()
    found = sorted(_found(text), key=lambda span: span[:2])
    kept, said, at = [], [], 0
    for start, end, limit in found:
        if start >= at:
            kept.append(text[at:start])
            said.append(limit)
            at = end
    return "".join((*kept, text[at:])).strip(), tuple(said)


def _found(text: str) -> Iterator[tuple[int, int, Limit]]:
    for name in (*WHOLE, *TOO):
        for match in _patterns()[name].finditer(text):
            # ``the lamp is not too bright``: how it is, not how far anything may go
            is_told = bool(match.groupdict().get("bare")) and bool(
                _patterns()["told"].search(text[: match.start()])
            )
            if not is_told:
                words = match[0].strip(" ,;.!:。、")
                yield match.start(), match.end(), Limit(words, strict=name in WHOLE or bool(match["turn"]))


def _patterns() -> Mapping[str, re.Pattern[str]]:
    return patterns(__package__, "limits.yaml")
