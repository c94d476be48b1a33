"""``'s`` where it is short for a verb: ``if nobody's home``, ``there's a leak``, ``why's it on``."""

from __future__ import annotations

import re
from functools import cache

from winnow.language.lexicon import states
from winnow.language.normalise import normalise
from winnow.text.patterns import patterns


def spelled_out(text: str, limit: int) -> str:
    """The text normalised, with each verb that hides in ``'s`` as ``is``. Whose something is stays."""
    text = normalise(text, limit)
    if "'s " not in text:
        return text
    asking = patterns(__package__, "patterns.yaml")["asks_short"]
    return _told_in_a_condition().sub(r"\1 is", asking.sub(r"\1 is", text))


@cache
def _told_in_a_condition() -> re.Pattern[str]:
    """``if Nora's home``, not ``if Nora's lamp is on``: what follows tells a state."""
    of = {name: pattern.pattern for name, pattern in patterns(__package__, "patterns.yaml").items()}
    told = "|".join([*(word for word in states() if word.isascii()), of["told_of_people"]])
    anybody = rf"\b{of['anybody']}(?='s )"
    return re.compile(rf"({of['begins_condition']}(?:{anybody}|[a-z](?='s (?:{told})\b)))'s")
