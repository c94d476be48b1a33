"""Which of a person's earlier messages a question is about: the best of them, each with its reasons.

How many reasons there are and what each counts for is data: ``weights.yaml``, fitted by
``training/history/fit.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import islice, zip_longest
from typing import cast

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms
from winnow.language.linear import weighted_rows
from winnow.language.registry import language_of
from winnow.language.tables import table
from winnow.retrieve.bearing import FoundText, with_bearing
from winnow.retrieve.facts.extract import fact_pattern
from winnow.retrieve.history import HISTORY
from winnow.retrieve.history.features import best_rows, history_features, question_clauses
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.talks import asks_what_was_said
from winnow.retrieve.statements.news import order_by_news
from winnow.retrieve.statements.supersession import CurrentRows, newest_first, supersession_among
from winnow.retrieve.times.index import MAX_VAGUE_EXACTNESS
from winnow.types.candidate import Candidate, Evidence, Ref, Search, Shortlist, Step
from winnow.types.message import Message

# Messages that say what a better one says stand back, and where several are asked for, talks take turns.

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


DIALOGUE_PENALTY = np.float32(0.03)
"""What a message loses for each better one of its talk, where several are asked for; the best has 1.

What somebody did "so far" was told in many talks, and one of them alone would fill the list.
"""


def diversify(
    index: HistoryIndex, scores: Floats, rows: Rows, limit: int, diversity: float, spread: bool = False
) -> Rows:
    """At most ``limit`` of the rows, best first.

    A message loses ``diversity`` times its share of words in common with the most similar one before it
    (maximal marginal relevance), and with ``spread`` a little for each before it of its talk; the best score
    counts 1.
    """
    if len(rows) < 2 or not (diversity > 0 or spread):
        return rows[:limit]
    alike = together = np.zeros((len(rows), len(rows)), np.float32)
    if diversity > 0:
        # The share of words that any two of the messages have in common, 0..1, shape ``(rows, rows)``.
        held = [index.term_keys(row) for row in rows]
        alike = diversity * np.array(
            [[len(a & b) / (len(a | b) or 1) for b in held] for a in held], np.float32
        )
    if spread:
        # 1 where two messages are of one dialogue, else 0, shape ``(rows, rows)``
        talk, dialogue = index.talks.number[rows], index.talks.dialogue[rows]
        shared: Floats = ((talk[:, None] == talk[None]) & dialogue).astype(np.float32)
        together = DIALOGUE_PENALTY * shared
    return rows[_select_diverse((1 - diversity) * scores[rows] / scores[rows[0]], alike, together)[:limit]]


def _select_diverse(worth: Floats, alike: Floats, together: Floats) -> list[int]:
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


# How a ranking may be bent: by age, by a least similarity, against near-duplicates.

DAY_SECONDS = 86400.0
NOISE_COSINE = 0.2
"""Cosine of the built-in table that texts about different things still have. Asking for more than it loses
right answers, asking for as much none (``benchmarks/messages.py``)."""


@dataclass(frozen=True, slots=True)
class RankTuning:
    """With the defaults a ranking is as the weights make it."""

    similarity_threshold: float = 0.0
    """Least ``similarity`` of a message; 0: none was set."""
    diversity: float = 0.0
    """How much a message loses that says what a better one says, 0 to 1 (MMR)."""
    half_life_days: float = 0.0
    """After how many days a message counts half as much. 0: age does not count."""
    has_noise: bool = False
    """Cosines are those of the built-in table: without a threshold, no noise is found by them alone."""


NO_TUNING = RankTuning()


def recency(now: datetime | None, messages: tuple[Message, ...], half_life: float) -> Floats:
    """What is left of each message's score, 0..1; all of it where nobody knows its time."""
    newest = now or max((message.at for message in messages if message.at), default=None)
    if newest is None:
        return np.ones(len(messages), np.float32)
    ages = [(newest - m.at).total_seconds() / DAY_SECONDS if m.at else 0.0 for m in messages]
    return cast("Floats", np.exp2(-np.maximum(np.array(ages, np.float32), 0) / np.float32(half_life)))


def similarity(index: HistoryIndex, terms: Sequence[str], cosines: Floats) -> Floats:
    """Of each message, 0..1: its cosine or its share of the question's words, as chances that add up."""
    said = index.words.occurrences(index.words.vocabulary.keys(terms))
    shared = np.bincount(said.rows, said.idfs[said.which], index.size).astype(np.float32)
    whole = np.float32(said.idfs.sum() or 1)
    return cast("Floats", 1 - (1 - np.maximum(cosines, 0)) * (1 - np.minimum(shared / whole, 1)))


