"""What speaks for each message: one list of scores per reason, every one of them 0..1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.language.content_words import content_terms, is_character
from winnow.language.tables import table
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.queries import Clause
from winnow.retrieve.times.index import time_scores

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


def members(term: str) -> tuple[str, ...]:
    """The terms that are of the kind a term names; none where it names no kind."""
    return _kinds().get(term, ())


@cache
def _kinds() -> Mapping[str, tuple[str, ...]]:
    """Term of a kind -> the terms of what is of it, from ``kinds.yaml``."""
    found: dict[str, set[str]] = defaultdict(set)
    kinds: list[dict[str, Any]] = table("winnow.retrieve.history", "kinds.yaml")
    for kind in kinds:
        things = {term for word in kind["are"] for term in _terms(word)}
        for name in (term for word in kind["ask"] for term in _terms(word)):
            found[name] |= things - {name}
    return {name: tuple(sorted(things)) for name, things in found.items()}


def _terms(word: str) -> list[str]:
    return [term for term in content_terms(word) if not is_character(term)]


Rows_features = npt.NDArray[np.int32]
ALIKE = 0.35
"""Cosine from which a term may stand for another."""
MOST = 0.6
"""What a term that stands for another counts for at most; one of cosine c counts for MOST times c."""
NEAREST = 12
"""Terms of the history that stand for one term of the question, at most."""
OF_KIND = 0.7
"""What a term counts for that names something of the kind asked for."""
ENOUGH = 0.35
"""The share of the question that a message must have to be found with certainty, however good it is."""
TELLING = np.float32(2)
"""How much more a term counts on which all of the question's meaning hangs."""
WINDOW = ((1, 0.8, True), (1, 0.6, False), (-1, 0.5, False), (2, 0.4, False), (-2, 0.3, False))
"""Distance of a neighbour, what a term counts for that it said, and whether only if it asks."""
SPRINGBOARDS = 3
"""How many of the best messages lead to others."""
GOOD = 0.35
"""A message leads to others if its score is this share of the best."""
ALONE = 0.3
"""What a shared word counts for that answers nothing of what the question leaves open."""
DENSE_FIRST = np.float32(0.3)
"""Weight of the meaning beside the words where messages are chosen that lead to others."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a term of the question, or what may stand for it, was said."""

    weight: float
    """How much the term tells."""
    rows: Rows_features
    """In order."""
    gains: Floats


def features(index: HistoryIndex, clause: Clause, cosines: Floats) -> dict[str, Floats]:
    """Reason -> how much it speaks for each message; ``cosines`` has shape ``(index.size,)``."""
    meaning: Floats = np.maximum(cosines, np.float32(0))
    about = _by_words(index, clause, meaning) | {
        "meaning": meaning,
        "before": _after_question(index, meaning),
        "when": time_scores(clause.times, index.times),
        "date": normalised(index.moments.scores(clause.moments)),
        "speaker": _spoken_by(index, clause),
    }
    found = np.maximum.reduce(list(about.values())) > 0
    return about | {name: found * prior for name, prior in _priors(index, clause).items()}


def _by_words(index: HistoryIndex, clause: Clause, meaning: Floats) -> dict[str, Floats]:
    buffer = np.zeros(index.size, np.float32)
    vectors = index.table.embed([*clause.forms, clause.text])
    tells = salience(vectors)
    hits = _hits(index, clause.terms, vectors[:-1], tells, buffer)
    least = ENOUGH * sum(hit.weight for hit in hits)
    window = normalised(_windowed(index, hits), least)
    first = normalised(_summed(index, hits), least) + DENSE_FIRST * meaning
    return {
        "window": window,
        "hop": _second_hop(index, clause, hits, first),
        "session": _session(index, clause.terms, tells),
        "talk": _best_of_talk(index, window),
        "first": _first_said(index, clause, hits),
    }


def _hits(
    index: HistoryIndex, terms: Sequence[str], vectors: Floats, tells: Floats, buffer: Floats
) -> list[Hit]:
    cosines = vectors @ index.nearby.columns
    told = zip(terms, cosines, tells, strict=True)
    return [_hit(index, term, near, tell, buffer) for term, near, tell in told]


def _priors(index: HistoryIndex, clause: Clause) -> dict[str, Floats]:
    """What speaks for a message whatever it is about; only beside another reason."""
    return {
        "dated": index.times.dated(clause.asks_time),
        "states": (~index.talks.asks).astype(np.float32),
    }


def normalised(scores: Floats, least: float = 0) -> Floats:
    """The scores divided by the best of them, or by ``least`` where the best is less."""
    best = max(scores.max(initial=0), least)
    return scores / np.float32(best) if best > 0 else scores


def salience(vectors: Floats) -> Floats:
    """How much of the meaning of the last of the vectors hangs on each of the others, 1 and more.

    In a history of some hundred messages a plain verb may be as rare as a name; the table knows better.
    """
    share: Floats = np.maximum(vectors[:-1] @ vectors[-1], np.float32(0))
    return 1 + TELLING * share


def _hit(index: HistoryIndex, term: str, cosines: Floats, tells: float, buffer: Floats) -> Hit:
    """A term counts by the best of what stands for it, which gains no more than the term itself could."""
    own = index.words.of(term)
    limit = float(own[1].max(initial=0)) or np.inf
    found = [own]
    for number, share in _standing_for(index, term, cosines).items():
        rows, gains = index.words.at(number)
        found.append((rows, np.float32(share * min(1.0, limit / float(index.words.most[number]))) * gains))
    rows, gains = _best_gains(found, buffer)
    return Hit(tells * index.words.weight(term), rows, np.float32(tells) * gains)


