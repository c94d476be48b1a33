"""What English makes of its words: plurals, words in -ing, past forms."""

from __future__ import annotations

import re
from typing import Any, cast

from winnow.text.tables import table

_DOUBLES = re.compile("[^aeiou][aeiou][tpnmg]$")


def plural(word: str) -> str:
    """The regular plural of the last word."""
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def gerunds(phrase: str) -> tuple[str, ...]:
    """The phrase with its first word in -ing, ``turning on``; none where that word is no verb."""
    first, _, rest = phrase.partition(" ")
    if first in _table()["bare"]:
        return ()
    if first.endswith("e") and not first.endswith("ee"):
        first = first[:-1]
    return (f"{_doubled(first)}ing {rest}".strip(),)


def pasts(phrase: str) -> tuple[str, ...]:
    """The phrase with its first word in the past and as a participle, ``drew back`` and ``drawn back``.

    None where that word is no verb.
    """
    first, _, rest = phrase.partition(" ")
    if first in _table()["bare"]:
        return ()
    return tuple(f"{form} {rest}".strip() for form in _table()["past"].get(first) or (_regular_past(first),))


def _regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return _doubled(verb) + "ed"


def _doubled(verb: str) -> str:
    """``stop`` as it stands before -ing and -ed."""
    return verb + verb[-1] if _DOUBLES.search(verb) and verb not in _table()["single"] else verb


def _table() -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", "words/forms.yaml"))
