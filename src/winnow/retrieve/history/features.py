"""What speaks for each message: one list of scores per reason, every one of them 0..1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from heapq import nlargest
from itertools import chain
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms, telling_terms
from winnow.language.tables import table
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.postings import Occurrences, is_telling, talk_scores
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
    about = [index.messages[row] for row in _event_messages(words, index).tolist()]
    told = (_named_day(message, at) for message in about)
    spoken = (message.at.date() for message in about if message.at)
    return next((day for day in told if day), None) or next(spoken, None)


def _event_messages(words: str, index: HistoryIndex) -> Rows:
    """The rows of the best messages that have most of the words."""
    said = index.words.occurrences(index.words.vocabulary.keys(dict.fromkeys(content_terms(words))))
    scores = np.bincount(said.rows, index.words.gains(said), index.size)
    best = np.argsort(-scores, kind="stable")[:MAX_EVENT_MESSAGES]
    had = np.bincount(said.rows, said.idfs[said.which], index.size)[best]
    return best[np.flatnonzero((scores[best] > 0) & (had >= MIN_EVENT_COVERAGE * said.idfs.sum()))]


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
    """Each once; of a very long text those that tell most."""
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
    """What a search asks, at least one thing; read once, however often it is asked for."""
    read: tuple[QuestionClause, ...] | None = index.asked.get(search)
    if read is None:
        read = tuple(_clause(part, search, index) for part in asking_parts(search.text))
        index.asked.put(search, read)
    return read


def _clause(text: str, search: Search, index: HistoryIndex) -> QuestionClause:
    names = names_in(text, index.speakers)
    bare = without_names(text, names) or text
    forms: dict[str, str] = {}
    terms, most = sorted(set(content_terms(bare, forms))), max(1, MAX_GAINS // (index.size + 1))
    if len(terms) > most:
        terms = sorted(nlargest(most, terms, index.words.weight))
    spoken = tuple(forms.get(term, term) for term in terms)
    times = question_times(bare, search.at, index.times) + event_times(bare, search.at, index)
    return QuestionClause(
        bare,
        tuple(terms),
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
    rows = np.flatnonzero(scores >= cut if cut > 0 else scores > 0)
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
NEIGHBOUR_SHARES = np.array([[0.5, 0.3, 0.6, 0.4], [0.5, 0.3, 0.8, 0.4]], np.float32)
"""What a term counts for a message's ``NEIGHBOUR_DISTANCES``, where the message tells and where it asks."""
MAX_GAINS = 10_000_000
"""Terms times messages of one question: 40 MB."""
MAX_SPRINGBOARDS = 3
"""How many of the best messages lead to others."""
MIN_SPRINGBOARD_SCORE = 0.35
"""A message leads to others if its score is this share of the best."""
SHARED_WORD_WEIGHT = 0.3
"""What a shared word counts for that answers nothing of what the question leaves open."""
FIRST_HOP_DENSE_WEIGHT = np.float32(0.3)
"""Weight of the meaning beside the words where messages are chosen that lead to others."""


@dataclass(frozen=True, slots=True)
class TermGains:
    """Where each term of a question, or what may stand for it, was said, and what it gains there.

    Behind the terms of the question stand those of its context.
    """

    keys: npt.NDArray[np.int64]
    """Of the terms of the question."""
    weights: Floats
    """How much each of them tells."""
    said: Occurrences
    """Of those terms, and behind them of all else that was looked for."""
    terms: Rows
    """The place of the term that each of the occurrences stands for."""
    table: Floats
    """Shape ``(terms, size + 1)``: the gains; the last column is no message's."""


def history_features(index: HistoryIndex, clause: QuestionClause, cosines: Floats) -> dict[str, Floats]:
    """Reason -> how much it speaks for each message; ``cosines`` has shape ``(index.size,)``."""
    meaning: Floats = np.maximum(cosines, np.float32(0))
    # The scores of the message before, where that is a question
    answered = np.zeros(index.size, np.float32)
    answered[index.talks.replies] = meaning.take(index.talks.replied)
    about = _word_features(index, clause, meaning) | {
        "meaning": meaning,
        "before": answered,
        "when": time_scores(clause.times, index.times),
        "date": normalize_scores(index.moments.scores(clause.moments)),
        "speaker": _spoken_by(index, clause),
    }
    found = np.maximum.reduce(list(about.values())) > 0
    # What speaks for a message whatever it is about; only beside another reason
    return about | {
        "dated": found * index.times.names_time(clause.asks_time),
        "states": found * (~index.talks.asks).astype(np.float32),
    }