def _standing_for(index: HistoryIndex, term: str, cosines: Floats) -> dict[int, float]:
    """The other terms that may stand for a term, by number, and what each of them counts for."""
    near = np.flatnonzero(cosines >= ALIKE)
    if len(near) > NEAREST:
        near = near[np.argpartition(-cosines[near], NEAREST)[:NEAREST]]
    shares = {int(index.nearby.numbers[at]): MOST * min(float(cosines[at]), 1.0) for at in near}
    numbers = index.words.terms
    shares |= {numbers[thing]: OF_KIND for thing in members(term) if thing in numbers}
    shares.pop(numbers.get(term, -1), None)
    return shares


def _best_gains(
    found: Sequence[tuple[Rows_features, Floats]], buffer: Floats
) -> tuple[Rows_features, Floats]:
    """Every row once, with the greatest of its gains. ``buffer`` is all zeros, before and after."""
    if len(found) == 1:
        return found[0]
    for rows, gains in found:
        buffer[rows] = np.maximum(buffer[rows], gains)
    rows = np.flatnonzero(buffer > 0).astype(np.int32)
    gains = buffer[rows]
    buffer[rows] = 0
    return rows, gains


def _summed(index: HistoryIndex, hits: Sequence[Hit]) -> Floats:
    total = np.zeros(index.size, np.float32)
    for hit in hits:
        total[hit.rows] += hit.gains
    return total


def _windowed(index: HistoryIndex, hits: Sequence[Hit]) -> Floats:
    """A term may have been said by a neighbour, for less; by a question just before, for nearly as much."""
    if not index.talks.any_dialogue:
        return _summed(index, hits)
    total, best = np.zeros(index.size, np.float32), np.zeros(index.size, np.float32)
    for hit in hits:
        best[hit.rows] = hit.gains
        for rows, gains in _reached(index, hit):
            best[rows] = np.maximum(best[rows], gains)
        total += best
        best.fill(0)
    return total


def _reached(index: HistoryIndex, hit: Hit) -> Iterator[tuple[Rows_features, Floats]]:
    """The neighbours of the messages that say a term, and what it counts for there."""
    for distance, share, asking in WINDOW:
        targets = index.talks.beside[-distance][hit.rows]
        kept = targets >= 0
        if asking:
            kept &= index.talks.asks[hit.rows]
        yield targets[kept], np.float32(share) * hit.gains[kept]


def _session(index: HistoryIndex, terms: Sequence[str], tells: Floats) -> Floats:
    """What the whole talk has of the question."""
    talks = index.talks
    if not talks.any_dialogue:
        return np.zeros(index.size, np.float32)
    return normalised(index.talk_words.scores(terms, tells))[talks.number] * talks.dialogue


def _best_of_talk(index: HistoryIndex, scores: Floats) -> Floats:
    """The best score in each message's talk: where one message answers, those around it may as well."""
    talks = index.talks
    best = np.zeros(talks.count, np.float32)
    np.maximum.at(best, talks.number, scores)
    return best[talks.number] * talks.dialogue


def _first_said(index: HistoryIndex, clause: Clause, hits: Sequence[Hit]) -> Floats:
    """The share of the question that was said here for the first time: what is new is told then."""
    found = np.zeros(index.size, np.float32)
    for term, hit in zip(clause.terms, hits, strict=True):
        found[index.words.of(term)[0][:1]] += np.float32(hit.weight)
    return found / np.float32(sum(hit.weight for hit in hits) or 1)


def _after_question(index: HistoryIndex, scores: Floats) -> Floats:
    """The scores of the message before, where that is a question."""
    found = np.zeros(index.size, np.float32)
    replies = index.talks.replies
    found[replies] = scores[index.talks.beside[1][replies]]
    return found


def _spoken_by(index: HistoryIndex, clause: Clause) -> Floats:
    """1 where the message is of one who is named, or of the side whose words are asked for."""
    said = np.zeros(index.size, np.float32)
    for name in clause.names:
        said[index.speakers[name]] = 1
    for side in clause.sides:
        if side in index.sides:
            said[index.sides[side]] = 1
    return said


def _second_hop(index: HistoryIndex, clause: Clause, hits: Sequence[Hit], first: Floats) -> Floats:
    """What the best messages say beside the question leads to others.

    All the more to those that have what of the question they leave open.
    """
    found = np.zeros(index.size, np.float32)
    best = float(first.max(initial=0))
    for row in best_rows(first, SPRINGBOARDS):
        if first[row] < GOOD * best:
            break
        shared = _shared(index, clause, int(row)) * (np.float32(ALONE) + _left_open(index, hits, int(row)))
        shared[row] = 0
        found = np.maximum(found, np.float32(first[row] / best) * shared)
    return normalised(found) * np.float32(min(best, 1.0))


def _shared(index: HistoryIndex, clause: Clause, row: int) -> Floats:
    """The share of a message's other words that each message has, 0..1."""
    words = index.words
    asked = {words.terms.get(term) for term in clause.terms}
    numbers = [n for n in index.counts.of(row).tolist() if n not in asked and words.telling[n]]
    shared = np.zeros(index.size, np.float32)
    for number in numbers:
        shared[words.at(number)[0]] += words.idf[number]
    return shared / (float(words.idf[numbers].sum()) or 1.0)


def _left_open(index: HistoryIndex, hits: Sequence[Hit], row: int) -> Floats:
    """The share of what the message lacks of the question that each message has, 0..1."""
    had = np.zeros(index.size, np.float32)
    left = 0.0
    for hit in hits:
        if not _holds(hit.rows, row):
            left += hit.weight
            had[hit.rows] += np.float32(hit.weight) * normalised(hit.gains)
    return had / (left or 1.0)


def _holds(rows: Rows_features, row: int) -> bool:
    at = int(np.searchsorted(rows, row))
    return at < len(rows) and int(rows[at]) == row
