"""What of a history is alike in meaning to what is asked: each strategy's way to the cosines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from winnow.errors import EmbedderError, ModelError, Phrase
from winnow.ports.services import CachedEmbedder, HostVectors, gather_both, run_aside
from winnow.retrieve.history.rank import likely, questions
from winnow.retrieve.history.source import OpenHistory
from winnow.types.candidate import Candidate, Dropped, Search, Step
from winnow.types.message import HistorySettings, SearchStrategy
from winnow.types.scope import Scope

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
COMPLETE = 1.0


class Warming(Protocol):
    """Makes vectors in the background."""

    def __call__(self, scope: Scope, texts: Sequence[str]) -> str:
        """See to it that these have vectors some time; what is done about it, in a word. Returns at once."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What a strategy may ask beside the messages themselves."""

    settings: HistorySettings
    vectoriser: CachedEmbedder
    warming: Warming
    neighbours: HostVectors | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to one person's history."""

    search: Search
    scope: Scope
    history: OpenHistory
    outside: Outside

    @property
    def texts(self) -> tuple[str, ...]:
        """What of the question is to be compared."""
        return questions(self.search, self.history.index)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Cosines of each part of the question with each message, 0 where unknown; None: words alone decide."""

    cosines: Floats | None = None
    steps: tuple[Step, ...] = ()


async def meaning(asked: Asked, strategy: SearchStrategy) -> Meaning:
    """The cosines by that strategy. A model that fails leaves the words, and a step that says so.

    Raises StoreError.
    """
    try:
        return await _WAYS[strategy](asked)
    except (ModelError, EmbedderError) as error:
        return Meaning(None, (Step("degraded", "words", Phrase("vectors: {why}", why=error.message)),))


async def _words(asked: Asked) -> Meaning:
    return Meaning()


async def _lazy(asked: Asked) -> Meaning:
    """The vectors of all messages."""
    rows = np.arange(asked.history.index.size)
    return await _compared(asked, rows)


async def _hybrid(asked: Asked) -> Meaning:
    """The vectors of those messages that words put first."""
    settings, index = asked.outside.settings, asked.history.index
    wanted = settings.top_k * settings.candidate_factor
    rows = await run_aside(lambda: likely(asked.search, index, wanted))
    return await _compared(asked, rows)


async def _batch(asked: Asked) -> Meaning:
    """The vectors that were made beforehand; until all are there as hybrid, with a call for the others."""
    await _remember(asked)
    warm = _warmth(asked.history)
    if warm == COMPLETE:
        return await _compared(asked, np.zeros(0, np.intp))
    missing = asked.history.missing(np.arange(asked.history.index.size))
    how = asked.outside.warming(asked.scope, asked.history.texts(missing))
    found = await _hybrid(asked)
    step = Step("warm", f"{warm:.0%}", Phrase("answered as hybrid; the others: {how}", how=how))
    return Meaning(found.cosines, (step, *found.steps))


async def _pgvector(asked: Asked) -> Meaning:
    """The host's own similarities of the messages nearest to each part of the question. Raises StoreError."""
    settings, neighbours = asked.outside.settings, asked.outside.neighbours
    assert neighbours is not None, "wiring gives the neighbours"
    vectors = await asked.outside.vectoriser.vectors(asked.scope, asked.texts, "question")
    wanted = settings.top_k * settings.candidate_factor
    cosines = np.zeros((len(vectors), asked.history.index.size), np.float32)
    found: set[str] = set()
    for row, vector in zip(cosines, vectors, strict=True):
        near = await neighbours.nearest(asked.scope, vector, wanted)
        found |= near.keys()
        _spread(near, asked.history.rows, row)
    step = Step("vectors", f"{len(found)}", "nearest in the host's table")
    return Meaning(cosines, (step,))


_WAYS: Mapping[SearchStrategy, Callable[[Asked], Awaitable[Meaning]]] = {
    "none": _words,
    "lazy": _lazy,
    "hybrid": _hybrid,
    "batch": _batch,
    "pgvector": _pgvector,
}


async def _compared(asked: Asked, rows: Rows) -> Meaning:
    """The question beside all messages whose vectors are known, those of ``rows`` among them."""
    history, vectoriser = asked.history, asked.outside.vectoriser
    missing = history.missing(rows)
    vectoriser.count_reuse(asked.scope, int(history.known.sum()))
    question = vectoriser.vectors(asked.scope, asked.texts, "question")
    _, vectors = await gather_both(_learn(asked, missing), question)
    fetched = Phrase("{count} of them fetched now", count=len(missing))
    step = Step("vectors", f"{int(history.known.sum())}", fetched)
    return Meaning(history.cosines(vectors), (step,))


async def _learn(asked: Asked, missing: Rows) -> None:
    """Have the vectors of these made."""
    history = asked.history
    if len(missing):
        made = await asked.outside.vectoriser.vectors(asked.scope, history.texts(missing))
        history.learn(missing, made)


async def _remember(asked: Asked) -> None:
    """Take in what is known by now of what was not."""
    history = asked.history
    missing = history.missing(np.arange(history.index.size))
    if len(missing):
        vectors, known = await asked.outside.vectoriser.cached_vectors(asked.scope, history.texts(missing))
        history.learn(missing[known], vectors[known])


def _warmth(history: OpenHistory) -> float:
    """The share of the messages whose vectors are known, 0..1."""
    return float(history.known.mean()) if history.index.size else COMPLETE


def _spread(near: Mapping[str, float], rows: Mapping[str, int], cosines: Floats) -> None:
    """The similarities to their rows; a message that came meanwhile has none."""
    for key, similarity in near.items():
        if (row := rows.get(key)) is not None:
            cosines[row] = similarity


# What of a ranking is worth a reader's time: the smallest context that is enough.


AGAIN = "part of this talk"
BEHIND = "far behind the best"


def parted(
    source: str, candidates: Sequence[Candidate], seen: Collection[str], least_share: float
) -> tuple[tuple[Candidate, ...], tuple[Dropped, ...]]:
    """Those to show, best first, and those left out with the reason.

    ``seen``: texts that whoever asks has before them anyway. ``least_share``: of the best score, what a
    candidate must have at least.
    """
    before = {text.strip() for text in seen}
    least = least_share * max((c.score for c in candidates), default=0.0)
    dropped = dict(_left_out(candidates, before, least))
    kept = tuple(c for c in candidates if c.ref.id not in dropped)
    return kept, tuple(Dropped(id_, source, reason) for id_, reason in dropped.items())


def _left_out(
    candidates: Sequence[Candidate], seen: Collection[str], least: float
) -> Iterator[tuple[str, str]]:
    for candidate in candidates:
        if said(candidate) in seen:
            yield candidate.ref.id, AGAIN
        elif candidate.score < least:
            yield candidate.ref.id, BEHIND


def said(candidate: Candidate) -> str:
    """The text of a message."""
    data = candidate.data
    return str(data["text"]).strip() if isinstance(data, dict) else ""
