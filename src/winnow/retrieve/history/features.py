"""What speaks for each message: one list of scores per reason, every one of them 0..1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms, telling_terms
from winnow.language.tables import table
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.postings import is_telling, talk_scores
from winnow.retrieve.history.talks import (
    history_pattern,
    history_words,
    moment_words,
    names_in,
    sides_in,
    without_names,
)
from winnow.retrieve.times.index import asks_for_time, question_times, time_scores
from winnow.retrieve.times.spans import DaySpan, day_spans, time_anchors
from winnow.types.candidate import Search
from winnow.types.message import Message

# Times told by what happened then: the day of it is looked up among the messages.

MIN_EVENT_COVERAGE = 0.6
"""Share of the weight of an event's words that a message must have to tell of it."""
MAX_EVENT_MESSAGES = 3
"""Messages that may tell the day of an event, the best of them."""


def event_times(text: str, at: datetime | None, index: HistoryIndex) -> tuple[DaySpan, ...]:
    """The times of ``text`` that an event tells (``two days before my birthday``) and messages know."""
    found = (anchor.resolve(lambda words: event_day(words, at, index)) for anchor in time_anchors(text))
    return tuple(span for span in found if span is not None)


def event_day(words: str, at: datetime | None, index: HistoryIndex) -> date | None:
    """The day of an event: one that a message about it names, else the day it was spoken of; None: never."""
    about = [index.messages[row] for row in _event_messages(words, index)]
    told = (_named_day(message, at) for message in about)
    spoken = (message.at.date() for message in about if message.at)
    return next((day for day in told if day), None) or next(spoken, None)


def _event_messages(words: str, index: HistoryIndex) -> Iterator[int]:
    """The rows of the best messages that have most of the words."""
    terms = tuple(dict.fromkeys(content_terms(words)))
    weights = {term: index.words.weight(term) for term in terms}
    least = MIN_EVENT_COVERAGE * sum(weights.values())
    scores = index.words.scores(terms)
    for row in np.argsort(-scores, kind="stable")[:MAX_EVENT_MESSAGES].tolist():
        had = sum(weight for term, weight in weights.items() if row in index.words.of(term)[0])
        if scores[row] > 0 and had >= least:
            yield row


def _named_day(message: Message, at: datetime | None) -> date | None:
    """The day a message names; of one that comes every year the last before the question was asked."""
    if message.at is None:
        return None
    named = (span for span in day_spans(message.content, message.at) if span.start == span.end)
    day = next(named, None)
    if day is not None and day.yearly and at is not None:
        day = next(iter(day_spans(day.text, at, "past")), day)
    return day.start if day else None


_HELD = re.compile("\x01(\\d+)\x01")
_EDGES = " ，,。"
MIN_CLAUSE_CHARS = 4
"""Characters of a clause that asks something."""


@dataclass(frozen=True, slots=True)
class QuestionClause:
    """One thing that is asked."""

    text: str
    """Without the names of those who speak: every one of their messages would answer to them."""
    terms: tuple[str, ...]
    """Each once."""
    forms: tuple[str, ...]
    """The word each term was made of."""
    names: tuple[str, ...]
    sides: tuple[str, ...]
    """``user`` or ``assistant``, where it asks for what one of them said."""
    times: tuple[DaySpan, ...]
    """When what is asked for happened, as far as it says."""
    asks_time: bool
    """Whether a time would answer it."""
    moments: tuple[str, ...]
    """All its words, as the names of days, months and years are compared."""
    several: bool
    """Whether more than one message will answer it: which, how many, has ever."""
    context: Mapping[str, float] = field(default_factory=dict)
    """Terms that the talk turns on and the question lacks, and what each counts for."""


def question_clauses(search: Search, index: HistoryIndex) -> tuple[QuestionClause, ...]:
    """What a search asks, at least one thing."""
    return tuple(_clause(part, search, index) for part in asking_parts(search.text))


def _clause(text: str, search: Search, index: HistoryIndex) -> QuestionClause:
    names = names_in(text, index.speakers)
    bare = without_names(text, names) or text
    forms: dict[str, str] = {}
    terms = tuple(sorted(set(content_terms(bare, forms))))
    spoken = tuple(forms.get(term, term) for term in terms)
    times = question_times(bare, search.at, index.times) + event_times(bare, search.at, index)
    return QuestionClause(
        bare,
        terms,
        spoken,
        names,
        sides_in(text),
        times,
        asks_for_time(bare),
        tuple(sorted(set(moment_words(bare)))),
        any(history_pattern("several", language).search(text) for language in history_words()["several"]),
        {term: share for term, share in search.context.items() if term not in terms},
    )


