"""``'s`` where it is short for a verb: ``if nobody's home``, ``there's a leak``, ``why's it on``."""

from __future__ import annotations

import re
from functools import cache

from winnow.language.lexicon import states
from winnow.language.normalise import normalise

_ASKING = re.compile(r"\b(there|why|how|where)'s\b")
_SAID_OF_PEOPLE = "home|away|here|there|back|in|out|up|asleep|awake|not|still"
_ANYBODY = r"(?:no|some|any|every)(?:body| one|one)"


def spelled_out(text: str, limit: int) -> str:
    """The text normalised, with each verb that hides in ``'s`` as ``is``. Whose something is stays."""
    text = normalise(text, limit)
    if "'s " not in text:
        return text
    return _told_in_a_condition().sub(r"\1 is", _ASKING.sub(r"\1 is", text))


@cache
def _told_in_a_condition() -> re.Pattern[str]:
    """``if Nora's home``, not ``if Nora's lamp is on``: what follows tells a state."""
    told = "|".join([*(word for word in states() if word.isascii()), _SAID_OF_PEOPLE])
    begins = r"\b(?:if|unless|when|once|whenever|while)\b[^,.;!?]*?"
    return re.compile(rf"({begins}(?:\b{_ANYBODY}(?='s )|[a-z](?='s (?:{told})\b)))'s")
