"""The cues of ``cues.yaml`` as compiled patterns, both languages in one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from winnow.text.tables import table


@cache
def cue(name: str) -> re.Pattern[str]:
    """The pattern of one section: what it finds in normalised text shows what the section is named for."""
    return either(table(__package__, "cues.yaml")[name])


@cache
def social() -> Mapping[str, re.Pattern[str]]:
    """Act -> the words that do nothing else (``thanks``, ``ack`` ...)."""
    return {act: either(rows) for act, rows in table(__package__, "cues.yaml")["social"].items()}


def acts() -> Mapping[str, str]:
    """Act -> what a turn that does nothing else is called; the strongest first."""
    return cast("Mapping[str, str]", table(__package__, "cues.yaml")["acts"])


def shows(name: str, text: str) -> bool:
    """Whether the text holds a cue of that name."""
    return cue(name).search(text) is not None


def either(rows: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Chinese pieces as they stand; English ones as whole words.

    The first that fits is taken, so longer ones are written first.
    """
    english = "|".join(rows.get("en", ()))
    words = rf"(?<![a-z0-9'])(?:{english})(?:(?<= )|(?![a-z0-9']))" if english else ""
    return re.compile("|".join([*rows.get("zh", ()), *([words] if words else [])]) or "(?!)")
