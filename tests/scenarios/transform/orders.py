"""An order taken apart: what the patterns put it together from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from tests.scenarios.transform.frames import Grammar, grammar

FORMS = ("third", "past", "participle", "gerund")
_HAN = re.compile("[\u4e00-\u9fff]")


def language_of(text: str) -> str:
    """``zh`` where one Chinese character stands, else ``en``."""
    return "zh" if _HAN.search(text) else "en"


def slots(text: str, noun: str = "") -> Mapping[str, str]:
    """What the slots of patterns hold for this sentence; only ``said`` where it is no plain order."""
    return {"said": text.strip(), "noun": noun, **_plain(text)}


@cache
def _plain(text: str) -> Mapping[str, str]:
    known = grammar(language_of(text))
    phrase = undressed(text, known)
    if re.search(known.words["inner"], phrase):
        return {"phrase": phrase}
    found = _chinese(phrase, known) if known.language == "zh" else _english(phrase, known)
    return {"phrase": phrase, **found}


def undressed(text: str, known: Grammar) -> str:
    """The sentence without the courtesy around it and the marks at its end."""
    gap, marks = known.words["joint"], known.words["marks"]
    left = text.strip(marks)
    while (less := _less(left, known.words, gap).strip(marks)) != left:
        left = less
    return left


def _less(text: str, words: Mapping[str, Any], gap: str) -> str:
    for head in _longest(words["heads"]):
        if text.lower().startswith(head + gap):
            return text[len(head + gap) :]
    return _without_end(text, (gap + tail for tail in words["tails"]))


def _without_end(text: str, ends: Iterable[str]) -> str:
    for end in _longest(ends):
        if text.lower().endswith(end) and len(text) > len(end):
            return text[: -len(end)]
    return text


def _longest(words: Iterable[str]) -> list[str]:
    return sorted(words, key=len, reverse=True)


def _english(phrase: str, known: Grammar) -> Mapping[str, str]:
    words = phrase.split()
    lower = [word.lower() for word in words]
    if set(lower) & set(known.words["blocks"]):
        return {}
    led = [n for n, word in enumerate(lower) if word in known.verbs and _begins(lower, n, known)]
    found = {"words": phrase} if len(led) < 2 else {}
    if led[:1] != [0]:
        return found
    found |= {"order": phrase, "clause": phrase}
    found |= {form: _inflected(words, led, known, number) for number, form in enumerate(FORMS)}
    at = next((n for n, word in enumerate(lower) if word in known.words["articles"]), None)
    if at is not None and len(led) == 1:
        found |= {"lead": " ".join(words[: at + 1]), "rest": " ".join(words[at + 1 :])}
    return found


def _begins(words: list[str], place: int, known: Grammar) -> bool:
    """Whether an order can begin here: at first, or after ``and``."""
    return place == 0 or words[place - 1] in known.words["joins"]


def _inflected(words: list[str], led: list[int], known: Grammar, form: int) -> str:
    """The words with the verb that leads, and each that follows ``and``, in this form."""
    return " ".join(known.verbs[word.lower()][form] if n in led else word for n, word in enumerate(words))


def _chinese(phrase: str, known: Grammar) -> Mapping[str, str]:
    """An order has its verb first, or ``把``, or its thing first and the verb after it."""
    words, bare = known.words, phrase
    for _ in range(2):
        bare = _without_end(bare, words["aspects"])
    if any(word in bare for word in words["blocks"]) or any(ba in bare[1:] for ba in words["ba"]):
        return {}
    single = not any(cut in bare for cut in words["cuts"])
    found = {"words": phrase} if single else {}
    return found | _clause(phrase, bare, known, single)


def _clause(phrase: str, bare: str, known: Grammar, single: bool) -> dict[str, str]:
    ba = known.words["ba"]
    for head in [*ba, *_longest(known.verbs)]:
        if bare.startswith(head) and len(bare) > len(head):
            parts = {"head": head, "rest": bare[len(head) :]} if single else {}
            return {"order": phrase, "clause": bare, **parts}
    if any(verb in bare[2:] for verb in known.verbs):
        parts = {"head": ba[0], "rest": bare} if single else {}
        return {"order": phrase, "clause": ba[0] + bare, **parts}
    return {}
