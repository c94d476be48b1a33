"""``winnow messages backfill``: vectors of very long histories, made once by many workers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.surfaces.cli.options import JsonOption, say, show_data

if TYPE_CHECKING:
    from winnow.sources.backfill import Course

SchedulerOption = Annotated[
    str,
    typer.Option("--scheduler", help="Address of a scheduler of Dask; local: processes of this machine."),
]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="Processes of this machine.")]
SizeOption = Annotated[
    int, typer.Option("--size", min=1, help="Messages that a worker looks through at a time, about.")
]


def backfill(
    scheduler: SchedulerOption = "local",
    workers: WorkersOption = 2,
    size: SizeOption = 20_000,
    as_json: JsonOption = False,
) -> None:
    """Make the vectors of all messages of the tenant by many workers: once, for many millions of messages.

    A worker that is lost loses nothing; what was made is kept, and the same command goes on from there. Every
    worker needs the settings and files of this process.
    """
    from winnow.surfaces.backfilling import run

    with _progress() as told:
        course = run(scheduler, workers, size, told)
    if as_json:
        show_data(course)
    else:
        made = course.progress
        print(say("embed_filled", users=course.users, messages=course.messages, ranges=course.ranges))
        print(say("embed_made", made=made.made, calls=made.calls))
        if made.refused:
            print(say("embed_refused", refused=made.refused, why=made.why))


@contextmanager
def _progress() -> Iterator[Callable[[Course], None]]:
    """What is called after each range: a bar for a person who waits."""
    if not sys.stderr.isatty():
        yield lambda course: None
        return
    with typer.progressbar(length=1, file=sys.stderr) as bar:

        def told(course: Course) -> None:
            bar.length = course.ranges
            bar.update(course.done - bar.pos)

        yield told
