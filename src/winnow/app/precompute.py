"""Vectors of messages computed ahead of time: single runs, queue workers, backfills by many workers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from winnow.app.config.settings import Settings, load_settings
from winnow.app.wiring.engine import open_store
from winnow.app.wiring.history import Precomputing, open_precomputing
from winnow.errors import ClusterError, Phrase, WinnowError
from winnow.language.messages import message
from winnow.ports.services import run_blocking
from winnow.retrieve.precompute import (
    LOCAL_SCHEDULER,
    BackfillProgress,
    EmbeddingPace,
    EmbeddingPlan,
    EmbeddingProgress,
    RangeResult,
    UserRange,
    Workers,
    cluster,
    embed_ahead,
    plan_embedding,
    prune_vectors,
    user_ranges,
)
from winnow.retrieve.precompute import run_backfill as fill_whole_history
from winnow.types.message import HistoryVersion
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.app.wiring.history import Precomputing

_RATE = re.compile(r"(\d+(?:\.\d+)?)(?:/(s|min))?")
_SECONDS = {None: 1, "s": 1, "min": 60}


@dataclass(frozen=True, slots=True)
class PrecomputeOptions:
    """What is asked for."""

    user: str = ""
    """Empty: all users of the tenant."""
    batch: int = 100
    """Texts of one request, if the server takes so many."""
    rate: float = 0.0
    """Texts a second; 0: as many as the server answers."""
    prune: bool = False
    """Whether vectors that no message needs are deleted."""


@dataclass(frozen=True, slots=True)
class PrecomputeResult:
    """What came of one run."""

    done: EmbeddingProgress
    pruned: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing to do."""
        return self == PrecomputeResult(EmbeddingProgress())


def configured_precomputing(settings: Settings) -> Precomputing:
    """What is configured. Raises ConfigError, EmbedderError, NothingToPrecompute, StoreError."""
    from winnow.app.wiring.engine import open_offline_embedder, open_store

    return open_precomputing(settings, open_store(settings).storage, open_offline_embedder()[0])


def texts_per_second(text: str) -> float:
    """Texts a second of ``50``, ``50/s`` or ``3000/min``. Raises ValueError."""
    found = _RATE.fullmatch(text.replace(" ", ""))
    if not found or not float(found[1]):
        raise ValueError(text)
    return float(found[1]) / _SECONDS[found[2]]


class PrecomputeRuns:
    """Runs one after the other over the messages of one tenant: what did not change is not read again."""

    def __init__(self, precomputing: Precomputing, tenant: Scope, wish: PrecomputeOptions) -> None:
        self._with, self._tenant, self._wish = precomputing, tenant, wish
        self._stamps: dict[Scope, HistoryVersion] = {}
        self.progress = EmbeddingProgress()
        """How far the last run came, also where it failed."""

    @property
    def model(self) -> str:
        """What makes the vectors."""
        return self._with.cache.embedder.name

    async def scopes(self) -> tuple[Scope, ...]:
        """Whose messages are meant. Raises StoreError."""
        return await self._with.scopes(self._tenant, self._wish.user)

    async def plan(self) -> EmbeddingPlan:
        """What there is to do, counted. Raises StoreError."""
        scopes = await self.scopes()
        return await plan_embedding(self._with.work, scopes, pace_of(self._with, self._wish).limits.texts)

    async def forget(self) -> int:
        """Forget all vectors of the tenant; how many there were. Raises StoreError."""
        return await self._with.work.vectors.forget(self._tenant)

    async def run(self, told: Callable[[EmbeddingProgress], None]) -> PrecomputeResult:
        """Make what is missing. Raises WinnowError; ``note_progress`` tells what was made by then."""
        self.progress = EmbeddingProgress()
        scopes = await self.scopes()
        stamps = {scope: await self._with.work.messages.stamp(scope) for scope in scopes}
        # A stamp costs one query; reading a history to find nothing new costs thousands.
        changed = [scope for scope in scopes if self._stamps.get(scope) != stamps[scope]]

        def note_progress(progress: EmbeddingProgress) -> None:
            self.progress = progress
            told(progress)

        done = await embed_ahead(self._with.work, changed, pace_of(self._with, self._wish), note_progress)
        # Only where something changed, a user who is gone included, can a vector have become needless
        if not self._wish.prune or not (changed or self._stamps.keys() - set(scopes)):
            gone = 0
        else:
            everybody = await self._with.scopes(self._tenant)
            gone = await prune_vectors(self._with.work, self._tenant, everybody)
        self._stamps = stamps
        return PrecomputeResult(done, gone)

    def close(self) -> None:
        """Tell the store what was counted."""
        self._with.cache.close()


