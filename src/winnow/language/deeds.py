"""What a thing does, as the name of it: ``the thing that heats the bath``, ``烧水的那个``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from winnow.language.called import called
from winnow.language.normalise import is_han
from winnow.text.tables import table


@lru_cache(maxsize=1)
def _frames() -> Mapping[str, Mapping[str, Any]]:
    return cast("Mapping[str, Mapping[str, Any]]", table("winnow.language", "words/called/deeds.yaml"))


@lru_cache(maxsize=1)
def said() -> re.Pattern[str]:
    """What a sentence holds that may name a thing by what it does: looked for before the deeds themselves."""
    return re.compile("|".join(frame["sign"] for frame in _frames().values()))


@lru_cache(maxsize=128)
def deeds(name: str) -> re.Pattern[str] | None:
    """How things of a type are named by what they do, in either language; None where nothing is known."""
    by: dict[bool, list[str]] = {True: [], False: []}
    for deed in called()[name].deeds:
        by[is_han(deed[0])].append(deed)
    framed = [_framed(frame, by[language == "zh"]) for language, frame in _frames().items()]
    told = [pattern for pattern in framed if pattern]
    return re.compile("|".join(told)) if told else None


def _framed(frame: Mapping[str, Any], told: list[str]) -> str:
    if not told:
        return ""
    longest = sorted(told, key=lambda deed: (-deed.count(">"), deed))
    joined = "|".join(_alternatives(deed, frame["gap"], frame["articles"]) for deed in longest)
    return str(frame["frame"]).replace("{deed}", f"(?:{joined})")


def _alternatives(deed: str, gap: str, articles: str) -> str:
    """A deed of the file as an expression: its parts one after the other, ``~`` with articles before it."""
    made = ""
    for at, part in enumerate(deed.split(">")):
        words = sorted((word.strip() for word in part.split("|")), key=len, reverse=True)
        held = "|".join(re.escape(word.removeprefix("~")) for word in words if word)
        one = f"{articles if any(w.startswith('~') for w in words) else ''}(?:{held})"
        one = f"{gap if at else ''}{one}"
        made += f"(?:{one})?" if "" in words else one
    return made
