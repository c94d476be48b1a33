"""What a question asks for (a time, a number, a person ...), and which pieces of a text may hold it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from winnow.text.tables import table


@dataclass(frozen=True, slots=True)
class Cue:
    """What a question of one kind asks for."""

    kind: str
    asks: re.Pattern[str]
    shows: tuple[tuple[float, re.Pattern[str]], ...]
    """How sure a match makes, surest first."""

    def shown(self, text: str, query: str) -> float:
        """0..1: how sure it is that the text holds such a thing; what the question says itself is none."""
        for sure, pattern in self.shows:
            if any(match.group().lower().strip() not in query for match in pattern.finditer(text)):
                return sure
        return 0.0


def cue(query: str) -> Cue:
    """What this question asks for; one of kind ``what`` where it does not say."""
    low = query.lower()
    return next(cue for cue in cues() if cue.asks.search(low))


@cache
def cues() -> tuple[Cue, ...]:
    """All kinds of questions, the surest first."""
    rows = cast("list[dict[str, Any]]", table("winnow.assemble.compress", "cues.yaml"))
    return tuple(
        Cue(row["kind"], re.compile(row["asks"]), tuple((sure, re.compile(p)) for sure, p in row["shows"]))
        for row in rows
    )
