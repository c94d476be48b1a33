"""Ranked messages with the newest value first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from winnow.recall.history.superseded.news import Rarity, asks_before, news_first
from winnow.recall.history.superseded.told import Told
from winnow.types.message import Message


@dataclass(frozen=True, slots=True)
class Current:
    """Rows in their new order, and those of them that are outdated with the row that replaced each."""

    rows: tuple[int, ...]
    replaced: Mapping[int, int]


def newest_first(rows: Sequence[int], told: Told) -> Current:
    """Rows of a history, best first: what tells the newest value stands before what it replaced.

    A row that replaces one of these and was not found is put in. Costs a few look-ups.
    """
    order: dict[int, None] = {}
    for row in rows:
        newest = _newest(row, told)
        if newest is not None:
            order[newest] = None
        order[row] = None
    return Current(tuple(order), {row: told.replaced[row] for row in order if row in told.replaced})


def arranged(
    rows: Sequence[int], messages: Sequence[Message], question: str, told: Told, rarity: Rarity
) -> Current:
    """The same for whoever asks: news of what is asked for stand first, whatever could be read of them.

    ``messages`` are those of the history by row, ``told`` what was read of them, ``rarity``
    says how rare a term is in them.
    """
    if not rows:
        return Current((), {})
    news, sure = news_first(rows, messages, question, rarity)
    if asks_before(question):
        return Current(news, {row: told.replaced[row] for row in news if row in told.replaced})
    found = newest_first(news, told)
    return Current(found.rows, {**sure, **found.replaced})


def _newest(row: int, told: Told) -> int | None:
    """What replaced the row in the end. Replacements point to later rows only, so this comes to an end."""
    newest = None
    while row in told.newer:
        row = newest = told.newer[row]
    return newest


def told_among(rows: Sequence[int], messages: Sequence[Message]) -> Told:
    """What the messages of these rows alone say that one of them said anew; rows as in ``messages``."""
    oldest = sorted(rows)
    told = Told.of([messages[row] for row in oldest])
    return Told(*({oldest[a]: oldest[b] for a, b in pairs.items()} for pairs in (told.newer, told.replaced)))


def current(ranked: Sequence[Message]) -> Current:
    """The same for ranked messages alone; rows are positions in ``ranked``.

    Their times order them; where one has none they are taken as the ranking gives them, oldest last.
    """
    oldest = sorted(range(len(ranked)), key=lambda at: (_time(ranked[at]), -at))
    told = Told.of([ranked[at] for at in oldest])
    back = Told(
        {oldest[old]: oldest[new] for old, new in told.newer.items()},
        {oldest[old]: oldest[new] for old, new in told.replaced.items()},
    )
    return newest_first(range(len(ranked)), back)


def _time(message: Message) -> datetime:
    return message.at or datetime.min  # noqa: DTZ901 - a wall clock has no zone