class WorkerDuties:
    """What a worker of a queue does: one person's history at a time."""

    def __init__(
        self,
        precomputing: Precomputing,
        tenant: Scope,
        wish: PrecomputeOptions,
        told: Callable[[Scope, PrecomputeResult], None],
    ) -> None:
        self._with, self._tenant, self._wish, self._told = precomputing, tenant, wish, told
        self._stamps: dict[Scope, HistoryVersion] = {}

    async def fill_person(self, scope: Scope) -> None:
        """Make what one person's history lacks. Raises WinnowError."""
        outcome = PrecomputeResult(
            await embed_ahead(self._with.work, [scope], pace_of(self._with, self._wish))
        )
        if not outcome.is_idle:
            self._told(scope, outcome)

    async def changed_persons(self) -> Sequence[Scope]:
        """Whose history changed since this worker looked last. Raises StoreError."""
        scopes = await self._with.scopes(self._tenant, self._wish.user)
        stamps = {scope: await self._with.work.messages.stamp(scope) for scope in scopes}
        changed = [scope for scope in scopes if self._stamps.get(scope) != stamps[scope]]
        self._stamps = stamps
        return changed


def pace_of(precomputing: Precomputing, wish: PrecomputeOptions) -> EmbeddingPace:
    """As fast as is wished, in requests no larger than the server takes."""
    pace = precomputing.pace
    limits = replace(pace.limits, texts=min(wish.batch, pace.limits.texts))
    return replace(pace, limits=limits, rate=wish.rate)


def plan_lines(plan: EmbeddingPlan, model: str, language: LanguageCode) -> list[str]:
    """What there is to do, and what it takes."""
    facts = asdict(plan) | {"model": model}
    codes = ["embed_plan", *(["embed_cost"] if plan.missing else [])]
    return [message(code, language, **facts) for code in codes]


def outcome_lines(outcome: PrecomputeResult, language: LanguageCode) -> list[str]:
    """What came of a run."""
    done = outcome.done
    codes = {"embed_made": True, "embed_again": done.again, "embed_refused": done.refused}
    facts = asdict(done) | {"pruned": outcome.pruned}
    wanted = [code for code, so in {**codes, "embed_pruned": outcome.pruned}.items() if so]
    return [message(code, language, **facts) for code in wanted]


# Backfill: what a worker opens, and what it does with a range of users.


def run_backfill(
    scheduler: str, workers: int, size: int, told: Callable[[BackfillProgress], None]
) -> BackfillProgress:
    """Make all vectors that the tenant of the settings lacks. Raises WinnowError.

    Workers read their own settings: neither a password nor a key travels. So they must be set as this process
    is, and are asked whether they are.
    """
    scope = load_settings().scope
    wanted = list(user_ranges(scope.tenant, run_blocking(_local_precomputing().persons.users(scope)), size))
    with cluster(scheduler, workers) as client:
        _check(client, shared=scheduler != LOCAL_SCHEDULER)
        return fill_whole_history(client, wanted, fill_range, told)


def fill_range(task: UserRange) -> RangeResult:
    """All messages of the range have vectors, or what kept them from it. Runs on a worker."""
    work = _local_precomputing()
    scopes = [Scope(task.tenant, user) for user in task.users]
    try:
        return RangeResult(task, asyncio.run(embed_ahead(work.work, scopes, work.pace)))
    except WinnowError as error:
        return RangeResult(task, EmbeddingProgress(), error.message, error.hint)


def equipment() -> tuple[str, ...]:
    """Where vectors are kept here and what makes them, as everybody may see it."""
    embedder = _local_precomputing().cache.embedder
    return open_store(load_settings()).place, embedder.name, embedder.version


@cache
def _local_precomputing() -> Precomputing:
    """What the settings of this process say, opened once."""
    return configured_precomputing(load_settings())


def _check(client: Workers, *, shared: bool) -> None:
    """That every worker has the store and the model of this process. Raises ClusterError."""
    mine = equipment()
    if shared and open_store(load_settings()).kind == "sqlite":
        raise ClusterError(
            Phrase("{path} is a file, which only this machine can write to.", path=mine[0]),
            hint="Keep the store in PostgreSQL (WINNOW_STORE), or take processes of this machine.",
        )
    # A worker with another model would mix vectors of two spaces.
    others: Sequence[tuple[str, ...]] = [tuple(told) for told in client.run(equipment).values()]
    for theirs in others:
        if theirs != mine:
            raise ClusterError(
                Phrase("A worker is set otherwise: {theirs} there, {mine} here.", theirs=theirs, mine=mine),
                hint="Give every worker the settings and files of this process: the same WINNOW_ variables.",
            )
