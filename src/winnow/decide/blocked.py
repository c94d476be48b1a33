"""What the program cannot judge: times, events, and conditions that nothing reads (law 1)."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.say.messages import message
from winnow.types.query import QueryIR, Reading, Token
from winnow.types.verdict import Nothing, Refusal, Refuse

DURATIONS = frozenset({"second", "minute", "hour", "day"})
LASTING = frozenset({"media", "interval"})
"""Properties that a length of time is a value of: how far to skip in a song, how often to report."""


def blocked(reading: Reading) -> Nothing | Refuse | None:
    """Why nothing of a sentence is looked at, or None.

    Acting now on what was said of later is worse than not acting, so one such word stops the whole sentence.
    """
    tokens = [t for q in reading.queries for t in q.tokens]
    if _is_timer(tokens):
        return Nothing("timer")
    if when := _when(reading.queries, tokens):
        refusal = Refusal("time_trigger", {"condition": when.text})
        return Refuse((refusal,), message("time_trigger", reading.language))
    # Whether the words make a condition that was not read as one
    kinds = {t.kind for t in tokens}
    if "condition" in kinds or ("compare" in kinds and not any(q.conditions for q in reading.queries)):
        return Refuse((Refusal("unknown_condition"),), message("unknown_condition", reading.language))
    return None


def _is_timer(tokens: Sequence[Token]) -> bool:
    """``5分钟后``, ``in ten minutes``: a task for a timer."""
    later = any(
        (t.text == "in" and t.kind != "part") or (t.kind == "timing" and t.data.get("is") == "after")
        for t in tokens
    )
    return later and any(_is_duration(t) for t in tokens)


def _when(queries: Sequence[QueryIR], tokens: Sequence[Token]) -> Token | None:
    """The first word for when it is to be done, or for how long."""
    at = (t for t in tokens if t.kind == "timing" or t.data.get("unit") == "clock")
    lasting = (t for q in queries if not _sets_a_duration(q) for t in q.tokens if _is_duration(t))
    return next(at, None) or next(lasting, None)


def _sets_a_duration(query: QueryIR) -> bool:
    """Whether a length of time is the setting itself, as of ``the washer for 30 minutes``."""
    return query.property in LASTING or (query.value is not None and query.value.unit in DURATIONS)


def _is_duration(token: Token) -> bool:
    return token.data.get("unit") in DURATIONS
