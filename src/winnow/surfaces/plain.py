"""Values as plain data, and plain data as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from winnow.errors import Phrase, WinnowError
from winnow.text.encode import INVISIBLE


def plain(value: Any) -> Any:
    """Dataclasses, tuples, sets and mappings as JSON data, under the names they have in ``winnow.types``."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return _number(value) if isinstance(value, float) else value


def _number(value: float) -> float | None:
    """The number, or None for one that JSON lacks."""
    return value if isfinite(value) else None


def json_text(value: object, *, indented: bool = False, ascii_only: bool = False) -> str:
    """A value as JSON on one line, or indented.

    Characters that a terminal would obey or hide are escaped, which is the same text to a parser; with
    ``ascii_only`` all others beyond ASCII as well.
    """
    return visible(json.dumps(plain(value), ensure_ascii=ascii_only, indent=2 if indented else None))


def visible(text: str) -> str:
    """The text with what a terminal would obey or hide as escapes."""
    return INVISIBLE.sub(_escaped, text)


def is_text(said: str) -> bool:
    """Whether all of it could be read: bytes that are no text stand as lone surrogates."""
    return said.isascii() or not any("\udc80" <= sign <= "\udcff" for sign in said)


def not_text(encoding: str) -> WinnowError:
    """What is said of bytes that are no text in the terminal's ``encoding``."""
    return WinnowError(
        Phrase("That is not readable as {encoding}, so nothing was done.", encoding=encoding),
        hint="Give it in that encoding, or name the one it has: PYTHONIOENCODING=gbk winnow chat < talk.txt",
    )


def _escaped(hidden: re.Match[str]) -> str:
    return json.dumps(hidden[0])[1:-1]
