"""What the day of a message is called, so that a question with a month, a weekday or a year finds it.

Where a question names a whole stretch of days, ``times`` finds it; here its words count as words do, for less
the more messages share them.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from winnow.language.ngrams import runs, stem
from winnow.language.normalise import normalise
from winnow.recall.history.language import words


def moment_words(text: str) -> list[str]:
    """The words of a question as those of days are written."""
    latin, han = runs(normalise(text))
    return [stem(word) for word in latin] + [sign for run in han for sign in run]


def day_words(at: datetime | None) -> tuple[str, ...]:
    """Weekday, month, year and day, in both languages; nothing of an unknown time."""
    return _words(at.year, at.month, at.day, at.weekday()) if at is not None else ()


@lru_cache(maxsize=4096)
def _words(year: int, month: int, day: int, weekday: int) -> tuple[str, ...]:
    tables = words()
    named = (tables["weekdays"][weekday], tables["months"][month - 1])
    numbers = (str(year), f"{day:02d}", str(month))
    return (*map(stem, named), *numbers, tables["month_sign"])
