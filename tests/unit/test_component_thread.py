"""The thread of the integration: whatever is under way when it is unloaded, nobody waits for ever."""

from __future__ import annotations

import asyncio
import importlib.util
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from threading import Event, current_thread
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

FILE = Path(__file__).parents[2] / "custom_components" / "winnow" / "thread.py"
PATIENCE = 0.05
SOON = 3.0
"""Seconds by which whatever was asked for must have ended, also on a busy machine."""


def loaded() -> ModuleType:
    """The module, which needs no Home Assistant."""
    spec = importlib.util.spec_from_file_location("winnow_component_thread", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


thread = loaded()


@pytest.fixture(autouse=True, scope="module")
def impatient() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thread, "PATIENCE", PATIENCE)
        yield


class Recorded:
    """A thread, and in which order things ended in it."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.may_end = Event()
        self.runs = thread.EngineThread(self.closing)

    async def closing(self) -> None:
        assert current_thread() is self.runs._thread
        self.log.append("closed")

    async def quick(self) -> str:
        self.log.append("quick")
        return "done"

    async def endless(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)  # what was done is put on record
            self.log.append("interrupted")

    async def held(self) -> None:
        """Ends when it may, however long the machine takes for all before."""
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.to_thread(self.may_end.wait)

    async def failing(self) -> None:
        raise KeyError("its own")

    def ended(self) -> bool:
        return self.runs._loop.is_closed() and not self.runs._thread.is_alive()


def within(work: Callable[[Recorded], Coroutine[Any, Any, None]]) -> Recorded:
    """The thread after the work, which has to end soon."""
    made = Recorded()

    async def done() -> None:
        async with asyncio.timeout(SOON):
            await work(made)

    asyncio.run(done())
    return made


async def begun(turn: Awaitable[Any]) -> asyncio.Future[Any]:
    """The turn as a task that is under way."""
    task = asyncio.ensure_future(turn)
    await asyncio.sleep(0.02)
    return task


def test_a_turn_that_does_not_end_is_interrupted_and_its_caller_told() -> None:
    async def work(made: Recorded) -> None:
        turn = await begun(made.runs.run(made.endless()))
        await made.runs.stop()
        with pytest.raises(thread.TurnInterrupted):
            await turn

    made = within(work)
    assert made.log == ["interrupted", "closed"]
    assert made.ended()


def test_a_turn_that_ends_in_time_is_answered() -> None:
    async def work(made: Recorded) -> None:
        turn = await begun(made.runs.run(asyncio.sleep(PATIENCE / 2, "answered")))
        await made.runs.stop()
        assert await turn == "answered"

    assert within(work).ended()


def test_a_call_after_the_end_fails_at_once_and_so_does_one_while_it_ends() -> None:
    async def work(made: Recorded) -> None:
        turn = await begun(made.runs.run(made.held()))
        ends = await begun(made.runs.stop())
        with pytest.raises(thread.EngineStopped, match="unloaded"):
            await made.runs.run(made.quick())
        assert not ends.done()
        made.may_end.set()
        await asyncio.wait([ends, turn])
        with pytest.raises(thread.EngineStopped):
            await made.runs.run(made.quick())

    assert "quick" not in within(work).log


def test_what_waits_for_the_loop_that_ends_it_is_no_deadlock() -> None:
    async def work(made: Recorded) -> None:
        here = asyncio.get_running_loop()

        async def slow() -> str:
            await asyncio.sleep(PATIENCE / 2)
            return "from here"

        turn = await begun(made.runs.run(thread.over(here, slow)))
        await made.runs.stop()
        assert await turn == "from here"

    assert within(work).ended()


def test_what_it_waits_for_in_the_other_loop_is_cancelled_with_it() -> None:
    there: list[str] = []

    async def work(made: Recorded) -> None:
        here = asyncio.get_running_loop()

        async def forever() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                there.append("cancelled")

        turn = await begun(made.runs.run(thread.over(here, forever)))
        await made.runs.stop()
        with pytest.raises(thread.TurnInterrupted):
            await turn

    within(work)
    assert there == ["cancelled"]


def test_who_gives_up_is_cancelled_and_told_nothing_else() -> None:
    async def work(made: Recorded) -> None:
        turn = await begun(made.runs.run(made.endless()))
        ends = await begun(made.runs.stop())
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        await ends

    assert within(work).log == ["interrupted", "closed"]


def test_it_may_be_stopped_again_and_again() -> None:
    async def work(made: Recorded) -> None:
        await asyncio.gather(made.runs.stop(), made.runs.stop())
        await made.runs.stop()

    assert within(work).log == ["closed"]


def test_a_turn_that_computes_without_end_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread, "LIMIT", PATIENCE)

    async def work(made: Recorded) -> None:
        async def computing() -> None:
            time.sleep(10 * PATIENCE)

        turn = await begun(made.runs.run(computing()))
        start = time.monotonic()
        await made.runs.stop()
        assert time.monotonic() - start < 5 * PATIENCE
        await turn

    within(work)


KINDS = st.lists(st.sampled_from(["quick", "endless", "failing"]), max_size=6)


@settings(max_examples=10, deadline=None)
@given(KINDS, KINDS)
def test_every_caller_hears_what_came_of_its_turn(before: list[str], after: list[str]) -> None:
    came: list[Any] = []

    async def work(made: Recorded) -> None:
        turns = [await begun(made.runs.run(getattr(made, kind)())) for kind in before]
        ends = asyncio.ensure_future(made.runs.stop())
        await asyncio.sleep(0)
        turns += [asyncio.ensure_future(made.runs.run(getattr(made, kind)())) for kind in after]
        came.extend(await asyncio.gather(*turns, return_exceptions=True))
        await ends

    made = within(work)
    heard = {"quick": str, "endless": thread.TurnInterrupted, "failing": KeyError}
    assert [type(one) for one in came] == [heard[k] for k in before] + [thread.EngineStopped] * len(after)
    assert made.log[-1:] == ["closed"]
    assert made.ended()
