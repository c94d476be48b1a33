"""Which of a person's earlier messages a question is about: the best of them, each with its reasons.

How many reasons there are and what each counts for is data: ``weights.yaml``, fitted by
``training/history/fit.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.recall.history.asked import clauses
from winnow.recall.history.diverse import diverse
from winnow.recall.history.features import best_of, features
from winnow.recall.history.index import HistoryIndex
from winnow.recall.history.superseded import Current, arranged
from winnow.text.tables import table
from winnow.types.message import Message
from winnow.types.ref import Ref
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Evidence, Shortlist

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
DAY = 86400.0
POOL = 3
"""Times the limit: so many messages are looked at where near-duplicates stand back."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a ranking may be bent; with the defaults it is as the weights make it."""

    similarity_threshold: float = 0.0
    """Least cosine of a message that no word of the question finds. 0: none is asked."""
    diversity: float = 0.0
    """How much a message loses that says what a better one says, 0 to 1 (MMR)."""
    half_life_days: float = 0.0
    """After how many days a message counts half as much. 0: age does not count."""


PLAIN = Tuning()


def questions(search: Search, index: HistoryIndex) -> tuple[str, ...]:
    """The texts of the question whose vectors are wanted: its clauses without the names of the speakers."""
    return tuple(clause.text for clause in clauses(search, index))


def likely(search: Search, index: HistoryIndex, limit: int) -> Rows:
    """The rows that words alone put first, best first, at most ``limit``: what is worth an embedding."""
    return _best(_scores(reasons(search, index, None)), limit)


def recall_history(
    search: Search,
    index: HistoryIndex,
    cosines: Floats | None = None,
    limit: int = 10,
    tuning: Tuning = PLAIN,
) -> Shortlist:
    """The best messages for a question, best first, each with its reasons.

    What was said anew later stands behind what replaced it and names it as ``superseded_by``.

    ``cosines`` has shape ``(len(questions(search, index)), index.size)``, 0 where a vector is not known;
    None: words alone decide. Equal scores: the newer message first.
    """
    if not index.size:
        return Shortlist("history")
    found = reasons(search, index, cosines)
    scores = _scores(found)
    if tuning.half_life_days > 0:
        scores = scores * _freshness(search.at, index.messages, tuning.half_life_days)
    if tuning.similarity_threshold > 0:
        scores = np.where((found["window"] > 0) | _alike(cosines, tuning.similarity_threshold), scores, 0)
    rows = diverse(index, scores, _best(scores, limit * POOL), limit, tuning.diversity)
    newest = arranged(rows.tolist(), index.messages, search.text, index.told, index.words.weight)
    return Shortlist("history", tuple(_candidates(index, found, scores, newest))[:limit])


def reasons(search: Search, index: HistoryIndex, cosines: Floats | None) -> dict[str, Floats]:
    """Reason -> how much it speaks for each message, 0..1, for the clause for which it speaks most."""
    asked = clauses(search, index)
    known = np.zeros((len(asked), index.size), np.float32) if cosines is None else cosines
    return best_of([features(index, clause, row) for clause, row in zip(asked, known, strict=True)])


def weights() -> Mapping[str, float]:
    """What each reason counts for."""
    return cast("Mapping[str, float]", table("winnow.recall.history", "weights.yaml"))


def _scores(found: Mapping[str, Floats]) -> Floats:
    total = np.zeros_like(next(iter(found.values())))
    for name, weight in weights().items():
        total += np.float32(weight) * found[name]
    return total


def _best(scores: Floats, limit: int) -> Rows:
    """The rows of the greatest scores above 0, best first; of equal ones the newest first."""
    limit = min(limit, len(scores))
    if limit <= 0:
        return np.zeros(0, np.intp)
    cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    rows = np.flatnonzero((scores >= cut) & (scores > 0))
    return rows[np.lexsort((-rows, -scores[rows]))][:limit]


def _freshness(now: datetime | None, messages: tuple[Message, ...], half_life: float) -> Floats:
    """What is left of each message's score; all of it where nobody knows its time."""
    times = [message.at for message in messages if message.at is not None]
    newest = now or max(times, default=None)
    ages = [(newest - m.at).total_seconds() / DAY if newest and m.at else 0.0 for m in messages]
    return np.exp2(-np.maximum(np.array(ages, np.float32), 0) / np.float32(half_life))


def _alike(cosines: Floats | None, least: float) -> npt.NDArray[np.bool_] | bool:
    return False if cosines is None else cosines.max(axis=0) >= least


def _candidates(
    index: HistoryIndex, found: Mapping[str, Floats], scores: Floats, newest: Current
) -> Iterator[Candidate]:
    """The rows as candidates; those that are outdated name what replaced them."""
    for row in newest.rows:
        data = _data(index.messages[row])
        if row in newest.replaced:
            data["superseded_by"] = index.messages[newest.replaced[row]].id
        evidence = [Evidence(name, float(found[name][row])) for name in weights() if found[name][row] > 0]
        ref = Ref("message", index.messages[row].id)
        yield Candidate(ref, tuple(evidence), float(scores[row]), data)


def _data(message: Message) -> dict[str, str]:
    at = message.at.isoformat() if message.at else ""
    return {"text": message.content, "speaker": message.role, "at": at}
