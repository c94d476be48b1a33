"""Histories written for these tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import question_texts
from winnow.types.candidate import Search
from winnow.types.message import Message

TABLE = StaticEmbedder()
START = datetime.fromisoformat("2025-03-03T09:00")


def said(lines: str, start: datetime = START, conversation: str = "") -> list[Message]:
    """A message per line ``role: text``, a minute apart; an empty line is a night."""
    at = start
    found: list[Message] = []
    for line in lines.strip().splitlines():
        if not line.strip():
            at += timedelta(hours=12)
            continue
        role, _, text = line.strip().partition(": ")
        found.append(Message(f"{conversation}{len(found)}", role, text, at, conversation))
        at += timedelta(minutes=1)
    return found


def cosines(search: Search, index: HistoryIndex) -> np.ndarray:
    """The cosines by the built-in table."""
    return TABLE.embed(question_texts(search, index)) @ TABLE.embed([m.content for m in index.messages]).T


def day(year: int, month: int, number: int) -> datetime:
    """Midnight of that day, by the clock on the wall."""
    return datetime.fromisoformat(f"{year}-{month:02d}-{number:02d}")


def index_of(messages: Sequence[Message]) -> HistoryIndex:
    return build_history(messages, TABLE)


NEIGHBOURS = said("""
    Priya: Morning! Did the plumber come by in the end?
    Tom: He did, the tap in the cellar is fixed.
    Priya: What did you pay for it?
    Tom: Ninety, and he took the old one with him.

    Tom: I have joined a rowing club on the canal.
    Priya: Lovely! How often do you train?
    Tom: Every Tuesday and Friday before work.
    Priya: I could never get up that early.

    Priya: My sister Anika is moving to Lisbon in June.
    Tom: What will she do there?
    Priya: She found a post as a translator at a publishing house.
    Tom: I bought new boots for the mountains yesterday.
""")

DIARY = said("""
    user: 周三下午三点要去牙医那里补牙。
    user: 表哥林志远在青岛的造船厂当焊工。
    user: 冰箱里的牛奶快过期了。
    user: 我把阳台的薄荷换了个大花盆。
    user: 当焊工的那个亲戚生日是九月二号。
    user: 健身卡下个月到期，记得续费。
    user: 林志远的电话是13300001234。
    user: 新买的咖啡机声音有点大。
""")
