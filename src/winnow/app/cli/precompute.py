"""``winnow messages precompute``, ``worker`` and ``backfill``: vectors computed ahead of time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import JsonOption, message_language, say, show, show_data
from winnow.app.config.settings import load_settings
from winnow.errors import WinnowError

if TYPE_CHECKING:
    from winnow.app.precompute import PrecomputeResult, PrecomputeRuns, WorkerDuties
    from winnow.retrieve.precompute import BackfillProgress, EmbeddingPlan, EmbeddingProgress
    from winnow.types.scope import Scope

# ``winnow messages backfill``: very long histories, once, by many workers.


SchedulerOption = Annotated[
    str,
    typer.Option("--scheduler", help="Address of a scheduler of Dask; local: processes of this machine."),
]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="Processes of this machine.")]
SizeOption = Annotated[
    int, typer.Option("--size", min=1, help="Messages that a worker looks through at a time, about.")
]


def backfill_vectors(
    scheduler: SchedulerOption = "local",
    workers: WorkersOption = 2,
    size: SizeOption = 20_000,
    as_json: JsonOption = False,
) -> None:
    """Make the vectors of all messages of the tenant by many workers: once, for many millions of messages.

    A worker that is lost loses nothing; what was made is kept, and the same command goes on from there. Every
    worker needs the settings and files of this process.
    """
    from winnow.app.precompute import run_backfill

    with _backfill_progress() as told:
        course = run_backfill(scheduler, workers, size, told)
    if as_json:
        show_data("backfill", course)
    else:
        made = course.progress
        print(say("embed_filled", users=course.users, messages=course.messages, ranges=course.ranges))
        print(say("embed_made", made=made.made, calls=made.calls))
        if made.refused:
            print(say("embed_refused", refused=made.refused, why=made.why))


@contextmanager
def _backfill_progress() -> Iterator[Callable[[BackfillProgress], None]]:
    """What is called after each range: a bar for a person who waits."""
    if not sys.stderr.isatty():
        yield lambda course: None
        return
    with typer.progressbar(length=1, file=sys.stderr) as bar:

        def advance(course: BackfillProgress) -> None:
            bar.length = course.ranges
            bar.update(course.done - bar.pos)

        yield advance


UserOption = Annotated[str, typer.Option("--user", help="Whose messages.")]
BatchOption = Annotated[
    int, typer.Option("--batch", min=1, help="Texts of one request, at most: no more than the server takes.")
]
RateOption = Annotated[
    str, typer.Option("--rate", help="No faster than so many texts: 50/s, 3000/min. Default: no limit.")
]


AllOption = Annotated[bool, typer.Option("--all", help="The messages of all users.")]
DryOption = Annotated[bool, typer.Option("--dry-run", help="Only say what there is to do and what it takes.")]
WatchOption = Annotated[
    float | None, typer.Option("--watch", min=0.1, help="Look again every so many seconds, until Ctrl-C.")
]
PruneOption = Annotated[
    bool, typer.Option("--prune", help="Delete vectors that no message needs any longer.")
]
QueueOption = Annotated[
    bool, typer.Option("--queue", help="Leave it to the workers (winnow messages worker).")
]
AfreshOption = Annotated[
    bool, typer.Option("--afresh", help="First forget all vectors of the tenant, of every model.")
]


def precompute_vectors(
    user: UserOption = "",
    everyone: AllOption = False,
    batch: BatchOption = 100,
    rate: RateOption = "",
    dry_run: DryOption = False,
    watch: WatchOption = None,
    prune: PruneOption = False,
    afresh: AfreshOption = False,
    queue: QueueOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make the vectors of messages before anybody asks: of what is new or edited, and of nothing twice.

    What was made is kept, however a run ends; the same command goes on from there.
    """
    from winnow.app.precompute import PrecomputeOptions, PrecomputeRuns, configured_precomputing
    from winnow.app.wiring.history import open_queue

    if bool(user) == everyone:
        raise typer.BadParameter(say("embed_whose"), param_hint="--user, --all")
    settings = load_settings()
    wish = PrecomputeOptions(user, batch, rate_option(rate), prune)
    runs = PrecomputeRuns(configured_precomputing(settings), settings.scope, wish)
    teller = _Reporter(as_json=as_json)
    with suppress(KeyboardInterrupt), closing(runs):
        if not queue:
            asyncio.run(_run_all(runs, teller, dry_run=dry_run, watch=watch, afresh=afresh))
        elif (workers := open_queue(settings)) is None:
            raise typer.BadParameter(say("embed_no_queue"), param_hint="--queue")
        else:

            async def queue_persons() -> int:
                return await workers.ask(await runs.scopes())

            teller.say("embed_queued", queued=asyncio.run(queue_persons()))


