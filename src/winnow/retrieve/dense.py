"""Dense scores of a history by each strategy, and the cutoff below which a candidate is not worth showing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from winnow.errors import EmbedderError, ModelError, Phrase
from winnow.ports.services import CachedEmbedder, HostVectors, gather_both, run_aside
from winnow.retrieve.history.cache import OpenHistory
from winnow.retrieve.history.rank import likely_rows, question_texts
from winnow.types.candidate import Candidate, Dropped, Search, Step
from winnow.types.message import HistorySettings, SearchStrategy
from winnow.types.scope import Scope

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
COMPLETE = 1.0


class BackgroundEmbedding(Protocol):
    """Makes vectors in the background."""

    def __call__(self, scope: Scope, texts: Sequence[str]) -> str:
        """See to it that these have vectors some time; what is done about it, in a word. Returns at once."""


@dataclass(frozen=True, slots=True)
class DenseServices:
    """What a strategy may ask beside the messages themselves."""

    settings: HistorySettings
    vectoriser: CachedEmbedder
    warming: BackgroundEmbedding
    neighbours: HostVectors | None = None


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    """One question to one person's history."""

    search: Search
    scope: Scope
    history: OpenHistory
    outside: DenseServices

    @property
    def texts(self) -> tuple[str, ...]:
        """What of the question is to be compared."""
        return question_texts(self.search, self.history.index)


@dataclass(frozen=True, slots=True)
class DenseScores:
    """Cosines of each part of the question with each message, 0 where unknown; None: words alone decide."""

    cosines: Floats | None = None
    steps: tuple[Step, ...] = ()


async def dense_scores(asked: HistoryQuestion, strategy: SearchStrategy) -> DenseScores:
    """The cosines by that strategy. A model that fails leaves the words, and a step that says so.

    Raises StoreError.
    """
    try:
        return await _STRATEGIES[strategy](asked)
    except (ModelError, EmbedderError) as error:
        return DenseScores(None, (Step("degraded", "words", Phrase("vectors: {why}", why=error.message)),))


async def _no_scores(asked: HistoryQuestion) -> DenseScores:
    return DenseScores()


async def _lazy_scores(asked: HistoryQuestion) -> DenseScores:
    """The vectors of all messages."""
    rows = np.arange(asked.history.index.size)
    return await _cosines_of(asked, rows)


async def _hybrid_scores(asked: HistoryQuestion) -> DenseScores:
    """The vectors of those messages that words put first."""
    settings, index = asked.outside.settings, asked.history.index
    wanted = settings.top_k * settings.candidate_factor
    rows = await run_aside(lambda: likely_rows(asked.search, index, wanted))
    return await _cosines_of(asked, rows)


async def _batch_scores(asked: HistoryQuestion) -> DenseScores:
    """The vectors that were made beforehand; until all are there as hybrid, with a call for the others."""
    # Take in what is known by now of what was not
    history = asked.history
    inner_missing = history.rows_without_vector(np.arange(history.index.size))
    if len(inner_missing):
        vectors, known = await asked.outside.vectoriser.cached_vectors(
            asked.scope, history.texts(inner_missing)
        )
        history.add_vectors(inner_missing[known], vectors[known])
    warm = float(asked.history.has_vector.mean()) if asked.history.index.size else COMPLETE
    if warm == COMPLETE:
        return await _cosines_of(asked, np.zeros(0, np.intp))
    missing = asked.history.rows_without_vector(np.arange(asked.history.index.size))
    how = asked.outside.warming(asked.scope, asked.history.texts(missing))
    found = await _hybrid_scores(asked)
    step = Step("warm", f"{warm:.0%}", Phrase("answered as hybrid; the others: {how}", how=how))
    return DenseScores(found.cosines, (step, *found.steps))


async def _host_scores(asked: HistoryQuestion) -> DenseScores:
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
        # The similarities to their rows; a message that came meanwhile has none
        for key, similarity in near.items():
            if (inner_row := asked.history.rows.get(key)) is not None:
                row[inner_row] = similarity
    step = Step("vectors", f"{len(found)}", "nearest in the host's table")
    return DenseScores(cosines, (step,))


_STRATEGIES: Mapping[SearchStrategy, Callable[[HistoryQuestion], Awaitable[DenseScores]]] = {
    "none": _no_scores,
    "lazy": _lazy_scores,
    "hybrid": _hybrid_scores,
    "batch": _batch_scores,
    "pgvector": _host_scores,
}


async def _cosines_of(asked: HistoryQuestion, rows: Rows) -> DenseScores:
    """The question beside all messages whose vectors are known, those of ``rows`` among them."""
    history, vectoriser = asked.history, asked.outside.vectoriser
    missing = history.rows_without_vector(rows)
    vectoriser.count_reuse(asked.scope, int(history.has_vector.sum()))
    question = vectoriser.vectors(asked.scope, asked.texts, "question")
    _, vectors = await gather_both(_embed_missing(asked, missing), question)
    fetched = Phrase("{count} of them fetched now", count=len(missing))
    step = Step("vectors", f"{int(history.has_vector.sum())}", fetched)
    return DenseScores(history.cosines(vectors), (step,))


async def _embed_missing(asked: HistoryQuestion, missing: Rows) -> None:
    """Have the vectors of these made."""
    history = asked.history
    if len(missing):
        made = await asked.outside.vectoriser.vectors(asked.scope, history.texts(missing))
        history.add_vectors(missing, made)


# What of a ranking is worth a reader's time: the smallest context that is enough.


IN_DIALOGUE = "part of this talk"
BELOW_CUTOFF = "far behind the best"


def apply_cutoff(
    source: str, candidates: Sequence[Candidate], seen: Collection[str], least_share: float
) -> tuple[tuple[Candidate, ...], tuple[Dropped, ...]]:
    """Those to show, best first, and those left out with the reason.

    ``seen``: texts that whoever asks has before them anyway. ``least_share``: of the best score, what a
    candidate must have at least.
    """
    before = {text.strip() for text in seen}
    least = least_share * max((c.score for c in candidates), default=0.0)
    found: list[tuple[str, str]] = []
    for candidate in candidates:
        if message_text(candidate) in before:
            found.append((candidate.ref.id, IN_DIALOGUE))
        elif candidate.score < least:
            found.append((candidate.ref.id, BELOW_CUTOFF))
    dropped = dict(found)
    kept = tuple(c for c in candidates if c.ref.id not in dropped)
    return kept, tuple(Dropped(id_, source, reason) for id_, reason in dropped.items())


def message_text(candidate: Candidate) -> str:
    """The text of a message."""
    data = candidate.data
    return str(data["text"]).strip() if isinstance(data, dict) else ""
