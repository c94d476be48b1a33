"""Patterns kept as data: regular expressions put together from named parts of a YAML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from winnow.language.tables import table

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