def rate_option(text: str) -> float:
    """Texts a second; 0 where nothing is said. Raises BadParameter."""
    from winnow.app.precompute import texts_per_second as rate

    try:
        return rate(text) if text else 0.0
    except ValueError:
        raise typer.BadParameter(say("embed_rate"), param_hint="--rate") from None


async def _run_all(
    runs: PrecomputeRuns, teller: _Reporter, *, dry_run: bool, watch: float | None, afresh: bool
) -> None:
    """The plan, then one run, or runs until Ctrl-C."""
    if afresh and not dry_run:
        teller.say("embed_forgot", forgot=await runs.forget())
    plan = await runs.plan()
    teller.plan(plan, runs.model)
    if dry_run:
        return
    with teller.progress(plan.missing) as told:
        first = await _run_once(runs, told)
    teller.outcome(first)
    while watch is not None:
        await asyncio.sleep(watch)
        # Only the first run shows a bar: later ones find little to do.
        outcome = await _run_once(runs, lambda progress: None)
        if not outcome.is_idle:
            teller.outcome(outcome)


async def _run_once(runs: PrecomputeRuns, told: Callable[[EmbeddingProgress], None]) -> PrecomputeResult:
    """One run; when it fails, what was made by then is told before the error is."""
    try:
        return await runs.run(told)
    except WinnowError:
        print(say("embed_kept", made=runs.progress.made), file=sys.stderr)
        raise


class _Reporter:
    """What is told of runs, as text or as one line of JSON each."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def say(self, code: str, **facts: object) -> None:
        """A message of the message table."""
        if self._as_json:
            show_data("embedded", facts)
        else:
            print(say(code, **facts))

    def plan(self, plan: EmbeddingPlan, model: str) -> None:
        """What there is to do."""
        from winnow.app.precompute import plan_lines

        if self._as_json:
            show_data("embedding_plan", {"model": model, "plan": plan})
        else:
            show(plan_lines(plan, model, message_language()))

    def outcome(self, outcome: PrecomputeResult) -> None:
        """What came of a run, as soon as it is over."""
        from winnow.app.precompute import outcome_lines

        if self._as_json:
            show_data("embedded", outcome)
        else:
            show(outcome_lines(outcome, message_language()))
        sys.stdout.flush()

    @contextmanager
    def progress(self, texts: int) -> Iterator[Callable[[EmbeddingProgress], None]]:
        """What is called with how far a run is: a bar for a person who waits."""
        if not texts or not sys.stderr.isatty():
            yield lambda progress: None
            return
        with typer.progressbar(length=texts, file=sys.stderr) as bar:
            yield lambda progress: bar.update(progress.made + progress.refused - bar.pos)


# ``winnow messages worker``: in the background.


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


def run_worker(
    every: EveryOption = 300.0,
    once: OnceOption = False,
    jobs: JobsOption = 1,
    batch: BatchOption = 100,
    rate: RateOption = "",
) -> None:
    """Make vectors in the background: of whoever is queued, and of all who said something new.

    On a PostgreSQL store several of them share one queue; on a file one looks again and again.
    """
    from winnow.app.precompute import PrecomputeOptions, WorkerDuties, configured_precomputing
    from winnow.app.wiring.history import open_queue

    settings = load_settings()
    made = configured_precomputing(settings)

    def report(scope: Scope, outcome: PrecomputeResult) -> None:
        print(say("embed_person", user=scope.user, made=outcome.done.made), flush=True)

    options = PrecomputeOptions("", batch, rate_option(rate))
    duties = WorkerDuties(made, settings.scope, options, report)
    queue = open_queue(settings)
    with suppress(KeyboardInterrupt), closing(made.cache):
        if queue is None:
            asyncio.run(_work_alone(duties, every, once=once))
            return

        async def work() -> None:
            if every:  # what is due now comes first
                await queue.ask(await duties.changed_persons())
            if not once:
                print(say("embed_waits", place=str(queue.place)), flush=True)
            await queue.work(duties, every=0.0 if once else every, at_once=jobs, wait=not once)

        asyncio.run(work())


async def _work_alone(duties: WorkerDuties, every: float, *, once: bool) -> None:
    """Look again and again."""
    if not once:
        print(say("embed_looks", seconds=f"{every:g}"), flush=True)
    while True:
        for scope in await duties.changed_persons():
            await duties.fill_person(scope)
        if once or not every:
            return
        await asyncio.sleep(every)
