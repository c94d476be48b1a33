"""A question -> its clauses, each with its terms: what is looked for one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from winnow.language.content import content_terms
from winnow.recall.history.anchored import anchored_times
from winnow.recall.history.index import HistoryIndex
from winnow.recall.history.language import pattern, words
from winnow.recall.history.moments import moment_words
from winnow.recall.history.speakers import named_in, sides_in, without
from winnow.recall.history.times import Span, asked_times, asks_for_time
from winnow.types.search import Search

_HELD = re.compile("\x01(\\d+)\x01")
_EDGES = " ，,。"
SHORTEST = 4
"""Characters of a clause that asks something."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is asked."""

    text: str
    """Without the names of those who speak: every one of their messages would answer to them."""
    terms: tuple[str, ...]
    """Each once."""
    forms: tuple[str, ...]
    """The word each term was made of."""
    names: tuple[str, ...]
    sides: tuple[str, ...]
    """``user`` or ``assistant``, where it asks for what one of them said."""
    times: tuple[Span, ...]
    """When what is asked for happened, as far as it says."""
    asks_time: bool
    """Whether a time would answer it."""
    moments: tuple[str, ...]
    """All its words, as the names of days, months and years are compared."""
    several: bool
    """Whether more than one message will answer it: which, how many, has ever."""


def clauses(search: Search, index: HistoryIndex) -> tuple[Clause, ...]:
    """What a search asks, at least one thing."""
    return tuple(_clause(part, search.at, index) for part in _parts(search.text))


def _clause(text: str, at: datetime | None, index: HistoryIndex) -> Clause:
    names = named_in(text, index.speakers)
    bare = without(text, names) or text
    forms: dict[str, str] = {}
    terms = tuple(sorted(set(content_terms(bare, forms))))
    spoken = tuple(forms.get(term, term) for term in terms)
    times = asked_times(bare, at, index.times) + anchored_times(bare, at, index)
    return Clause(
        bare,
        terms,
        spoken,
        names,
        sides_in(text),
        times,
        asks_for_time(bare),
        tuple(sorted(set(moment_words(bare)))),
        any(pattern("several", language).search(text) for language in words()["several"]),
    )


def _parts(text: str) -> list[str]:
    """The clauses that ask; where one ends in a question mark, only such; the whole text if none asks."""
    parts = [part for part in _cut(text) if len(part) >= SHORTEST]
    marked = [_led_up_to(part) for part in parts if part[-1] in words()["question_marks"]]
    return marked or [part for part in parts if pattern("clauses", "asks").search(part)] or [text]


def _led_up_to(part: str) -> str:
    """The question itself: what is left of ``我想问的是：``."""
    return pattern("clauses", "leads").sub("", part) or part


def _cut(text: str) -> list[str]:
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\x01{len(held) - 1}\x01"

    pieces = pattern("clauses", "ends").split(pattern("clauses", "quotes").sub(hold, text))
    return [_HELD.sub(lambda found: held[int(found[1])], piece).strip(_EDGES) for piece in pieces if piece]