def asking_parts(text: str) -> list[str]:
    """The clauses that ask; where one ends in a question mark, only such; the whole text if none asks."""
    parts = [part for part in _split_clauses(text) if len(part) >= MIN_CLAUSE_CHARS]
    marked = [
        (history_pattern("clauses", "leads").sub("", part) or part)
        for part in parts
        if part[-1] in history_words()["question_marks"]
    ]
    return marked or [part for part in parts if history_pattern("clauses", "asks").search(part)] or [text]


def _split_clauses(text: str) -> list[str]:
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\x01{len(held) - 1}\x01"

    pieces = history_pattern("clauses", "ends").split(history_pattern("clauses", "quotes").sub(hold, text))
    return [_HELD.sub(lambda found: held[int(found[1])], piece).strip(_EDGES) for piece in pieces if piece]


# The best of many scores.

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


def best_rows(scores: Floats, limit: int) -> Rows:
    """The rows of the greatest scores above 0, best first; of equal ones the newest first."""
    limit = min(limit, len(scores))
    if limit <= 0:
        return np.zeros(0, np.intp)
    cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    rows = np.flatnonzero((scores >= cut) & (scores > 0))
    return rows[np.lexsort((-rows, -scores[rows]))][:limit]


# What is of which kind: a question asks for ``sports``, a message tells of skating.


def kind_members(term: str) -> tuple[str, ...]:
    """The terms that are of the kind a term names; none where it names no kind."""
    return _kinds().get(term, ())


@cache
def _kinds() -> Mapping[str, tuple[str, ...]]:
    """Term of a kind -> the terms of what is of it, from ``kinds.yaml``."""
    found: dict[str, set[str]] = defaultdict(set)
    kinds: list[dict[str, Any]] = table("winnow.retrieve.history", "kinds.yaml")
    for kind in kinds:
        things = {term for word in kind["are"] for term in telling_terms(word)}
        for name in (term for word in kind["ask"] for term in telling_terms(word)):
            found[name] |= things - {name}
    return {name: tuple(sorted(things)) for name, things in found.items()}


RowNumbers = npt.NDArray[np.int32]
MIN_SIMILARITY = 0.35
"""Cosine from which a term may stand for another."""
SIMILAR_TERM_WEIGHT = 0.6
"""What a term that stands for another counts for at most; one of cosine c counts for MOST times c."""
MAX_SIMILAR_TERMS = 12
"""Terms of the history that stand for one term of the question, at most."""
KIND_WEIGHT = 0.7
"""What a term counts for that names something of the kind asked for."""
MIN_QUESTION_SHARE = 0.35
"""The share of the question that a message must have to be found with certainty, however good it is."""
SALIENCE_WEIGHT = np.float32(2)
"""How much more a term counts on which all of the question's meaning hangs."""
NEIGHBOUR_WINDOW = ((1, 0.8, True), (1, 0.6, False), (-1, 0.5, False), (2, 0.4, False), (-2, 0.3, False))
"""Distance of a neighbour, what a term counts for that it said, and whether only if it asks."""
DIALOGUE_B = 0.6
"""How much a long talk is discounted; they differ more in length than messages do."""
MAX_SPRINGBOARDS = 3
"""How many of the best messages lead to others."""
MIN_SPRINGBOARD_SCORE = 0.35
"""A message leads to others if its score is this share of the best."""
SHARED_WORD_WEIGHT = 0.3
"""What a shared word counts for that answers nothing of what the question leaves open."""
FIRST_HOP_DENSE_WEIGHT = np.float32(0.3)
"""Weight of the meaning beside the words where messages are chosen that lead to others."""


@dataclass(frozen=True, slots=True)
class TermHit:
    """Where a term of the question, or what may stand for it, was said."""

    weight: float
    """How much the term tells."""
    rows: RowNumbers
    """In order."""
    gains: Floats


def history_features(index: HistoryIndex, clause: QuestionClause, cosines: Floats) -> dict[str, Floats]:
    """Reason -> how much it speaks for each message; ``cosines`` has shape ``(index.size,)``."""
    meaning: Floats = np.maximum(cosines, np.float32(0))
    # The scores of the message before, where that is a question
    answered = np.zeros(index.size, np.float32)
    replies = index.talks.replies
    answered[replies] = meaning[index.talks.beside[1][replies]]
    about = _word_features(index, clause, meaning) | {
        "meaning": meaning,
        "before": answered,
        "when": time_scores(clause.times, index.times),
        "date": normalize_scores(index.moments.scores(clause.moments)),
        "speaker": _spoken_by(index, clause),
    }
    found = np.maximum.reduce(list(about.values())) > 0
    # What speaks for a message whatever it is about; only beside another reason
    prior_features = {
        "dated": index.times.names_time(clause.asks_time),
        "states": (~index.talks.asks).astype(np.float32),
    }
    return about | {name: found * prior for name, prior in prior_features.items()}


