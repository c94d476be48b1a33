"""Which of a person's earlier messages a question is about: the best of them, each with its reasons.

How many reasons there are and what each counts for is data: ``weights.yaml``, fitted by
``training/history/fit.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.language.tables import table
from winnow.retrieve.history.features import best_rows, features
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.queries import clauses
from winnow.retrieve.statements.supersession import Current, arranged, newest_first, told_among
from winnow.types.candidate import Candidate, Evidence, Ref, Search, Shortlist
from winnow.types.message import Message

# Messages that say what a better one says stand back, and where several are asked for, talks take turns.


Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


SPREAD = np.float32(0.03)
"""What a message loses for each better one of its talk, where several are asked for; the best has 1.

What somebody did "so far" was told in many talks, and one of them alone would fill the list.
"""


def diverse(
    index: HistoryIndex, scores: Floats, rows: Rows, limit: int, diversity: float, spread: bool = False
) -> Rows:
    """At most ``limit`` of the rows, best first.

    A message loses ``diversity`` times its share of words in common with the most similar one before it
    (maximal marginal relevance), and with ``spread`` a little for each before it of its talk; the best score
    counts 1.
    """
    if len(rows) < 2 or not (diversity > 0 or spread):
        return rows[:limit]
    nothing = np.zeros((len(rows), len(rows)), np.float32)
    alike = diversity * _alike(index, rows) if diversity > 0 else nothing
    together = SPREAD * _together(index, rows) if spread else nothing
    return rows[_chosen((1 - diversity) * scores[rows] / scores[rows[0]], alike, together)[:limit]]


def _chosen(worth: Floats, alike: Floats, together: Floats) -> list[int]:
    """One after the other, the best by what is left of its worth beside those that were chosen before."""
    left, loss, crowd = worth.copy(), np.zeros_like(worth), np.zeros_like(worth)
    chosen: list[int] = []
    for _ in worth:
        best = int(np.argmax(left - loss - crowd))
        chosen.append(best)
        left[best] = -np.inf
        loss = np.maximum(loss, alike[best])
        crowd = crowd + together[best]
    return chosen


def _together(index: HistoryIndex, rows: Rows) -> Floats:
    """1 where two messages are of one dialogue, else 0, shape ``(rows, rows)``."""
    talk, dialogue = index.talks.number[rows], index.talks.dialogue[rows]
    shared: Floats = ((talk[:, None] == talk[None]) & dialogue).astype(np.float32)
    return shared


def _alike(index: HistoryIndex, rows: Rows) -> Floats:
    """The share of words that any two of the messages have in common, 0..1, shape ``(rows, rows)``."""
    held = [frozenset(index.counts.of(int(row)).tolist()) for row in rows]
    return np.array([[len(a & b) / (len(a | b) or 1) for b in held] for a in held], np.float32)


# How a ranking may be bent: by age, by a least similarity, against near-duplicates.


DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Tuning:
    """With the defaults a ranking is as the weights make it."""

    similarity_threshold: float = 0.0
    """Least cosine of a message that no word of the question finds. 0: none is asked."""
    diversity: float = 0.0
    """How much a message loses that says what a better one says, 0 to 1 (MMR)."""
    half_life_days: float = 0.0
    """After how many days a message counts half as much. 0: age does not count."""


PLAIN = Tuning()


def fresh(now: datetime | None, messages: tuple[Message, ...], half_life: float) -> Floats:
    """What is left of each message's score, 0..1; all of it where nobody knows its time or age is nothing."""
    nothing_lost = np.ones(len(messages), np.float32)
    if half_life <= 0:
        return nothing_lost
    newest = now or max((message.at for message in messages if message.at), default=None)
    if newest is None:
        return nothing_lost
    ages = [(newest - m.at).total_seconds() / DAY if m.at else 0.0 for m in messages]
    left: Floats = np.exp2(-np.maximum(np.array(ages, np.float32), 0) / np.float32(half_life))
    return left


def found_at_all(words: Floats, cosines: Floats, least: float) -> npt.NDArray[np.bool_]:
    """Which messages a word of the question finds, or whose cosine is high enough."""
    return (words > 0) | (cosines >= least) if least > 0 else np.ones(len(words), np.bool_)


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
    return cast("Mapping[str, float]", table("winnow.retrieve.history", "weights.yaml"))


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
