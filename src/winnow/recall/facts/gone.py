"""Whether what happened ends what was held, or puts something else in its place."""

from __future__ import annotations

from winnow.recall.facts.said import said


def ends(old: str, news: str) -> bool:
    """Whether the news say that the older statement is over: they deny it, or tell of an end."""
    before, after = said(old).marks, said(news).marks
    return "ended" in after or ("denied" in after) != ("denied" in before)
