"""Whether the newest value of what was said twice comes first, and whether what still holds is left alone.

    python -m benchmarks.current_values [--only en|first|second|zh|ordinary] [--show]

Histories of ``benchmarks/data/messages/current_values.en.jsonl``, and of ``WINNOW_BENCH``
``current_zh.zh`` (an old and a new value of one fact) and the ordinary ones of ``locomo.en`` and
``memdaily.zh``, which are not part of this repository; what is absent is left out. Each is ranked by words.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, cast

from benchmarks import places
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import search_history
from winnow.retrieve.statements.news import order_by_news
from winnow.retrieve.statements.supersession import Supersession, text_claims
from winnow.types.candidate import Search
from winnow.types.message import Message

Row = Mapping[str, Any]
DEPTH = 30
"""Candidates that are put in order."""
FIRST = 10
HALVES = ("en", "first", "second")
"""The English set and its halves: rules and weights were made with the first, the second was left unread."""
JOBS = {"cost": "cost", "current_zh.zh": "zh", "locomo.en": "ordinary", "memdaily.zh": "ordinary"}
TABLE = StaticEmbedder()


def messages_of(history: Sequence[Row]) -> list[Message]:
    """The messages of a history, oldest first; one without a time comes behind the one before it."""
    found, last = [], datetime(2020, 1, 1)  # noqa: DTZ001 - a wall clock
    for row in history:
        at = datetime.fromisoformat(row["created_at"]) if row["created_at"] else last + timedelta(seconds=1)
        found.append(Message(row["id"], row["role"], row["content"], at.replace(tzinfo=None)))
        last = found[-1].at or last
    return sorted(found, key=lambda message: message.at or last)


def answered(case: Row, index: HistoryIndex, limit: int = DEPTH) -> tuple[list[str], set[str]]:
    """The ranked ids of a question, and those marked as outdated."""
    found = search_history(Search(case["query"]), index, limit=limit).candidates
    marked = {candidate.ref.id for candidate in found if "superseded_by" in cast("Row", candidate.data)}
    return [candidate.ref.id for candidate in found], marked


def pairs(cases: Sequence[Row], show: bool = False) -> dict[str, float]:
    """The figures of histories that say one thing twice."""
    latest = stale = marked = wrong = held = 0
    for case in cases:
        ids, outdated = answered(case, build_history(messages_of(case["history"]), TABLE))
        is_latest = bool(ids) and ids[0] in case["evidence_ids"]
        is_stale = any(i in case["stale_ids"] and i not in outdated for i in ids[:5])
        wrongly = (outdated - set(case["stale_ids"])) & set(case.get("holds_ids") or ids)
        latest, stale, wrong = latest + is_latest, stale + is_stale, wrong + bool(wrongly)
        marked += bool(set(case["stale_ids"]) & outdated)
        held += len(outdated - set(case["stale_ids"]))
        if show and (not is_latest or is_stale or wrongly):
            _show(case, ids, outdated, wrongly)
    n = len(cases)
    share = {"latest@1": latest, "stale@5": stale, "old marked": marked, "histories wrongly marked": wrong}
    figures = {name: round(100 * count / n, 1) for name, count in share.items()}
    return {"n": n, **figures, "other messages marked": held}


def _show(case: Row, ids: Sequence[str], outdated: set[str], wrongly: set[str]) -> None:
    texts = {row["id"]: row["content"] for row in case["history"]}
    print(f"\n{case['id']} {case['category']}: {case['query']}")
    for label, named in (("new", case["evidence_ids"]), ("old", case["stale_ids"]), ("WRONG", wrongly)):
        for one in named:
            place = ids.index(one) + 1 if one in ids else "-"
            print(f"  {label:5s} {place!s:>3s} {'marked' if one in outdated else ''} {texts[one]}")
    if ids and ids[0] not in case["evidence_ids"]:
        print(f"  first     {texts[ids[0]]}")


def ordinary(folder: Path, name: str, show: bool = False) -> dict[str, float]:
    """How many messages of ordinary histories are called outdated, of all and among answers."""
    count = Counter[str]()
    for _, own, asked in _people(folder, name):
        index = build_history(own, TABLE)
        found = Supersession.from_messages(own).replaced
        count.update(histories=1, messages=len(own), marked=len(found), questions=len(asked))
        count["histories with marks"] += bool(found)
        for case in asked:
            ids, marked = answered(case, index, FIRST)
            count["answers marked"] += bool(marked & set(case["evidence_ids"]))
            count["questions with marks in the first ten"] += bool(marked)
            count["marks in the first ten"] += len(marked & set(ids))
        for old, new in found.items() if show else ():
            print(f"  {own[old].content[:110]}  =>  {own[new].content[:110]}")
    return {**count, "marked %": round(100 * count["marked"] / count["messages"], 2)}


def _people(folder: Path, name: str) -> Iterator[tuple[str, list[Message], list[Row]]]:
    """(person, messages, questions): by the list a question carries, else by person."""
    rows = places.rows(folder / f"{name}.messages.jsonl")
    by_id = {row["id"]: row for row in rows}
    asked: dict[str, list[Row]] = {}
    for case in places.rows(folder / f"{name}.jsonl"):
        asked.setdefault(case["id"] if "history_ids" in case else case["user_id"], []).append(case)
    for key, cases in asked.items():
        listed = cases[0].get("history_ids")
        own = [by_id[i] for i in listed] if listed else [row for row in rows if row["user_id"] == key]
        yield key, messages_of(own) if not listed else _in_order(own), cases


def _in_order(rows: Sequence[Row]) -> list[Message]:
    return [Message(row["id"], row["role"], row["content"]) for row in rows]


def cost(cases: Sequence[Row]) -> dict[str, float]:
    """Milliseconds: reading the statements of 30 messages anew, and putting 30 rows in order, the median."""
    read, order = [], []
    for case in cases[:60]:
        messages = messages_of(case["history"])
        text_claims.cache_clear()
        start = time.perf_counter()
        Supersession.from_messages(messages[:30])
        read.append(time.perf_counter() - start)
        told = Supersession.from_messages(messages)
        rows = {row: 1 - row / DEPTH for row in range(min(DEPTH, len(messages)))}
        start = time.perf_counter()
        order_by_news(rows, messages, case["query"], told, lambda term: 1.0)
        order.append(time.perf_counter() - start)
    return {"read 30, ms": round(1000 * median(read), 2), "order 30, ms": round(1000 * median(order), 2)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", choices=("", *HALVES, "zh", "ordinary", "cost"))
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    jobs = _jobs(places.further() / "dev" / "messages", options.show)
    found = {name: job() for name, job in jobs.items() if options.only in {"", name, JOBS.get(name, "")}}
    for name, figures in found.items():
        print(name, figures)
    if not options.only:
        places.keep("current_values", {**places.result("current_values"), "found": found})


def _jobs(folder: Path, show: bool) -> dict[str, Callable[[], dict[str, float]]]:
    """What can be measured with the files that are there."""
    english = places.rows(places.DATA / "messages" / "current_values.en.jsonl")
    middle = len(english) // 2
    parts = {"en": english, "first": english[:middle], "second": english[middle:]}
    jobs: dict[str, Callable[[], dict[str, float]]] = {
        name: partial(pairs, part, show) for name, part in parts.items()
    }
    jobs["cost"] = partial(cost, english)
    if (folder / "current_zh.zh.jsonl").is_file():
        jobs["current_zh.zh"] = lambda: pairs(places.rows(folder / "current_zh.zh.jsonl"), show)
    for name in ("locomo.en", "memdaily.zh"):
        if (folder / f"{name}.jsonl").is_file():
            jobs[name] = partial(ordinary, folder, name, show)
    return jobs


if __name__ == "__main__":
    main()