MAX_ACKNOWLEDGEMENT_CHARS = 200
"""Characters of a message that are read to see whether it says anything."""
SUPERSESSION_HEAD = 20
"""So many of the best are put in order by what is news; a longer list begins like a shorter one."""
LATER_SHARE = 0.9
"""What of the score of a message the one said before it has, where time alone orders them."""
DIVERSITY_POOL_FACTOR = 3
"""Times the limit: so many messages are looked at where near-duplicates stand back."""


@dataclass(frozen=True, slots=True)
class ClauseScores:
    """What one clause of a question finds."""

    reasons: Mapping[str, Floats]
    """Reason -> how much it speaks for each message, 0..1."""
    scores: Floats
    several: bool
    """Whether more than one message will answer it."""


def question_texts(search: Search, index: HistoryIndex) -> tuple[str, ...]:
    """The texts of the question whose vectors are wanted: its clauses without the names of the speakers."""
    return tuple(clause.text for clause in question_clauses(search, index))


def likely_rows(search: Search, index: HistoryIndex, limit: int) -> Rows:
    """The rows that words alone put first, best first, at most ``limit``: what is worth an embedding."""
    orders = [best_rows(one.scores, limit).tolist() for one in clause_scores(search, index)]
    return np.array(list(interleave(orders))[:limit], np.intp)


def search_history(
    search: Search,
    index: HistoryIndex,
    cosines: Floats | None = None,
    limit: int = 10,
    tuning: RankTuning = NO_TUNING,
) -> Shortlist:
    """The best messages for a question, best first, each with its reasons.

    Where several things are asked at once they take turns. What was said anew later stands behind what
    replaced it and names it as ``superseded_by``.

    ``cosines`` has shape ``(len(questions(search, index)), index.size)``, 0 where a vector is not known;
    None: words alone decide. Equal scores: the newer message first.
    """
    if not index.size:
        return Shortlist(HISTORY.name)
    if (last := last_said(search, index)) is not None:
        return last_messages(index, last[:limit])
    found = clause_scores(search, index, cosines, tuning)
    newest = order_rows(search, index, found, limit, tuning.diversity)
    rows = islice((row for row in newest.rows if not is_acknowledgement(index, row)), limit)
    return Shortlist(HISTORY.name, tuple(_candidates(index, found, list(rows), newest)))


def is_acknowledgement(index: HistoryIndex, row: int) -> bool:
    """Whether a message says only that another was heard; a ``yes`` to a question says more."""
    said = index.messages[row].content[:MAX_ACKNOWLEDGEMENT_CHARS].strip().lower()
    heard = said and fact_pattern("acknowledges", language_of(said)).match(said)
    return bool(heard) and row not in index.talks.replies


def last_said(search: Search, index: HistoryIndex) -> Sequence[int] | None:
    """The rows of what was said, the last first, where a question names nothing beside that and a time.

    None: it asks for more. It is what the person said, but where the other side is asked for; what says
    nothing is left out.
    """
    clauses = question_clauses(search, index)
    if not all(asks_what_was_said(one.text, [span.text for span in one.times]) for one in clauses):
        return None
    spans = [span for one in clauses for span in one.times if span.exactness > MAX_VAGUE_EXACTNESS]
    side = "assistant" if all(one.sides == ("assistant",) for one in clauses) else "user"
    told = index.sides[side].tolist() if side in index.sides else range(index.size)
    rows = [row for row in reversed(told) if content_terms(index.messages[row].content)]
    days = {row: at.date() for row in rows if (at := index.messages[row].at)}
    if not spans:
        return rows
    return [row for row in rows if row in days and any(s.start <= days[row] <= s.end for s in spans)]


def last_messages(index: HistoryIndex, rows: Sequence[int]) -> Shortlist:
    """These messages, each counting a little less than the one before it."""
    told = (
        Candidate(
            Ref("message", index.messages[row].id),
            (Evidence("when", score),),
            score,
            message_data(index, row),
        )
        for row, score in zip(rows, (LATER_SHARE**at for at in range(len(rows))), strict=True)
    )
    return Shortlist(HISTORY.name, tuple(told), steps=(Step("order", "time", "it asks what was said"),))


