"""How far something is that takes a while, for a person who waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from winnow.types.export import Read


@contextmanager
def shown(*, rows: bool = False) -> Iterator[Read]:
    """A bar of the bytes read, or of the rows, beside the output; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda done, size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    count = MofNCompleteColumn() if rows else DownloadColumn()
    columns = (BarColumn(), count, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, size: bar.update(task, completed=done, total=size or None)
