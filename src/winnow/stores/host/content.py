"""What was said in one row, however the host keeps it: as text, as parts in JSON, as JSON around a text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from winnow.stores.host.words import listed

_DEEPEST = 8
"""Levels of JSON that are looked into."""


def said(value: object, *, encoded: bool = False) -> str:
    """The text of a stored content; empty where nothing was said (a tool call, a picture)."""
    return text_of(opened(value, encoded=encoded))


def opened(value: object, *, encoded: bool = False) -> object:
    """A stored content with its JSON read; what a person wrote in brackets stays as it is.

    ``encoded``: that a text is JSON for certain, since its column is.
    """
    if isinstance(value, bytes | bytearray | memoryview):
        return opened(bytes(value).decode("utf-8", "replace"), encoded=encoded)
    if not isinstance(value, str):
        return value
    if encoded:
        return json.loads(value)
    if value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if _wraps(parsed) else value


def text_of(content: object) -> str:
    """The text of a content that was opened."""
    return "\n".join(_texts(content, _DEEPEST)).strip()


def speaker_of(content: object) -> str:
    """Who said it, as the JSON around a text may tell; empty: it does not."""
    told = (content.get("role") or content.get("type")) if isinstance(content, Mapping) else ""
    return told if isinstance(told, str) else ""


def _wraps(value: object) -> bool:
    """Whether JSON looks like an envelope of a text and not like JSON that somebody sent."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, Mapping) and "type" in part for part in value)
    known = {*listed("texts"), *listed("around")}
    return isinstance(value, Mapping) and bool(value) and set(value) <= known


def _texts(value: Any, depth: int) -> Iterator[str]:
    """The texts of a content, in order."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part, depth - 1)
    elif depth and isinstance(value, Mapping) and _is_said(value):
        held = next((value[name] for name in listed("texts") if value.get(name)), None)
        yield from _texts(held, depth - 1)


def _is_said(part: Mapping[str, Any]) -> bool:
    """Whether a part is text, or an envelope of it, by its type."""
    return str(part.get("type") or "").lower() in listed("said")
