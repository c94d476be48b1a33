"""What was said in one message of an export, however it is written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TEXTS = ("text", "content", "value", "result")
"""Fields of a part that may hold its text."""
_DEEPEST = 4


def text_of(content: Any) -> str:
    """The text of a message: of a text itself, or of the parts that are text, one a line."""
    return "\n".join(part for part in _texts(content, _DEEPEST) if part.strip()).strip()


def others_of(content: Any) -> list[str]:
    """The sorts of what else is in it: ``image_url``, ``audio``, ``tool_use`` ..."""
    return sorted(set(_others(content, _DEEPEST)))


def _texts(content: Any, depth: int) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif depth and isinstance(content, list):
        for part in content:
            yield from _texts(part, depth - 1)
    elif depth and isinstance(content, Mapping) and _is_text(content):
        yield from _texts(content.get("parts") or _held(content), depth - 1)


def _others(content: Any, depth: int) -> Iterator[str]:
    if depth and isinstance(content, list):
        for part in content:
            yield from _others(part, depth - 1)
    elif isinstance(content, Mapping):
        if _is_text(content):
            yield from _others(content.get("parts"), depth - 1)
        else:
            yield _kind(content) or "other"


def _is_text(part: Mapping[str, Any]) -> bool:
    """Whether a part is text by its type; one without a type is, where it holds any."""
    kind = _kind(part)
    return "text" in kind if kind else bool(part.get("parts")) or isinstance(_held(part), str)


def _kind(part: Mapping[str, Any]) -> str:
    return str(part.get("type") or part.get("content_type") or "")


def _held(part: Mapping[str, Any]) -> Any:
    return next((part[name] for name in TEXTS if part.get(name)), None)
