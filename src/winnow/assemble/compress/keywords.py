"""A piece of which not even the beginning fits -> the words of it that tell most."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from winnow.language.content import content_terms
from winnow.language.normalise import language_of
from winnow.language.segment import segment
from winnow.text.tables import table


def keywords(text: str, fits: Callable[[str], bool]) -> str:
    """The telling words in their order, as many as fit, names and numbers before all others."""
    telling = [match.group().strip() for match in _pattern().finditer(text)]
    chosen: list[str] = []
    for word in dict.fromkeys((*telling, *_content(text))):
        if not any(word in other for other in chosen) and fits(_joined([*chosen, word], text)):
            chosen.append(word)
    return _joined(chosen, text)


def _joined(words: list[str], text: str) -> str:
    between = cast("dict[str, str]", _words()["between"])[language_of(text)]
    return between.join(sorted(words, key=text.find))


def _content(text: str) -> list[str]:
    """The words that say what it is about, without those that hold sentences together."""
    tags = tuple(_words()["tags"])
    if language_of(text) == "zh":
        return [word.text for word in segment(text) if word.tag.startswith(tags) and len(word.text) > 1]
    return [word for word in re.findall(r"[A-Za-z][\w'-]+", text) if content_terms(word)]


def _words() -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.assemble.compress", "words.yaml"))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(_words()["keywords"])