def _term_hits(index: HistoryIndex, clause: QuestionClause, vectors: Floats, tells: Floats) -> list[TermHit]:
    """A term counts by the best of what stands for it, which gains no more than the term itself could."""
    buffer = np.zeros(index.size, np.float32)
    cosines = vectors[:-1] @ index.vocabulary.columns
    hits: list[TermHit] = []
    for term, near, tell in zip(clause.terms, cosines, tells, strict=True):
        own = index.words.of(term)
        limit = float(own[1].max(initial=0)) or np.inf
        found = [own]
        for number, share in _standing_for(index, term, near).items():
            rows, gains = index.words.at(number)
            most = min(1.0, limit / float(gains.max()))
            found.append((rows, np.float32(share * most) * gains))
        rows, gains = found[0] if len(found) == 1 else _greatest_gains(found, buffer)
        hits.append(TermHit(tell * index.words.weight(term), rows, np.float32(tell) * gains))
    return hits


def _context_hits(index: HistoryIndex, clause: QuestionClause) -> Iterator[TermHit]:
    """Where what the talk turns on was said, each for what it counts."""
    for term, share in clause.context.items():
        rows, gains = index.words.of(term)
        yield TermHit(share * index.words.weight(term), rows, np.float32(share) * gains)


def _greatest_gains(found: Sequence[tuple[RowNumbers, Floats]], buffer: Floats) -> tuple[RowNumbers, Floats]:
    """Every row once, with the greatest of its gains; the buffer is all zeros before and after."""
    for rows, gains in found:
        buffer[rows] = np.maximum(buffer[rows], gains)
    rows = np.flatnonzero(buffer > 0).astype(np.int32)
    gains = buffer[rows]
    buffer[rows] = 0
    return rows, gains


def _word_features(index: HistoryIndex, clause: QuestionClause, meaning: Floats) -> dict[str, Floats]:
    vectors = index.table.embed([*clause.forms, clause.text])
    tells = salience(vectors)
    hits = _term_hits(index, clause, vectors, tells)
    window = _window_scores(index, [*hits, *_context_hits(index, clause)])
    least = MIN_QUESTION_SHARE * sum(hit.weight for hit in hits)
    window = normalize_scores(window, least)
    # Where one message of a dialogue answers, those around it may as well.
    talks = index.talks
    best = np.zeros(talks.count, np.float32)
    np.maximum.at(best, talks.number, window)
    first = normalize_scores(_summed_gains(index, hits), least) + FIRST_HOP_DENSE_WEIGHT * meaning
    return {
        "window": window,
        "hop": _second_hop(index, clause, hits, first),
        "session": _session_scores(index, clause, tells),
        "talk": best[talks.number] * talks.dialogue,
        "first": _first_mentions(index, clause, hits),
    }


def _session_scores(index: HistoryIndex, clause: QuestionClause, tells: Floats) -> Floats:
    """How much the whole dialogue around a message answers; 0 where there is no dialogue."""
    if not index.talks.any_dialogue:
        return np.zeros(index.size, np.float32)
    talks = index.talks
    scores = talk_scores(index.words, talks.number, talks.count, clause.terms, tells, DIALOGUE_B)
    whole = normalize_scores(scores)
    return whole[index.talks.number] * index.talks.dialogue


def _first_mentions(index: HistoryIndex, clause: QuestionClause, hits: Sequence[TermHit]) -> Floats:
    """What is new is told when it is said for the first time: the share of the terms a message says first."""
    first_said = np.zeros(index.size, np.float32)
    for term, hit in zip(clause.terms, hits, strict=True):
        first_said[index.words.of(term)[0][:1]] += np.float32(hit.weight)
    return first_said / np.float32(sum(hit.weight for hit in hits) or 1)