def _term_gains(index: HistoryIndex, clause: QuestionClause, vectors: Floats, tells: Floats) -> TermGains:
    """A term counts by the best of what stands for it."""
    told = np.array([*tells, *clause.context.values()], np.float32)
    # One at a time: for several BLAS copies the matrix and wakes its threads, which takes longer
    cosines = np.array([vector @ index.vocabulary.columns for vector in vectors[:-1]], np.float32)
    keys, of, shares = _stand_ins(index, clause, cosines.reshape(len(tells), index.vocabulary.size))
    said = index.words.occurrences(keys)
    gains = index.words.gains(said)
    shares *= _limits(gains, said.which, of) * told[of]
    table = np.zeros((len(told), index.size + 1), np.float32)
    terms = of.take(said.which)
    np.maximum.at(table.reshape(-1), terms * table.shape[1] + said.rows, shares.take(said.which) * gains)
    return TermGains(keys[: len(tells)], tells * said.idfs[: len(tells)], said, terms, table)


def _limits(gains: Floats, which: Rows, of: Rows) -> Floats:
    """The share of each key's gains that counts: what stands for a term gains no more than that could."""
    most = np.zeros(len(of), np.float32)
    np.maximum.at(most, which, gains)
    return np.minimum(1, np.where(most > 0, most, np.inf)[of] / np.where(most > 0, most, 1))


def _word_features(index: HistoryIndex, clause: QuestionClause, meaning: Floats) -> dict[str, Floats]:
    vectors = index.table.embed([*clause.forms, clause.text])
    tells = salience(vectors)
    gains = _term_gains(index, clause, vectors, tells)
    least = MIN_QUESTION_SHARE * float(gains.weights.sum())
    window = normalize_scores(_window_scores(index, gains), least)
    # Where one message of a dialogue answers, those around it may as well.
    talks = index.talks
    best = np.maximum.reduceat(window.take(talks.order), talks.begins) if index.size else window
    summed = gains.table[: len(clause.terms), :-1].sum(0)
    first = normalize_scores(summed, least) + FIRST_HOP_DENSE_WEIGHT * meaning
    return {
        "window": window,
        "hop": _second_hop(index, gains, first),
        "session": _session_scores(index, gains, tells),
        "talk": best.take(talks.number) * talks.dialogue,
        "first": _first_mentions(index, gains),
    }


def _session_scores(index: HistoryIndex, gains: TermGains, tells: Floats) -> Floats:
    """How much the whole dialogue around a message answers; 0 where there is no dialogue."""
    talks = index.talks
    if not talks.any_dialogue:
        return np.zeros(index.size, np.float32)
    whole = talk_scores(index.talk_lengths, gains.keys, gains.said, talks.number, tells)
    return normalize_scores(whole).take(talks.number) * talks.dialogue


def _first_mentions(index: HistoryIndex, gains: TermGains) -> Floats:
    """What is new is told when it is said for the first time: the share of the terms a message says first."""
    first = np.full(len(gains.said.idfs), index.size, np.int32)
    np.minimum.at(first, gains.said.which, gains.said.rows)
    shares = gains.weights / (gains.weights.sum() or 1)
    return np.bincount(first[: len(shares)], shares, index.size + 1)[:-1].astype(np.float32)


def _second_hop(index: HistoryIndex, gains: TermGains, first: Floats) -> Floats:
    """What the best messages say beside the question leads to others, but to none of a talk between people.

    What one person told, be it to an assistant, names things again elsewhere. Where two talk, their other
    talks say the same words of other matters, and what belongs together stands close together.
    """
    between = np.zeros(index.size, np.bool_)
    for rows in index.speakers.values():
        between[rows] = index.talks.dialogue[rows]
    top = first.max(initial=0)
    boards = best_rows(first, MAX_SPRINGBOARDS)
    boards = boards[first[boards] >= MIN_SPRINGBOARD_SCORE * top]
    if between.all() or not len(boards):
        return np.zeros(index.size, np.float32)
    hops = _shared_words(index, gains, boards) * (first[boards] / top)[:, None]
    hops *= np.float32(SHARED_WORD_WEIGHT) + _left_open(gains, boards)
    hops[np.arange(len(boards)), boards] = 0
    best: Floats = hops.max(0) * ~between
    return normalize_scores(best) * np.float32(min(top, 1))


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


