"""What the assistant does by itself: a sum, work on words at hand, making something up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from winnow.language.normalise import normalise
from winnow.text.tables import table
from winnow.understand.intent.before import Before
from winnow.understand.intent.clauses import LONGEST, Clause
from winnow.understand.intent.cues import either, shows
from winnow.understand.intent.kinds import is_question, kind

QUOTED = " {q} "
"""Stands where quoted text stood."""
LONGEST_HEAD = 200
"""Characters up to which what is to be done is read: longer turns tell, and seldom ask only that."""
LONG_QUOTE = 24
"""Characters from which a quotation is a text to be worked on, and no title."""
_QUOTE = re.compile(r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|[“「『]([^”」』]+)[”」』]")
_TAIL = re.compile(r"(?<!\d):\s*(?=\S)")
_NAME = re.compile("<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Task:
    """A turn as something to be done.

    ``head`` says what, with quoted text and text after a colon taken out; empty when it is too long for that.
    """

    head: str
    given: int
    """Characters of the longest text that was taken out."""
    colon: bool
    clauses: tuple[Clause, ...]
    before: Before

    @property
    def said(self) -> tuple[Clause, ...]:
        """The clauses that are more than talk."""
        return tuple(c for c in self.clauses if c.rest)


def task(text: str, turn: Sequence[Clause], state: Before) -> Task:
    """The turn ``text``, cut into ``turn``, in the state of the talk."""
    normal = normalise(text, 4 * LONGEST)
    quotes = [next(filter(None, m.groups())) for m in _QUOTE.finditer(normal)]
    bare = _QUOTE.sub(QUOTED, normal)
    head, *tail = _TAIL.split(bare, maxsplit=1)
    longest = max(map(len, [*quotes, *tail]), default=0)
    head = " ".join(head.split()).strip(" ,.;!?。")
    return Task(head if len(head) <= LONGEST_HEAD else "", longest, bool(tail), tuple(turn), state)


def alone(asked: Task) -> tuple[str, str] | None:
    """The act and the rule of a turn that needs nothing looked up; None for others."""
    return next(((act, rule) for rule, (act, holds) in ALONE.items() if holds(asked)), None)


def on_documents(asked: Task) -> bool:
    """Whether words are to be worked on, or something written, that only documents hold."""
    if asked.given:
        return False
    works = _shows("work", asked.head) or _shows("digest", asked.head)
    return _shows("grounded", asked.head) or (works and _shows("document", asked.head))


def meets_a_need(asked: Task) -> bool:
    """Whether a need is told together with what is at hand to meet it."""
    return _shows("need", asked.head) and _shows("hand", asked.head)


def _sum(asked: Task) -> bool:
    """Nothing but numbers, what is done to them and how that is asked."""
    numbers = len(_pattern("number").findall(asked.head))
    if not numbers or asked.colon or not _only("sum").fullmatch(asked.head):
        return False
    return _shows("root", asked.head) or (numbers > 1 and _shows("operator", asked.head))


def _again(asked: Task) -> bool:
    """The last answer once more, or in other words."""
    return _shows("again", asked.head)


def _given(asked: Task) -> bool:
    """Work on words that stand in the turn or in the talk."""
    if asked.given:
        works = _shows("work", asked.head) or _shows("handled", asked.head)
        whole = asked.colon or asked.given >= LONG_QUOTE
        return works or (whole and _shows("digest", asked.head))
    works = _shows("work", asked.head) or _shows("digest", asked.head)
    return works and _shows("pointed", asked.head) and not _shows("document", asked.head)


def _creation(asked: Task) -> bool:
    made = _shows("creation", asked.head) and not _shows("grounded", asked.head)
    return made and not _asks_beside("creation", asked)


def _manner(asked: Task) -> bool:
    return not asked.before.waiting and not asked.colon and _each("manner", asked)


def _recalled(asked: Task) -> bool:
    recalled = bool(asked.before.turns) and _shows("recalled", asked.head)
    return recalled and not _asks_beside("recalled", asked)


def _leaving(asked: Task) -> bool:
    return _each("leaving", asked)


def _report(asked: Task) -> bool:
    """Told without asking or wishing anything, with a feeling at its end."""
    if not asked.said or any(is_question(c) or kind(c) in {"request", "own"} for c in asked.said):
        return False
    last = asked.clauses[-1]
    moved = not last.rest or _shows("moved", last.text) or shows("feeling", last.text)
    told = _shows("report", asked.said[0].text) and not shows("hearsay", asked.head)
    return moved and told and not _shows("trouble", asked.head)


ALONE: Mapping[str, tuple[str, Callable[[Task], bool]]] = {
    "sum": ("request", _sum),
    "repeat": ("request", _again),
    "given": ("request", _given),
    "creation": ("request", _creation),
    "manner": ("request", _manner),
    "recalled": ("question", _recalled),
    "leaving": ("farewell", _leaving),
    "report": ("statement", _report),
}
"""Rule -> what such a turn is called, and whether a turn is one; in order."""


def _each(name: str, asked: Task) -> bool:
    """Whether each clause that says anything is wholly one of those."""
    whole = _pattern(name)
    return bool(asked.said) and all(whole.fullmatch(c.rest) or whole.fullmatch(c.text) for c in asked.said)


def _asks_beside(name: str, asked: Task) -> bool:
    """Whether a clause that is none of those asks for something, too."""
    others = (c for c in asked.said if not _shows(name, c.text) and not _shows(name, c.rest))
    return any(kind(c) in {"question", "own"} for c in others)


def _shows(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return either(_spelled(name))


@cache
def _only(name: str) -> re.Pattern[str]:
    """Fits text made of nothing but those pieces; possessive, so that no text takes long."""
    rows = _spelled(name)
    return re.compile(rf"(?:(?:{'|'.join(rows['zh'])})\s*)++|(?:(?:{'|'.join(rows['en'])})(?![a-z])\s*)++")


def _spelled(name: str) -> Mapping[str, Sequence[str]]:
    """The pieces of a section, each ``<name>`` in them replaced by the words of that name."""
    read: Mapping[str, Any] = table(__package__, "alone.yaml")

    def words(language: str, piece: str) -> str:
        named = read["words"][language]
        return _NAME.sub(lambda m: f"(?:{words(language, '|'.join(named[m[1]]))})", piece)

    return {language: [words(language, piece) for piece in rows] for language, rows in read[name].items()}
