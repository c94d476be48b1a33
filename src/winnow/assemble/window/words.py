"""What the words of a turn tell of its place in the dialogue. The words themselves are data (window.yaml)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, cast

from winnow.text.tables import table

READ = 1000
"""Characters of a turn that are read for such words, at its beginning."""


def told() -> dict[str, Any]:
    """The table of words and weights."""
    return cast("dict[str, Any]", table("winnow.assemble.window", "window.yaml"))


def wished(text: str) -> bool:
    """Whether the person asks for another topic."""
    return _says("wish", text) and not _says("but", text)


def decided(text: str) -> bool:
    """Whether something was settled."""
    return _says("decision", text)


def telling(text: str) -> bool:
    """Whether something is told of the person, or that has to be remembered."""
    return _says("telling", text)


def pointing(text: str) -> bool:
    """Whether the words point back to what was said before."""
    return _says("pointing", text)


def _says(what: str, text: str) -> bool:
    return bool(_pattern(what).search(text[:READ].strip()))


@cache
def _pattern(what: str) -> re.Pattern[str]:
    """All patterns of that kind, of both languages: people mix them."""
    said = told()[what]
    return re.compile("|".join(f"(?:{one})" for language in said.values() for one in language), re.IGNORECASE)
