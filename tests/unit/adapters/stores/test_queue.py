"""Work in the background: a queue on a real PostgreSQL that several workers share."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
import sqlalchemy as sa

from winnow.adapters.stores.job_queue import QUEUE_SCHEMA, JobQueue, cron_expression
from winnow.errors import StoreError
from winnow.types.scope import Scope

ANNA, BERT = Scope("t", "anna"), Scope("t", "bert")
WAIT = 30.0


class Noted:
    """Jobs that are only noted."""

    def __init__(self, *due: Scope) -> None:
        self.due = due
        self.done: list[Scope] = []
        self.looks = 0
        self.busy: list[Scope] = []
        self.most = 0
        self.enough = asyncio.Event()

    async def fill_person(self, scope: Scope) -> None:
        self.busy.append(scope)
        self.most = max(self.most, self.busy.count(scope))
        await asyncio.sleep(0.01)
        self.busy.remove(scope)
        self.done.append(scope)
        self.enough.set()

    async def changed_persons(self) -> Sequence[Scope]:
        self.looks += 1
        return self.due


@pytest.fixture
def queue(postgres: sa.URL) -> JobQueue:
    return JobQueue(postgres.render_as_string(hide_password=False))


def test_what_is_asked_for_is_done_once_and_asking_twice_is_asking_once(queue: JobQueue) -> None:
    noted = Noted()

    async def asked() -> list[int]:
        counts = [await queue.ask([ANNA, BERT]), await queue.ask([ANNA])]
        await queue.work(noted, wait=False)
        counts.append(await queue.ask([ANNA]))
        await queue.work(noted, wait=False)
        return counts

    assert asyncio.run(asked()) == [2, 0, 1]
    assert sorted(noted.done, key=lambda scope: scope.user) == [ANNA, ANNA, BERT]


def test_several_workers_share_a_queue_and_none_two_are_busy_with_one_person(queue: JobQueue) -> None:
    people = [Scope("t", f"user {n}") for n in range(12)]
    noted = Noted()

    async def shared() -> None:
        await queue.ask(people)
        await asyncio.gather(*(queue.work(noted, at_once=3, wait=False) for _ in range(2)))

    asyncio.run(shared())
    assert sorted(scope.user for scope in noted.done) == sorted(scope.user for scope in people)
    assert noted.most == 1


@pytest.mark.parametrize("asked_again", [False, True])
def test_the_job_of_a_worker_that_was_killed_is_taken_up(
    queue: JobQueue, postgres: sa.URL, asked_again: bool
) -> None:
    noted = Noted()

    async def taken_up() -> None:
        await queue.ask([ANNA])
        killed(postgres)
        if asked_again:
            assert await queue.ask([ANNA]) == 1
        await queue.work(noted, wait=False)

    asyncio.run(taken_up())
    assert noted.done == [ANNA]


def killed(postgres: sa.URL) -> None:
    """What is left of a worker that was killed: jobs that are being done by nobody."""
    engine = sa.create_engine(postgres, poolclass=sa.NullPool)
    with engine.begin() as db:
        db.execute(sa.text(f"SET LOCAL search_path TO {QUEUE_SCHEMA}"))
        db.execute(sa.text("UPDATE procrastinate_jobs SET status = 'doing'"))


def test_who_needs_something_is_looked_for_now_and_then(queue: JobQueue) -> None:
    noted = Noted(BERT)

    async def looked() -> None:
        working = asyncio.create_task(queue.work(noted, every=1.0))
        await asyncio.wait_for(noted.enough.wait(), WAIT)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    asyncio.run(looked())
    assert noted.looks >= 1
    assert noted.done[0] == BERT


def test_its_tables_lie_in_a_schema_of_their_own_and_are_made_once(queue: JobQueue, postgres: sa.URL) -> None:
    async def together() -> list[int]:
        return list(await asyncio.gather(*(queue.ask([Scope("t", f"{n}")]) for n in range(3))))

    assert asyncio.run(together()) == [1, 1, 1]
    engine = sa.create_engine(postgres, poolclass=sa.NullPool)
    assert "procrastinate_jobs" in sa.inspect(engine).get_table_names(QUEUE_SCHEMA)
    assert "procrastinate_jobs" not in sa.inspect(engine).get_table_names("public")


def test_a_file_has_no_queue_and_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(StoreError, match="Only a store on a PostgreSQL server") as caught:
        JobQueue("winnow.db")
    assert "--watch" in caught.value.hint
    nobody = JobQueue("postgresql://me:secret@127.0.0.1:1/nothing?connect_timeout=2")
    with pytest.raises(StoreError, match="cannot be used") as reached:
        asyncio.run(nobody.ask([ANNA]))
    assert "secret" not in str(reached.value)


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0.2, "* * * * * */1"),
        (30, "* * * * * */30"),
        (60, "*/1 * * * *"),
        (300, "*/5 * * * *"),
        (3570, "*/59 * * * *"),
        (7200, "0 */2 * * *"),
        (10**6, "0 */23 * * *"),
    ],
)
def test_seconds_are_written_as_the_library_wants_them(seconds: float, written: str) -> None:
    from croniter import croniter  # type: ignore[import-untyped]

    assert cron_expression(seconds) == written
    assert croniter.is_valid(written)