def _second_hop(
    index: HistoryIndex, clause: QuestionClause, hits: Sequence[TermHit], first: Floats
) -> Floats:
    """What the best messages say beside the question leads to others, but to none of a talk between people.

    What one person told, be it to an assistant, names things again elsewhere. Where two talk, their other
    talks say the same words of other matters, and what belongs together stands close together.
    """
    hop, between = np.zeros(index.size, np.float32), np.zeros(index.size, np.bool_)
    for rows in index.speakers.values():
        between[rows] = index.talks.dialogue[rows]
    if between.all():
        return hop
    top = float(first.max(initial=0))
    for row in best_rows(first, MAX_SPRINGBOARDS):
        if first[row] < MIN_SPRINGBOARD_SCORE * top:
            break
        shared = _shared_words(index, clause, int(row)) * (
            np.float32(SHARED_WORD_WEIGHT) + _left_open(index, hits, int(row))
        )
        shared[row] = 0
        hop = np.maximum(hop, np.float32(first[row] / top) * shared)
    return normalize_scores(hop * ~between) * np.float32(min(top, 1.0))


def normalize_scores(scores: Floats, least: float = 0) -> Floats:
    """The scores divided by the best of them, or by ``least`` where the best is less."""
    best = max(scores.max(initial=0), least)
    return scores / np.float32(best) if best > 0 else scores


def salience(vectors: Floats) -> Floats:
    """How much of the meaning of the last of the vectors hangs on each of the others, 1 and more.

    In a history of some hundred messages a plain verb may be as rare as a name; the table knows better.
    """
    share: Floats = np.maximum(vectors[:-1] @ vectors[-1], np.float32(0))
    return 1 + SALIENCE_WEIGHT * share


def _standing_for(index: HistoryIndex, term: str, cosines: Floats) -> dict[int, float]:
    """The other terms that may stand for a term, by number, and what each of them counts for."""
    near = np.flatnonzero(cosines >= MIN_SIMILARITY)
    keys = index.vocabulary.keys[near]
    if len(near) > MAX_SIMILAR_TERMS:
        best = np.lexsort((keys, -cosines[near]))[:MAX_SIMILAR_TERMS]
        near, keys = near[best], keys[best]
    shares = {
        int(key): SIMILAR_TERM_WEIGHT * min(float(cosines[at]), 1.0)
        for key, at in zip(keys, near, strict=True)
    }
    kinds = (index.words.vocabulary.key(thing) for thing in kind_members(term))
    shares |= {key: KIND_WEIGHT for key in kinds if len(index.words.counts(key)[0])}
    shares.pop(index.words.vocabulary.key(term), None)
    return shares


def _summed_gains(index: HistoryIndex, hits: Sequence[TermHit]) -> Floats:
    total = np.zeros(index.size, np.float32)
    for hit in hits:
        total[hit.rows] += hit.gains
    return total


def _window_scores(index: HistoryIndex, hits: Sequence[TermHit]) -> Floats:
    """A term may have been said by a neighbour, for less; by a question just before, for nearly as much."""
    if not index.talks.any_dialogue:
        return _summed_gains(index, hits)
    total, best = np.zeros(index.size, np.float32), np.zeros(index.size, np.float32)
    for hit in hits:
        best[hit.rows] = hit.gains
        # The neighbours of the messages that say a term, and what it counts for there
        for distance, share, asking in NEIGHBOUR_WINDOW:
            targets = index.talks.beside[-distance][hit.rows]
            kept = targets >= 0
            if asking:
                kept &= index.talks.asks[hit.rows]
            rows = targets[kept]
            gains = np.float32(share) * hit.gains[kept]
            best[rows] = np.maximum(best[rows], gains)
        total += best
        best.fill(0)
    return total


def _spoken_by(index: HistoryIndex, clause: QuestionClause) -> Floats:
    """1 where the message is of one who is named, or of the side whose words are asked for."""
    said = np.zeros(index.size, np.float32)
    for name in clause.names:
        said[index.speakers[name]] = 1
    for side in clause.sides:
        if side in index.sides:
            said[index.sides[side]] = 1
    return said


def _shared_words(index: HistoryIndex, clause: QuestionClause, row: int) -> Floats:
    """The share of a message's other words that each message has, 0..1."""
    words = index.words
    asked = {words.vocabulary.key(term) for term in clause.terms}
    keys = [key for key in index.term_keys(row) if key not in asked and is_telling(key)]
    shared, total = words.shared(keys)
    return shared / np.float32(total or 1.0)


def _left_open(index: HistoryIndex, hits: Sequence[TermHit], row: int) -> Floats:
    """The share of what the message lacks of the question that each message has, 0..1."""
    had = np.zeros(index.size, np.float32)
    left = 0.0
    for hit in hits:
        rows = hit.rows
        at = int(np.searchsorted(rows, row))
        if not (at < len(rows) and int(rows[at]) == row):
            left += hit.weight
            had[hit.rows] += np.float32(hit.weight) * normalize_scores(hit.gains)
    return had / (left or 1.0)
