"""Blocking callers get what coroutines return, whether or not an event loop runs around them."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from winnow.app.config.settings import Settings
from winnow.app.wiring import engine as wiring
from winnow.ports.services import gather_both, run_aside, run_blocking
from winnow.types.candidate import Search, Shortlist
from winnow.types.home import Home
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

SAID = Utterance("turn on the desk lamp", user="anna", session="s")


@pytest.fixture
def home(two_lights: Home) -> Home:
    return two_lights


async def thread() -> threading.Thread:
    return await run_aside(threading.current_thread)


def test_without_a_loop_the_work_is_done_here_and_at_once() -> None:
    assert run_blocking(thread()) is threading.current_thread()


def test_an_event_loop_goes_on_while_a_store_is_waited_for() -> None:
    assert asyncio.run(thread()) is not threading.current_thread()


def test_a_blocking_caller_inside_a_loop_does_not_wait_for_that_loop() -> None:
    async def called() -> threading.Thread:
        return run_blocking(thread())

    assert asyncio.run(called()) is not threading.current_thread()


def test_what_waits_for_more_than_a_store_gets_a_loop_of_its_own() -> None:
    async def called() -> str:
        return run_blocking(asyncio.sleep(0, "done"), waits=True)

    assert run_blocking(asyncio.sleep(0.001, "done"), waits=True) == asyncio.run(called()) == "done"


def test_what_waits_where_nothing_should_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="needs a loop"):
        run_blocking(asyncio.sleep(0))


def test_errors_come_across() -> None:
    async def fails() -> None:
        raise KeyError("x")

    for waits in (False, True):
        with pytest.raises(KeyError, match="x"):
            run_blocking(fails(), waits=waits)


def test_an_engine_over_a_file_answers_waiting_and_blocking_callers_alike(home: Home, tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    run_blocking(wiring.open_store(settings).storage.homes.save_home(Scope(), home))
    engine = wiring.open_engine(settings=settings)

    async def both() -> list[object]:
        return [(await engine.retrieve(SAID)).verdict, engine.sync.retrieve(SAID).verdict]

    first, second = asyncio.run(both())
    assert first == second == engine.sync.retrieve(SAID).verdict


def test_sentences_may_be_answered_at_the_same_time(home: Home, tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    run_blocking(wiring.open_store(settings).storage.homes.save_home(Scope(), home))
    engine = wiring.open_engine(settings=settings)
    said = [Utterance(SAID.text, user=f"u{n}", session=f"s{n}") for n in range(20)]

    async def together() -> list[object]:
        return [found.verdict for found in await asyncio.gather(*map(engine.retrieve, said))]

    verdicts = asyncio.run(together())
    assert len(verdicts) == 20
    assert all(verdict == verdicts[0] for verdict in verdicts)


class Here:
    """A source that tells in which thread it was asked."""

    def __init__(self, *, waits: bool) -> None:
        self.waits, self.threads = waits, list[threading.Thread]()

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        self.threads.append(threading.current_thread())
        return Shortlist("knowledge")


@pytest.mark.parametrize("waits", [False, True])
def test_a_source_that_never_suspends_is_asked_in_the_callers_own_thread(waits: bool, home: Home) -> None:
    source = Here(waits=waits)
    wiring.open_engine(home, sources={"knowledge": source}).sync.retrieve("how tall is Mont Blanc")
    assert [thread is threading.current_thread() for thread in source.threads] == [not waits]


def test_two_waits_are_one_where_there_is_a_loop() -> None:
    async def met() -> tuple[str, int]:
        here, there = asyncio.Event(), asyncio.Event()

        async def meet(mine: asyncio.Event, other: asyncio.Event, found: Any) -> Any:
            mine.set()
            await other.wait()
            return found

        return await gather_both(meet(here, there, "a"), meet(there, here, 1))

    assert asyncio.run(met()) == ("a", 1)


def test_without_a_loop_one_comes_after_the_other_and_a_failure_leaves_nothing_behind() -> None:
    done: list[int] = []

    async def do(number: int) -> int:
        done.append(number)
        if number < 0:
            raise ValueError(number)
        return number

    assert run_blocking(gather_both(do(1), do(2))) == (1, 2)
    with pytest.raises(ValueError, match="-1"):
        run_blocking(gather_both(do(-1), do(3)))
    assert done == [1, 2, -1]
