"""``winnow messages precompute``: vectors of messages, made before anybody asks."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.config import load_settings
from winnow.errors import WinnowError
from winnow.surfaces.cli.options import JsonOption, say, show, show_data, spoken

if TYPE_CHECKING:
    from winnow.sources.precompute import Plan, Progress
    from winnow.stores.queue import JobQueue
    from winnow.surfaces.precomputing import Outcome, Runs

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


def precompute(
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
    from winnow.histories import open_queue
    from winnow.surfaces.precomputing import Runs, Wish, opened

    if bool(user) == everyone:
        raise typer.BadParameter(say("embed_whose"), param_hint="--user, --all")
    settings = load_settings()
    wish = Wish(user, batch, rate_of(rate), prune)
    runs = Runs(opened(settings), settings.scope, wish)
    teller = _Teller(as_json=as_json)
    with suppress(KeyboardInterrupt), closing(runs):
        if queue:
            asyncio.run(_queue(runs, teller, open_queue(settings)))
        else:
            asyncio.run(_all(runs, teller, dry_run=dry_run, watch=watch, afresh=afresh))


def rate_of(text: str) -> float:
    """Texts a second; 0 where nothing is said. Raises BadParameter."""
    from winnow.surfaces.precomputing import rate_of as rate

    try:
        return rate(text) if text else 0.0
    except ValueError:
        raise typer.BadParameter(say("embed_rate"), param_hint="--rate") from None


async def _all(runs: Runs, teller: _Teller, *, dry_run: bool, watch: float | None, afresh: bool) -> None:
    """The plan, then one run, or runs until Ctrl-C."""
    if afresh and not dry_run:
        teller.say("embed_forgot", forgot=await runs.forget())
    plan = await runs.plan()
    teller.plan(plan, runs.model)
    if dry_run:
        return
    with teller.progress(plan.missing) as told:
        first = await _run(runs, told)
    teller.outcome(first)
    while watch is not None:
        await asyncio.sleep(watch)
        outcome = await _run(runs, lambda progress: None)
        if not outcome.idle:
            teller.outcome(outcome)


async def _queue(runs: Runs, teller: _Teller, queue: JobQueue | None) -> None:
    """Hand the persons to the workers."""
    if queue is None:
        raise typer.BadParameter(say("embed_no_queue"), param_hint="--queue")
    teller.say("embed_queued", queued=await queue.ask(await runs.scopes()))


async def _run(runs: Runs, told: Callable[[Progress], None]) -> Outcome:
    """One run; when it fails, what was made by then is told before the error is."""
    try:
        return await runs.run(told)
    except WinnowError:
        print(say("embed_kept", made=runs.reached.made), file=sys.stderr)
        raise


class _Teller:
    """What is told of runs, as text or as one line of JSON each."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def say(self, code: str, **facts: object) -> None:
        """A message of the message table."""
        if self._as_json:
            show_data(facts)
        else:
            print(say(code, **facts))

    def plan(self, plan: Plan, model: str) -> None:
        """What there is to do."""
        from winnow.surfaces.precomputing import plan_lines

        if self._as_json:
            show_data({"model": model, "plan": plan})
        else:
            show(plan_lines(plan, model, spoken()))

    def outcome(self, outcome: Outcome) -> None:
        """What came of a run, as soon as it is over."""
        from winnow.surfaces.precomputing import outcome_lines

        if self._as_json:
            show_data(outcome)
        else:
            show(outcome_lines(outcome, spoken()))
        sys.stdout.flush()

    @contextmanager
    def progress(self, texts: int) -> Iterator[Callable[[Progress], None]]:
        """What is called with how far a run is: a bar for a person who waits."""
        if not texts or not sys.stderr.isatty():
            yield lambda progress: None
            return
        with typer.progressbar(length=texts, file=sys.stderr) as bar:
            yield lambda progress: bar.update(progress.made + progress.refused - bar.pos)
