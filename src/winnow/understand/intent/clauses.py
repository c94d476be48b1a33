"""A turn cut into clauses, each with what it does in the talk and what it says apart from the talk."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.normalise import is_han, normalise
from winnow.understand.intent.cues import cue, social

LONGEST = 600
"""Characters of a turn that are read: its end, where what is asked for usually stands."""
TALK = 90
"""Characters up to which a clause may be nothing but talk."""
ANSWERS = frozenset({"yes", "no", "closing", "unsure"})
"""Acts that may as well be the beginning of a sentence."""
_ASKS = re.compile("..[不没吗么]$")
"""``了解不`` asks, though each of its words is one of talk."""
_CUT = re.compile(r"[。!?;~]+|[,.](?!\d)|\s-+\s")
_SEPARATE = " ,.;:!?。、\"'()-"


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause.

    ``rest`` is what it says apart from the talk before and after it; empty when it is nothing but talk.
    """

    text: str
    rest: str
    acts: tuple[str, ...] = ()
    asked: bool = False
    """Whether a question mark closes it."""


@lru_cache(maxsize=256)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a turn, in order; none for a turn without a letter, digit or character."""
    normal = normalise(text, 4 * LONGEST)[-LONGEST:]
    out, start = [], 0
    for mark in [*_CUT.finditer(normal), None]:
        piece = normal[start : mark.start() if mark else len(normal)].strip(_SEPARATE)
        if any(c.isalnum() for c in piece):
            out.append(_clause(piece, asked=mark is not None and "?" in mark[0]))
        start = mark.end() if mark else start
    return tuple(out)


def _clause(text: str, *, asked: bool) -> Clause:
    acts, end = _talk(text, glued=True) if len(text) <= TALK else ((), 0)
    if end == len(text) and acts and not (_ASKS.search(text) and "greeting" not in acts):
        return Clause(text, "", acts, asked)
    acts, end = _talk(text, glued=False)
    rest = " ".join(cue("hesitation").sub(" ", text[end:].strip(_SEPARATE)).split())
    rest = cue("filler").sub("", rest)
    rest = rest[: len(rest) - _closing(rest)].strip(_SEPARATE)
    return Clause(text, rest if len(rest) > 1 else text, acts, asked)


def _talk(text: str, *, glued: bool) -> tuple[tuple[str, ...], int]:
    """The acts of the words of talk at the start, and where they end.

    Without ``glued`` one Chinese character is no such word.
    """
    acts: list[str] = []
    at = 0
    while at < len(text):
        act, end = _longest(text, at, glued=glued)
        if end == at or (not glued and (act in ANSWERS or (end - at == 1 and is_han(text[at])))):
            break
        acts += [act] if act else []
        at = end
        while at < len(text) and text[at] in _SEPARATE:
            at += 1
    return tuple(dict.fromkeys(acts)), at


def _longest(text: str, at: int, *, glued: bool) -> tuple[str, int]:
    best, where = "", at
    for act, pattern in social().items():
        found = pattern.match(text, at)
        if found and found.end() > where:
            best, where = act, found.end()
    if glued and where == at:
        found = cue("glue").match(text, at)
        where = found.end() if found else at
    return best, where


def _closing(rest: str) -> int:
    """How many characters at the end are thanks."""
    ends = [m for m in social()["thanks"].finditer(rest) if m.end() == len(rest)]
    return len(rest) - ends[0].start() if ends and ends[0].start() else 0
