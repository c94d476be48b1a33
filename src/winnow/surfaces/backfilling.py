"""A backfill as the command line asks for it: what each worker has at hand, and what it does with a range."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from winnow.bridge import blocking
from winnow.config import load_settings
from winnow.errors import ClusterError, Phrase, WinnowError
from winnow.sources.backfill import LOCAL, Course, Filled, Range, Workers, backfill, cluster, ranges
from winnow.sources.precompute import Progress, precompute
from winnow.surfaces.precomputing import opened
from winnow.types.scope import Scope
from winnow.wiring import open_store

if TYPE_CHECKING:
    from winnow.histories import Precomputing


def run(scheduler: str, workers: int, size: int, told: Callable[[Course], None]) -> Course:
    """Make all vectors that the tenant of the settings lacks. Raises WinnowError.

    Workers read their own settings: neither a password nor a key travels. So they must be set as this process
    is, and are asked whether they are.
    """
    scope = load_settings().scope
    wanted = list(ranges(scope.tenant, blocking(_here().persons.users(scope)), size))
    with cluster(scheduler, workers) as client:
        _check(client, shared=scheduler != LOCAL)
        return backfill(client, wanted, filled, told)


def filled(task: Range) -> Filled:
    """All messages of the range have vectors, or what kept them from it. Runs on a worker."""
    work = _here()
    scopes = [Scope(task.tenant, user) for user in task.users]
    try:
        return Filled(task, asyncio.run(precompute(work.work, scopes, work.pace)))
    except WinnowError as error:
        return Filled(task, Progress(), error.message, error.hint)


def equipment() -> tuple[str, ...]:
    """Where vectors are kept here and what makes them, as everybody may see it."""
    embedder = _here().cache.embedder
    return open_store(load_settings()).place, embedder.name, embedder.version


@cache
def _here() -> Precomputing:
    """What the settings of this process say, opened once."""
    return opened(load_settings())


def _check(client: Workers, *, shared: bool) -> None:
    """That every worker has the store and the model of this process. Raises ClusterError."""
    mine = equipment()
    if shared and open_store(load_settings()).kind == "sqlite":
        raise ClusterError(
            Phrase("{path} is a file, which only this machine can write to.", path=mine[0]),
            hint="Keep the store in PostgreSQL (WINNOW_STORE), or take processes of this machine.",
        )
    others: Sequence[tuple[str, ...]] = [tuple(told) for told in client.run(equipment).values()]
    for theirs in others:
        if theirs != mine:
            raise ClusterError(
                Phrase("A worker is set otherwise: {theirs} there, {mine} here.", theirs=theirs, mine=mine),
                hint="Give every worker the settings and files of this process: the same WINNOW_ variables.",
            )
