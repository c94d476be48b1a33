"""The one way a name or value from outside enters a prompt, a log or a screen.

Names are data: whatever they hold, they stay one short line that neither closes a quotation nor opens markup.

* control, bidirectional, zero-width, variation, private and unassigned characters: dropped
* any white space: one space
* ``< >`` become ``‹ ›``, ``{ } [ ]`` become ``( )``, a double quote becomes ``”``, a single one or a backtick
  ``’``, a backslash ``⧵``, ``|`` becomes ``¦``; their full-width twins likewise. The replacements survive
  Unicode normalisation, so nothing turns back
* longer than the limit: cut, ending in ``…``; nothing left: ``?``
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U000110bd\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Control, zero-width, bidirectional and variation characters, and lone surrogates, but no white space."""

_LOOKALIKE = str.maketrans("<>{}[]\"'`\\|＜＞｛｝［］＂＇｀＼｜“«»", "‹›()()”’’⧵¦‹›()()”’’⧵¦”‹›")


def encode_text(text: str, limit: int = 48) -> str:
    """``text`` as one harmless line of 1 to ``limit`` characters; encoding twice is encoding once."""
    return _remembered(text, limit) if len(text) <= MAX_NAME_CHARS else _shortened_text(text, limit)


MAX_NAME_CHARS = 64
"""Characters of what is likely to come again: a name, an id, a key."""


def _shortened_text(text: str, limit: int) -> str:
    line = " ".join(INVISIBLE.sub("", text[: limit * 8]).translate(_LOOKALIKE).split())
    if not line.isprintable():
        line = " ".join("".join(c for c in line if c.isprintable()).split())
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return line or "?"


_remembered = lru_cache(maxsize=4096)(_shortened_text)


def sendable(value: Any) -> Any:
    """``value``, a text or what JSON holds, with a ``?`` for each half of a surrogate pair in it.

    Nobody can send those: UTF-8 has no form for them.
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {sendable(key): sendable(held) for key, held in value.items()}
    if isinstance(value, Iterable):
        return [sendable(held) for held in value]
    return value


def compact_json(value: object, limit: int = 200) -> str:
    """``value`` as UTF-8 JSON without spaces.

    Each text in it, keys too, is encoded to at most ``limit`` characters. Mappings, iterables, numbers,
    booleans and None keep their shape; a number that JSON lacks becomes null, anything else its text.
    """
    return _JSON(_safe(value, limit))


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def _safe(value: object, limit: int) -> object:
    # scalars first, for most of it are, and the others are slow to ask
    if isinstance(value, str):
        return encode_text(value, limit) if value else ""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int | float | None):
        return value
    if isinstance(value, dict | Mapping):
        return {encode_text(str(k), limit): _safe(v, limit) for k, v in value.items()}
    if isinstance(value, Iterable):
        return [_safe(v, limit) for v in value]
    return encode_text(str(value), limit)