def _stand_ins(
    index: HistoryIndex, clause: QuestionClause, cosines: Floats
) -> tuple[npt.NDArray[np.int64], Rows, Floats]:
    """The keys of the terms and of what may stand for them, the place of the term, what each counts for."""
    own = (*clause.terms, *clause.context)
    kinds = [(thing, at) for at, term in enumerate(clause.terms) for thing in kind_members(term)]
    keys = index.words.vocabulary.keys([*own, *(thing for thing, _ in kinds)])
    places = np.array([*range(len(own)), *(at for _, at in kinds)], np.intp)
    shares = np.repeat(np.array([1, KIND_WEIGHT], np.float32), [len(own), len(kinds)])
    of, near = _similar(cosines, index.vocabulary.keys)
    alike = np.float32(SIMILAR_TERM_WEIGHT) * np.minimum(cosines[of, near], np.float32(1))
    keys = np.concatenate([keys, index.vocabulary.keys[near]])
    return keys, np.concatenate([places, of]), np.concatenate([shares, alike])


def _similar(cosines: Floats, keys: npt.NDArray[np.int64]) -> tuple[Rows, Rows]:
    """The place of each term of the question and of those like it, by their cosines; so many of each."""
    of, near = np.nonzero(cosines >= MIN_SIMILARITY)
    if np.bincount(of, minlength=1).max() <= MAX_SIMILAR_TERMS:
        return of, near
    order = np.lexsort((keys[near], -cosines[of, near], of))
    best = order[np.arange(len(of)) - np.searchsorted(of, of) < MAX_SIMILAR_TERMS]
    return of[best], near[best]


def _window_scores(index: HistoryIndex, gains: TermGains) -> Floats:
    """A term may have been said by a neighbour, for less; by a question just before, for nearly as much."""
    best, talks, rows, begins = gains.table, index.talks, gains.said.rows, gains.terms * (index.size + 1)
    if talks.any_dialogue:
        gain, best = best.take(begins + rows)[:, None], best.copy()
        # Where nobody stands beside a message, -1 is the column of nobody
        at = begins[:, None] + talks.beside.take(rows, 0)
        told = NEIGHBOUR_SHARES.take(talks.asks.take(rows), 0) * gain
        np.maximum.at(best.reshape(-1), at.reshape(-1), told.reshape(-1))
    return cast("Floats", best[:, :-1].sum(0))


def _spoken_by(index: HistoryIndex, clause: QuestionClause) -> Floats:
    """1 where the message is of one who is named, or of the side whose words are asked for."""
    said = np.zeros(index.size, np.float32)
    for name in clause.names:
        said[index.speakers[name]] = 1
    for side in index.sides.keys() & clause.sides:
        said[index.sides[side]] = 1
    return said


def _shared_words(index: HistoryIndex, gains: TermGains, boards: Rows) -> Floats:
    """The share of the other words of each of some messages that each message has: ``(boards, size)``."""
    asked = frozenset(gains.keys.tolist())
    held = [index.term_keys(row) - asked for row in boards.tolist()]
    keys = np.fromiter(chain.from_iterable(held), np.int64)
    board = np.repeat(np.arange(len(held)), [len(one) for one in held])[kept := is_telling(keys)]
    said = index.words.occurrences(keys[kept])
    shares = said.idfs / np.bincount(board, said.idfs)[board]
    found = np.zeros((len(held), index.size), np.float32)
    at = board.take(said.which) * index.size + said.rows
    np.add.at(found.reshape(-1), at, shares.astype(np.float32).take(said.which))
    return found


def _left_open(gains: TermGains, boards: Rows) -> Floats:
    """The share of what each of some messages lacks of the question that each message has, as above."""
    table = gains.table[: len(gains.keys), :-1]
    lacked = gains.weights[:, None] * (table[:, boards] == 0)
    most, left = table.max(1), lacked.sum(0)
    shares = lacked / np.where(left > 0, left, 1) / np.where(most > 0, most, 1)[:, None]
    return cast("Floats", np.einsum("tb,tn->bn", shares, table))
