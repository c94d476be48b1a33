"""Work in the background on PostgreSQL: a queue that many workers share, kept in the database of the store.

The queue is that of the library procrastinate, in a schema of its own. A job is one person's history; asking
twice for one that still waits is asking once, and no two workers are busy with one person at a time. The job
of a worker that was killed is taken up by the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Protocol

from winnow.adapters.stores.connection import POSTGRES_EXTRA, StorePlace, lock_number, store_place
from winnow.errors import Phrase, StoreError, install_hint
from winnow.types.scope import Scope

if TYPE_CHECKING:
    import procrastinate

QUEUE_SCHEMA, QUEUE_NAME = "winnow_queue", "vectors"
PERSON_TASK, LOOK_TASK = "winnow.person", "winnow.look"
"""Names of the two kinds of jobs: one person's history, and a look who needs anything."""
POLL_SECONDS = 1.0
"""Seconds between two looks into the queue, beside being told of new jobs."""
STALLED_SECONDS = 30.0
"""Seconds without a sign of life after which a worker is taken for dead."""
_CONNECTIONS = 4


class JobHandlers(Protocol):
    """What workers do."""

    async def fill_person(self, scope: Scope) -> None:
        """One job. Raises WinnowError: it is tried again later."""

    async def changed_persons(self) -> Sequence[Scope]:
        """Whose job is due."""


class JobQueue:
    """The queue in the database of that URL. Its tables are made where they are missing.

    Raises StoreError.
    """

    def __init__(self, where: str) -> None:
        self.place = store_place(where)
        if self.place.file is not None:
            raise StoreError(
                "Only a store on a PostgreSQL server has a queue for workers.",
                hint="For a file: winnow messages precompute --all --watch 60",
            )

    async def ask(self, scopes: Sequence[Scope]) -> int:
        """Queue the jobs of these persons; how many did not wait there already."""
        async with self._open_app(_NoJobs()) as app:
            return await _ask(app, scopes)

    async def work(
        self, jobs: JobHandlers, *, every: float = 0.0, at_once: int = 1, wait: bool = True
    ) -> None:
        """Do what is queued until told to stop; without ``wait`` until nothing is.

        ``every``: seconds after which is looked who needs anything; 0: never. Of several workers one looks.
        """
        async with self._open_app(jobs) as app:
            await _requeue_stalled(app)
            if every:
                app.periodic(cron=cron_expression(every), periodic_id=f"{every:g}")(app.tasks[LOOK_TASK])
            await app.run_worker_async(
                queues=[QUEUE_NAME],
                concurrency=at_once,
                wait=wait,
                delete_jobs="successful",
                fetch_job_polling_interval=POLL_SECONDS,
                stalled_worker_timeout=STALLED_SECONDS,
            )

    @asynccontextmanager
    async def _open_app(self, jobs: JobHandlers) -> AsyncIterator[procrastinate.App]:
        with translate_queue_errors(self.place):
            import procrastinate

            conninfo = self.place.url.set(drivername="postgresql").render_as_string(hide_password=False)
            await asyncio.to_thread(_install, conninfo)
            connector = procrastinate.PsycopgConnector(
                conninfo=conninfo,
                kwargs={"options": f"-c search_path={QUEUE_SCHEMA}", "application_name": "winnow worker"},
                min_size=1,
                max_size=_CONNECTIONS,
            )
            app = procrastinate.App(connector=connector)
            again = procrastinate.RetryStrategy(max_attempts=5, exponential_wait=4)

            @app.task(name=PERSON_TASK, queue=QUEUE_NAME, retry=again)
            async def person(tenant: str, user: str) -> None:
                await jobs.fill_person(Scope(tenant, user))

            @app.task(name=LOOK_TASK, queue=QUEUE_NAME, queueing_lock=LOOK_TASK)
            async def look(timestamp: int) -> None:
                await _requeue_stalled(app)
                await _ask(app, await jobs.changed_persons())

            async with app.open_async():
                yield app


class _NoJobs:
    """Jobs of somebody who only asks."""

    async def fill_person(self, scope: Scope) -> None:
        """Never called."""

    async def changed_persons(self) -> Sequence[Scope]:
        """Nobody."""
        return ()


def cron_expression(seconds: float) -> str:
    """About every so many seconds, as the library wants it: whole parts of a minute, an hour or a day."""
    if seconds < 60:
        return f"* * * * * */{max(1, round(seconds))}"
    if seconds < 3600:
        return f"*/{min(59, round(seconds / 60))} * * * *"
    return f"0 */{min(23, round(seconds / 3600))} * * *"


async def _ask(app: procrastinate.App, scopes: Sequence[Scope]) -> int:
    from procrastinate.exceptions import AlreadyEnqueued

    queued = 0
    for scope in scopes:
        name = f"person:{lock_number((scope.tenant, scope.user)):x}"
        job = app.configure_task(PERSON_TASK, queue=QUEUE_NAME, lock=name, queueing_lock=name)
        try:
            await job.defer_async(tenant=scope.tenant, user=scope.user)
            queued += 1
        except AlreadyEnqueued:
            continue
    return queued


async def _requeue_stalled(app: procrastinate.App) -> None:
    """Queue the jobs of workers that are dead anew; where the same was asked for again, that is enough."""
    from procrastinate.exceptions import UniqueViolation
    from procrastinate.jobs import Status

    manager = app.job_manager
    for job in await manager.get_stalled_jobs(queue=QUEUE_NAME, seconds_since_heartbeat=STALLED_SECONDS):
        try:
            await manager.retry_job(job)
        except UniqueViolation:
            await manager.finish_job(job, status=Status.ABORTED, delete_job=True)


def _install(conninfo: str) -> None:
    """Make the tables of the queue, unless they are there; whoever comes second waits for the first."""
    import psycopg
    from procrastinate.schema import SchemaManager

    with psycopg.connect(conninfo, autocommit=True) as db:
        db.execute("SELECT pg_advisory_lock(%s)", (lock_number((QUEUE_SCHEMA,)),))
        there = db.execute("SELECT to_regclass(%s)", (f"{QUEUE_SCHEMA}.procrastinate_jobs",)).fetchone()
        if there == (None,):
            db.execute(f"CREATE SCHEMA IF NOT EXISTS {QUEUE_SCHEMA}; SET search_path TO {QUEUE_SCHEMA}")
            db.execute(SchemaManager.get_schema())


@contextmanager
def translate_queue_errors(place: StorePlace) -> Iterator[None]:
    """What the library and its driver say within, as a StoreError."""
    try:
        import psycopg
        from procrastinate.exceptions import ProcrastinateException
    except ImportError as error:
        raise StoreError(
            Phrase("The queue needs a library that is not installed: {name}.", name=error.name),
            hint=install_hint(POSTGRES_EXTRA),
        ) from error
    try:
        yield
    except (ProcrastinateException, psycopg.Error) as error:
        why = place.without_secrets(str(error.__cause__ or error).partition("\n")[0].rstrip("."))
        raise StoreError(
            Phrase("The queue in {place} cannot be used: {why}.", place=place, why=why),
            hint="Check that the server runs, and that its user may make a schema there.",
        ) from error
