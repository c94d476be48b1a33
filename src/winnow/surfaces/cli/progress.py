"""How far something is that takes a while, for a person who waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from winnow.types.export import Read


@contextmanager
def shown() -> Iterator[Read]:
    """A bar of the bytes read, beside the output; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda done, size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    bar = Progress(
        BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda done, size: bar.update(task, completed=done, total=size or None)


@contextmanager
def counted() -> Iterator[Read]:
    """The same of rows."""
    if not sys.stderr.isatty():
        yield lambda done, size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda done, size: bar.update(task, completed=done, total=size or None)
