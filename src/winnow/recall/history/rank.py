"""Which of a person's earlier messages a question is about: the best of them, each with its reasons.

How many reasons there are and what each counts for is data: ``weights.yaml``, fitted by
``training/history/fit.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.recall.history.asked import clauses
from winnow.recall.history.best import best_rows
from winnow.recall.history.diverse import diverse
from winnow.recall.history.features import features
from winnow.recall.history.index import HistoryIndex
from winnow.recall.history.superseded import Current, arranged, newest_first, told_among
from winnow.recall.history.tuned import PLAIN, Tuning, found_at_all, fresh
from winnow.text.tables import table
from winnow.types.ref import Ref
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Evidence, Shortlist

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
HEAD = 10
"""So many of the best are put in order by what is news; a longer list begins like a shorter one."""
POOL = 3
"""Times the limit: so many messages are looked at where near-duplicates stand back."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What one clause of a question finds."""

    reasons: Mapping[str, Floats]
    """Reason -> how much it speaks for each message, 0..1."""
    scores: Floats
    several: bool
    """Whether more than one message will answer it."""


def questions(search: Search, index: HistoryIndex) -> tuple[str, ...]:
    """The texts of the question whose vectors are wanted: its clauses without the names of the speakers."""
    return tuple(clause.text for clause in clauses(search, index))


def likely(search: Search, index: HistoryIndex, limit: int) -> Rows:
    """The rows that words alone put first, best first, at most ``limit``: what is worth an embedding."""
    orders = [best_rows(one.scores, limit).tolist() for one in answers(search, index)]
    return np.array(list(in_turns(orders))[:limit], np.intp)


def recall_history(
    search: Search,
    index: HistoryIndex,
    cosines: Floats | None = None,
    limit: int = 10,
    tuning: Tuning = PLAIN,
) -> Shortlist:
    """The best messages for a question, best first, each with its reasons.

    Where several things are asked at once they take turns. What was said anew later stands behind what
    replaced it and names it as ``superseded_by``.

    ``cosines`` has shape ``(len(questions(search, index)), index.size)``, 0 where a vector is not known;
    None: words alone decide. Equal scores: the newer message first.
    """
    if not index.size:
        return Shortlist("history")
    found = answers(search, index, cosines, tuning)
    newest = ordered(search, index, found, limit, tuning.diversity)
    best = ((row, _most(found, row)) for row in newest.rows[:limit])
    return Shortlist("history", tuple(_candidate(index, one, row, newest) for row, one in best))


def ordered(
    search: Search, index: HistoryIndex, found: Sequence[Answers], limit: int, diversity: float = 0.0
) -> Current:
    """The best rows of all clauses in turns, the newest value first."""
    orders = [_order(index, one, max(limit, HEAD), diversity) for one in found]
    rows = tuple(in_turns(orders))
    told = told_among(rows, index.messages) if index.told is None else index.told
    head = arranged(rows[:HEAD], index.messages, search.text, told, index.words.weight)
    tail = newest_first(rows[HEAD:], told)
    return Current(tuple(dict.fromkeys(head.rows + tail.rows)), {**tail.replaced, **head.replaced})


def answers(
    search: Search, index: HistoryIndex, cosines: Floats | None = None, tuning: Tuning = PLAIN
) -> tuple[Answers, ...]:
    """What each clause finds, with its reasons; ``cosines`` as in ``recall_history``."""
    asked = clauses(search, index)
    known = np.zeros((len(asked), index.size), np.float32) if cosines is None else cosines
    left = fresh(search.at, index.messages, tuning.half_life_days)
    found: list[Answers] = []
    for clause, alike in zip(asked, known, strict=True):
        reasons = features(index, clause, alike)
        kept = found_at_all(reasons["window"], alike, tuning.similarity_threshold)
        found.append(Answers(reasons, weighed(reasons, weights()) * left * kept, clause.several))
    return tuple(found)


def in_turns(orders: Sequence[Sequence[int]]) -> Iterator[int]:
    """The first of each, then the second of each ..., each row once."""
    given: set[int] = set()
    for rows in zip_longest(*orders):
        for row in rows:
            if row is not None and row not in given:
                given.add(row)
                yield row


def weights() -> Mapping[str, float]:
    """What each reason counts for."""
    return cast("Mapping[str, float]", table("winnow.recall.history", "weights.yaml"))


def weighed(found: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The sum of the reasons, each as much as its weight."""
    total = np.zeros_like(next(iter(found.values())))
    for name, weight in weights.items():
        total += np.float32(weight) * found[name]
    return total


def _order(index: HistoryIndex, found: Answers, limit: int, diversity: float) -> Sequence[int]:
    pool = best_rows(found.scores, limit * POOL)
    rows = diverse(index, found.scores, pool, limit, diversity, found.several)
    return cast("list[int]", rows.tolist())


def _most(found: Sequence[Answers], row: int) -> Answers:
    """The clause that the message answers best."""
    return max(found, key=lambda one: float(one.scores[row]))


def _candidate(index: HistoryIndex, found: Answers, row: int, newest: Current) -> Candidate:
    told = ((name, float(found.reasons[name][row])) for name in weights())
    evidence = tuple(Evidence(name, score) for name, score in told if score > 0)
    data = _told(index, row, newest.replaced)
    return Candidate(Ref("message", index.messages[row].id), evidence, float(found.scores[row]), data)


def data_of(index: HistoryIndex, row: int) -> dict[str, object]:
    """What is known of a message, as its reader gets it, whatever is asked."""
    return _told(index, row, index.told.replaced if index.told else {})


def _told(index: HistoryIndex, row: int, replaced: Mapping[int, int]) -> dict[str, object]:
    message = index.messages[row]
    data: dict[str, object] = {
        "text": message.content,
        "speaker": message.role,
        "at": message.at.isoformat() if message.at else "",
    }
    return {**data, "superseded_by": index.messages[replaced[row]].id} if row in replaced else data
