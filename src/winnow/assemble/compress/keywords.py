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
    rules, chosen, told = _rules(), list[str](), ""
    telling = [match.group().strip() for match in rules["keywords"].finditer(text)]
    for word in dict.fromkeys((*telling, *_content(text))):
        more = rules["between"][language_of(text)].join(sorted([*chosen, word], key=text.find))
        if not any(word in other for other in chosen) and fits(more):
            chosen.append(word)
            told = more
    return told


def _content(text: str) -> list[str]:
    """The words that say what it is about, without those that hold sentences together."""
    if language_of(text) == "zh":
        tags = _rules()["tags"]
        return [word.text for word in segment(text) if word.tag.startswith(tags) and len(word.text) > 1]
    return [word for word in re.findall(r"[A-Za-z][\w'-]+", text) if content_terms(word)]


@cache
def _rules() -> dict[str, Any]:
    rules = cast("dict[str, Any]", table("winnow.assemble.compress", "words.yaml"))
    return {**rules, "keywords": re.compile(rules["keywords"]), "tags": tuple(rules["tags"])}
