"""Columns of a table on a terminal, where Chinese characters take two places."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def width(text: str) -> int:
    """Places that the text takes."""
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in text)


def padded(text: str, wide: int) -> str:
    """The text with spaces behind it, to be that wide at least."""
    return text + " " * (wide - width(text))
