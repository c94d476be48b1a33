"""What the time of a message reads like, so that a question that names a month, a day or a year finds it."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from winnow.recall.history.language import core, words


def moment_terms(at: datetime | None) -> list[str]:
    """Weekday, month, year and day, in both languages; nothing of an unknown time."""
    return list(_terms(at.year, at.month, at.day, at.weekday())) if at is not None else []


@lru_cache(maxsize=4096)
def _terms(year: int, month: int, day: int, weekday: int) -> tuple[str, ...]:
    tables = words()
    named = (tables["weekdays"][weekday], tables["months"][month - 1])
    return (*map(core, named), str(year), f"{day:02d}", str(month), tables["month_sign"])
