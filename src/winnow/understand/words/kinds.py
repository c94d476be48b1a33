"""Kinds of tokens by their use, and what a token says."""

from __future__ import annotations

from winnow.language.little import little
from winnow.types.query import Token

TARGET_KINDS = frozenset({"name", "nameword", "room", "floor", "zone", "type", "scene", "group", "word"})
DURATION_UNITS = frozenset({"second", "minute", "hour", "day"})


def says(token: Token) -> str:
    """The canonical reading of a token."""
    return str(token.data.get("is", ""))


def also(token: Token, section: str) -> str | None:
    """Its reading in another section of the lexicon, if it has one."""
    table = token.data.get("also")
    return str(table[section]) if isinstance(table, dict) and section in table else None


def serves(token: Token, *uses: str) -> bool:
    """Whether its word is one of these uses of ``words/little.yaml``: ``then``, ``none``."""
    return any(token.text in little(use) for use in uses)
