"""Regular expressions: those kept as data, put together from named parts, and those compiled when needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from winnow.language.tables import table


class _LazyPattern:
    def __init__(self, text: str, flags: int) -> None:
        self._compiled = cache(lambda: re.compile(text, flags))

    def __getattr__(self, name: str) -> Any:
        """What the compiled pattern has of that name; it is found on this object from then on."""
        found = getattr(self._compiled(), name)
        setattr(self, name, found)
        return found


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, compiled where it is first asked something: few processes need all of the long ones."""
    return cast("re.Pattern[str]", _LazyPattern(text, flags))


_PART = re.compile(r"\{([a-z_]+)\}")


@cache
def compiled_patterns(package: str, name: str) -> Mapping[str, re.Pattern[str]]:
    """Name -> pattern, of ``name`` beside the modules of ``package``.

    The file holds ``parts`` and ``patterns``, each a text or a list of alternatives. ``{part}`` stands
    for a part listed above it. Raises KeyError on a part that is not.
    """
    data = table(package, name)
    parts: dict[str, str] = {}
    for key, said in data["parts"].items():
        parts[key] = _expand_parts(said, parts)
    return {key: re.compile(_expand_parts(said, parts)) for key, said in data["patterns"].items()}


def _expand_parts(said: str | list[str], parts: Mapping[str, str]) -> str:
    text = said if isinstance(said, str) else f"(?:{'|'.join(said)})"
    return _PART.sub(lambda part: parts[part[1]], text)
