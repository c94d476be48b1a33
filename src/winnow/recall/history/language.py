"""The words of both languages by which a history is read beside its content."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, cast

from winnow.text.tables import table


def words() -> dict[str, Any]:
    """The tables of ``words.yaml``."""
    return cast("dict[str, Any]", table("winnow.recall.history", "words.yaml"))


@cache
def pattern(*keys: str) -> re.Pattern[str]:
    """A pattern of ``words.yaml``."""
    found: Any = words()
    for key in keys:
        found = found[key]
    return re.compile(found)
