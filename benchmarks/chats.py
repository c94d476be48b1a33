"""Talks of many made-up persons with an assistant, the same in every run: what size is measured on.

Nobody's words: a grammar of a hundred sentences (``data/chats.yaml``) whose gaps are filled at random.
Lengths follow those of chats: most of what a person says is one short sentence, an assistant answers at
length now and then. Three in ten persons mix Chinese and English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any

import yaml

from benchmarks import places
from winnow.types.message import Message

SMALLEST, LARGEST, SKEW = 10, 5000, 0.797
"""Messages of a person, and the exponent of the bounded Pareto law between the two: its mean is 100."""
BEGIN = datetime(2023, 1, 1)  # noqa: DTZ001 - a wall clock has no zone
TONGUES = {"zh": ("zh",), "en": ("en",), "mixed": ("zh", "en")}
SPEAKERS = (0.45, 0.25, 0.3)
"""Share of persons who speak each of them."""
NEW_TALK = 0.12
"""How often a message is followed by silence: a talk has eight messages on average."""
_GAP = re.compile(r"\{(\w+)\}")
_SENTENCES = {"user": (0.66, 0.24, 0.07, 0.03), "assistant": (0.25, 0.3, 0.2, 0.12, 0.06, 0.04, 0.02, 0.01)}
"""Share of messages with one, two ... sentences."""


@dataclass(frozen=True, slots=True)
class Chat:
    """One person's messages, and a question about one of them."""

    user: str
    messages: tuple[Message, ...]
    question: str
    about: str
    """Id of a message that the question is about; others may answer it as well."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A message, its language, and what its gaps were filled with."""

    message: Message
    language: str
    filled: list[str]


def sizes(persons: int, total: int, seed: int = 0) -> list[int]:
    """Messages of each person, in no order: skewed, ``total`` together where the bounds allow it."""
    rng = Random(f"sizes {seed}")
    share = (SMALLEST / LARGEST) ** SKEW
    found = [_size((n + 0.5) / persons, share) for n in range(persons)]
    scale = total / sum(found)
    found = [max(SMALLEST, min(LARGEST, round(size * scale))) for size in found]
    for n in sorted(range(persons), key=lambda n: -found[n]):  # what rounding left goes to those who say most
        found[n] = max(SMALLEST, min(LARGEST, found[n] + total - sum(found)))
        if sum(found) == total:
            break
    rng.shuffle(found)
    return found


def _size(quantile: float, share: float) -> int:
    return round(float(SMALLEST / (1 - quantile * (1 - share)) ** (1 / SKEW)))


def name(number: int) -> str:
    """The person of that number."""
    return f"user-{number:06d}"


def chat(number: int, size: int, seed: int = 0) -> Chat:
    """The talks of the person of that number."""
    rng = Random(f"chat {seed} {number}")
    tongues = TONGUES[rng.choices(tuple(TONGUES), SPEAKERS)[0]]
    said: list[_Said] = []
    at, talk = BEGIN + timedelta(minutes=rng.randrange(365 * 24 * 60)), 0
    for row in range(size):
        if row and rng.random() < NEW_TALK:
            at, talk = at + timedelta(minutes=rng.randrange(120, 60 * 24 * 6)), row
        at += timedelta(seconds=rng.randrange(5, 240))
        role = "assistant" if (row - talk) % 2 else "user"
        language = rng.choice(tongues)
        text, filled = _said(rng, language, role)
        message = Message(f"{number}-{row}", role, text, at, f"{number}/{talk}")
        said.append(_Said(message, language, filled))
    telling = [one for one in said if len(one.filled) > 1] or [_Said(said[0].message, "en", ["that", "it"])]
    return _asked(rng, number, tuple(one.message for one in said), rng.choice(telling))


def _asked(rng: Random, number: int, messages: tuple[Message, ...], about: _Said) -> Chat:
    question = rng.choice(_grammar()[about.language]["questions"])
    words = rng.sample(about.filled, 2)
    return Chat(name(number), messages, question.format(*words), about.message.id)


def _said(rng: Random, language: str, role: str) -> tuple[str, list[str]]:
    """A message, and what its gaps were filled with."""
    grammar = _grammar()[language]
    shares = _SENTENCES[role]
    count = rng.choices(range(1, len(shares) + 1), shares)[0]
    filled: list[str] = []
    said = [_filled(rng, language, rng.choice(grammar[role]), filled) for _ in range(count)]
    return ("，" if language == "zh" else ". ").join(said), filled


def _filled(rng: Random, language: str, sentence: str, filled: list[str]) -> str:
    def put(gap: re.Match[str]) -> str:
        word = _word(rng, language, gap[1])
        filled.append(word)
        return word

    return _GAP.sub(put, sentence)


def _word(rng: Random, language: str, kind: str) -> str:
    if kind == "number":
        return str(rng.choice((5, 10, 12, 15, 20, 28, 30, 45, 60, 90, 120, 200)) + rng.randrange(5))
    if kind != "rare":
        return str(rng.choice(_grammar()[language]["words"][kind]))
    if language == "zh":
        return "".join(rng.choices(_grammar()["characters"], k=rng.randint(2, 3)))
    return "".join(rng.choices(_grammar()["syllables"], k=rng.randint(2, 3))).capitalize()


@cache
def _grammar() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((places.DATA / "chats.yaml").read_text("utf-8"))
    return found


def chats(persons: int, total: int, seed: int = 0) -> Iterator[Chat]:
    """The talks of all persons, one after the other."""
    for number, size in enumerate(sizes(persons, total, seed)):
        yield chat(number, size, seed)