def message_bearings(search: Search, index: HistoryIndex, found: Shortlist) -> Shortlist:
    """The messages, each with how likely it bears on the question.

    Of talks between people and of whatever is of a kind nobody can tell: there what answers may say no word
    of the question. Where a time is asked for, only of all together.
    """
    asked = question_clauses(search, index)
    is_several = any(clause.several for clause in asked)
    if any(step.what == "order" for step in found.steps) or index.speakers or is_several:
        return found
    weights = {term: index.words.weight(term) for term in content_terms(search.text)}
    said = [cast("Mapping[str, str]", one.data)["text"] for one in found.candidates]
    texts = [FoundText(text, one.score) for text, one in zip(said, found.candidates, strict=True)]
    told = with_bearing(search.text, found, texts, "messages", weights, index.table)
    return replace(found, coverage=told.coverage) if any(clause.times for clause in asked) else told


def order_rows(
    search: Search, index: HistoryIndex, found: Sequence[ClauseScores], limit: int, diversity: float = 0.0
) -> CurrentRows:
    """The best rows of all clauses in turns, the newest value first."""
    orders: list[Sequence[int]] = []
    most = max(limit, SUPERSESSION_HEAD)
    for one in found:
        pool = best_rows(one.scores, most * DIVERSITY_POOL_FACTOR)
        best = diversify(index, one.scores, pool, most, diversity, one.several)
        orders.append(best.tolist())
    rows = tuple(interleave(orders))
    told = supersession_among(rows, index.messages) if index.supersession is None else index.supersession
    first = np.array(rows[:SUPERSESSION_HEAD], np.intp)
    worth = np.max([one.scores.take(first) for one in found], axis=0)
    shares = dict(zip(first.tolist(), (worth / worth.max(initial=0)).tolist(), strict=True))
    head = order_by_news(shares, index.messages, search.text, told, cache(index.words.weight))
    tail = newest_first(rows[SUPERSESSION_HEAD:], told)
    return head.before(tail)


def clause_scores(
    search: Search, index: HistoryIndex, cosines: Floats | None = None, tuning: RankTuning = NO_TUNING
) -> tuple[ClauseScores, ...]:
    """What each clause finds, with its reasons; ``cosines`` as in ``search_history``."""
    asked = question_clauses(search, index)
    known = np.zeros((len(asked), index.size), np.float32) if cosines is None else cosines
    found: list[ClauseScores] = []
    for clause, alike in zip(asked, known, strict=True):
        reasons = history_features(index, clause, alike)
        if tuning.similarity_threshold:
            kept = similarity(index, clause.terms, alike) >= tuning.similarity_threshold
        else:  # what answers the words of the message before it passes too
            kept = (reasons["window"] > 0) | (alike >= NOISE_COSINE * tuning.has_noise)
        scores = weighted_rows(reasons, history_weights()) * kept
        if tuning.half_life_days > 0:
            scores *= recency(search.at, index.messages, tuning.half_life_days)
        found.append(ClauseScores(reasons, scores, clause.several))
    return tuple(found)


def interleave(orders: Sequence[Sequence[int]]) -> Iterator[int]:
    """The first of each, then the second of each ..., each row once."""
    given: set[int] = set()
    for rows in zip_longest(*orders):
        for row in rows:
            if row is not None and row not in given:
                given.add(row)
                yield row


def history_weights() -> Mapping[str, float]:
    """What each reason counts for."""
    return cast("Mapping[str, float]", table("winnow.retrieve.history", "weights.yaml"))


def _candidates(
    index: HistoryIndex, found: Sequence[ClauseScores], rows: Sequence[int], newest: CurrentRows
) -> Iterator[Candidate]:
    """The messages of these rows, each with the reasons of the clause it answers best."""
    names, at = tuple(history_weights()), np.array(rows, np.intp)
    told = np.array([[one.scores.take(at), *(one.reasons[n].take(at) for n in names)] for one in found])
    best = told[told[:, 0].argmax(axis=0), :, np.arange(len(rows))]
    for row, (score, *reasons) in zip(rows, best.tolist(), strict=True):
        evidence = tuple(Evidence(name, one) for name, one in zip(names, reasons, strict=True) if one > 0)
        data = _message_data(index, row, newest.replaced)
        if row in newest.likely:
            data["updated_by"] = index.messages[newest.likely[row]].id
        yield Candidate(Ref("message", index.messages[row].id), evidence, score, data)


def message_data(index: HistoryIndex, row: int) -> dict[str, object]:
    """What is known of a message, as its reader gets it, whatever is asked."""
    return _message_data(index, row, index.supersession.replaced if index.supersession else {})


def _message_data(index: HistoryIndex, row: int, replaced: Mapping[int, int]) -> dict[str, object]:
    message = index.messages[row]
    data: dict[str, object] = {
        "text": message.content,
        "speaker": message.role,
        "at": message.at.isoformat() if message.at else "",
    }
    return {**data, "superseded_by": index.messages[replaced[row]].id} if row in replaced else data
