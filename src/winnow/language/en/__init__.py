"""English: its row and its word forms, beside the tables of its words, its grammar and its sentences."""

from __future__ import annotations

import re
from typing import Any, cast

from winnow.language.language import Language
from winnow.language.tables import table

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
    return (f"{_doubled_stem(first)}ing {rest}".strip(),)


def pasts(phrase: str) -> tuple[str, ...]:
    """The phrase with its first word in the past and as a participle, ``drew back`` and ``drawn back``.

    None where that word is no verb.
    """
    first, _, rest = phrase.partition(" ")
    if first in _table()["bare"]:
        return ()
    forms = _table()["past"].get(first)
    if not forms:
        if first.endswith("e"):
            forms = (first + "d",)
        elif first.endswith("y") and first[-2:-1] not in "aeiou":
            forms = (first[:-1] + "ied",)
        else:
            forms = (_doubled_stem(first) + "ed",)
    return tuple(f"{form} {rest}".strip() for form in forms)


def _doubled_stem(verb: str) -> str:
    """``stop`` as it stands before -ing and -ed."""
    return verb + verb[-1] if _DOUBLES.search(verb) and verb not in _table()["single"] else verb


def _table() -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language.en", "forms.yaml"))


ENGLISH = Language("en", __name__, plural=plural, gerunds=gerunds, pasts=pasts, mixes=True)
