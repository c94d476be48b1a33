"""Vectors of very long histories, made once on many machines: ranges of users, each the task of a worker.

A cluster of Dask deals them out. What a task does is ``precompute`` over its users, so nothing that is stored
is made a second time, whoever asks, whichever worker is lost, and however often it is begun anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol

from winnow.errors import ClusterError, Phrase
from winnow.retrieve.precompute import EmbeddingProgress

LOCAL_SCHEDULER = "local"
"""In the place of a scheduler's address: processes of this machine."""
RANGE_MESSAGES = 20_000
"""Messages of a range, about. Little is looked at anew when its worker is lost, and 10^8 are 5,000 tasks."""
CONNECT_TIMEOUT = 10.0
"""Seconds for the scheduler to answer, and for its first worker."""
SCHEDULER_COMMAND = "dask scheduler"
INSTALL_COMMAND = 'pip install "winnow-context[backfill]"'


@dataclass(frozen=True, slots=True)
class UserRange:
    """Some users of a tenant, next to each other by name, and how many messages they have."""

    tenant: str
    users: tuple[str, ...]
    messages: int


@dataclass(frozen=True, slots=True)
class RangeResult:
    """What came of a range. ``fault`` is what stopped it, with ``hint``: errors do not travel, texts do."""

    range: UserRange
    progress: EmbeddingProgress
    fault: str = ""
    hint: str = ""


FillRange = Callable[[UserRange], RangeResult]
"""Sees to it that all messages of a range have vectors. Runs on a worker, which imports it by its name."""


class Workers(Protocol):
    """Those who work for a scheduler: a ``Client`` of Dask."""

    def map(self, work: FillRange, wanted: Sequence[UserRange], *, pure: bool) -> Sequence[Any]:
        """A future for each range. Not ``pure``: it is worked for even if the like of it was done before."""

    def cancel(self, futures: Sequence[Any]) -> None:
        """Nobody waits for these any longer."""

    def run(self, work: Callable[[], Any]) -> Mapping[str, Any]:
        """Address of each worker -> what the work returns there."""


@dataclass(frozen=True, slots=True)
class BackfillProgress:
    """How far a backfill is."""

    ranges: int
    """Of all that there are."""
    done: int = 0
    users: int = 0
    messages: int = 0
    progress: EmbeddingProgress = field(default_factory=EmbeddingProgress)
    """Of all ranges that are done together."""

    def with_range(self, filled: RangeResult) -> BackfillProgress:
        """With one more range."""
        return replace(
            self,
            done=self.done + 1,
            users=self.users + len(filled.range.users),
            messages=self.messages + filled.range.messages,
            progress=sum_progress(self.progress, filled.progress),
        )


def user_ranges(tenant: str, users: Mapping[str, int], size: int = RANGE_MESSAGES) -> Iterator[UserRange]:
    """All users of the tenant, about ``size`` messages at a time; ``users``: how many each has."""
    names: list[str] = []
    messages = 0
    for name in sorted(users):
        names.append(name)
        messages += users[name]
        if messages >= size:
            yield UserRange(tenant, tuple(names), messages)
            names, messages = [], 0
    if names:
        yield UserRange(tenant, tuple(names), messages)


@contextmanager
def cluster(scheduler: str, workers: int) -> Iterator[Workers]:
    """The cluster of the scheduler at that address, or of so many processes of this machine (``local``).

    Raises ClusterError where it cannot be reached, or nobody works for it.
    """
    dask = _dask()
    if scheduler == LOCAL_SCHEDULER:
        # Nothing listens but on this machine, its pages for the curious on any free port.
        with (
            dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs="CRITICAL",
            ) as own,
            dask.Client(own) as client,
        ):
            yield client
    else:
        with connect(dask, scheduler) as client:
            yield client


def _dask() -> Any:
    """The library, which only a backfill needs. Raises ClusterError."""
    try:
        return import_module("distributed")
    except ModuleNotFoundError as error:
        raise ClusterError(
            Phrase("A backfill needs a library that is not installed: {name}.", name=error.name),
            hint=Phrase("Install it: {command}", command=INSTALL_COMMAND),
        ) from error


@contextmanager
def connect(dask: Any, scheduler: str) -> Iterator[Workers]:
    """A scheduler that answers and has a worker. Raises ClusterError."""
    try:
        client = dask.Client(scheduler, timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError) as error:
        raise ClusterError(
            Phrase("No scheduler answers at {address}.", address=scheduler),
            hint=Phrase("Start one: {command}", command=SCHEDULER_COMMAND),
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
        except TimeoutError as error:
            raise ClusterError(
                Phrase("Nobody works for the scheduler {address}.", address=scheduler),
                hint=Phrase("Start workers: {command}", command=f"dask worker {scheduler}"),
            ) from error
        yield client


def run_backfill(
    client: Workers, wanted: Sequence[UserRange], fill: FillRange, told: Callable[[BackfillProgress], None]
) -> BackfillProgress:
    """Have all ranges filled; ``told`` is called after each. Raises ClusterError; what is stored stays.

    A range whose worker is lost goes to another one.
    """
    dask = _dask()
    course = BackfillProgress(len(wanted))
    futures = client.map(fill, wanted, pure=False)
    try:
        for future in dask.as_completed(futures):
            course = course.with_range(raise_fault(future.result()))
            told(course)
    except (dask.scheduler.KilledWorker, dask.CancelledError, OSError) as error:
        raise ClusterError(
            Phrase("The workers were lost: {why}.", why=type(error).__name__),
            hint="Begin anew: what is stored is not made again. Workers may need more memory.",
        ) from error
    finally:
        client.cancel(futures)
    return course


def raise_fault(filled: RangeResult) -> RangeResult:
    """The result of a range; its fault is raised as ClusterError."""
    if filled.fault:
        raise ClusterError(filled.fault, hint=filled.hint)
    return filled


def sum_progress(one: EmbeddingProgress, other: EmbeddingProgress) -> EmbeddingProgress:
    """What two ranges did together."""
    return EmbeddingProgress(
        one.made + other.made,
        one.calls + other.calls,
        one.again + other.again,
        one.refused + other.refused,
        other.why or one.why,
    )
