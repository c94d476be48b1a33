"""``winnow messages worker``: vectors made in the background."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import say
from winnow.surfaces.cli.precompute import BatchOption, RateOption, rate_of

if TYPE_CHECKING:
    from winnow.stores.queue import JobQueue
    from winnow.surfaces.precomputing import Duties, Outcome
    from winnow.types.scope import Scope

EveryOption = Annotated[
    float,
    typer.Option(
        "--every",
        min=0,
        help="Look who said something new every so many seconds; 0: only do what is queued.",
    ),
]
OnceOption = Annotated[bool, typer.Option("--once", help="End when nothing is left to do.")]
JobsOption = Annotated[int, typer.Option("--jobs", min=1, help="Persons at one time.")]


def worker(
    every: EveryOption = 300.0,
    once: OnceOption = False,
    jobs: JobsOption = 1,
    batch: BatchOption = 100,
    rate: RateOption = "",
) -> None:
    """Make vectors in the background: of whoever is queued, and of all who said something new.

    On a PostgreSQL store several of them share one queue; on a file one looks again and again.
    """
    from winnow.histories import open_queue
    from winnow.surfaces.precomputing import Duties, Wish, opened

    settings = load_settings()
    made = opened(settings)
    duties = Duties(made, settings.scope, Wish("", batch, rate_of(rate)), _tell)
    queue = open_queue(settings)
    with suppress(KeyboardInterrupt), closing(made.cache):
        if queue is None:
            asyncio.run(_by_itself(duties, every, once=once))
        else:
            asyncio.run(_queued(queue, duties, every, jobs, once=once))


async def _queued(queue: JobQueue, duties: Duties, every: float, jobs: int, *, once: bool) -> None:
    """Do what is queued, beginning with what is due now."""
    if every:
        await queue.ask(await duties.who())
    if not once:
        print(say("embed_waits", place=str(queue.place)), flush=True)
    await queue.work(duties, every=0.0 if once else every, at_once=jobs, wait=not once)


async def _by_itself(duties: Duties, every: float, *, once: bool) -> None:
    """Look again and again."""
    if not once:
        print(say("embed_looks", seconds=f"{every:g}"), flush=True)
    while True:
        for scope in await duties.who():
            await duties.person(scope)
        if once or not every:
            return
        await asyncio.sleep(every)


def _tell(scope: Scope, outcome: Outcome) -> None:
    print(say("embed_person", user=scope.user, made=outcome.done.made), flush=True)
