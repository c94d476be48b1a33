"""Turns take their steps one after the other, and the server tells how long it keeps others waiting."""

from __future__ import annotations

import asyncio
import gc
import re
import time

import pytest

from winnow.app.server.pace import Pace
from winnow.app.server.telemetry import HttpMetrics


def test_one_step_is_taken_in_each_round_and_all_come_to_their_end() -> None:
    rounds: list[int] = []

    async def count_rounds() -> None:
        while True:
            rounds.append(0)
            await asyncio.sleep(0)

    async def work(number: int) -> int:
        for _ in range(3):
            rounds[-1] += 1
            await asyncio.sleep(0)
        return number

    async def play() -> list[int]:
        pace, counting = Pace(), asyncio.create_task(count_rounds())
        await asyncio.sleep(0)
        done = await asyncio.gather(*(pace.run(work(number)) for number in range(20)))
        counting.cancel()
        return list(done)

    assert asyncio.run(play()) == list(range(20))
    assert (max(rounds), sum(rounds)) == (1, 60)


def test_who_waits_holds_nobody_up_and_who_leaves_leaves_the_line() -> None:
    async def play() -> str:
        pace, over = Pace(), asyncio.Event()
        waiting = [asyncio.create_task(pace.run(over.wait())) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        assert await pace.run(asyncio.sleep(0, "at once")) == "at once"
        over.set()
        assert await waiting[0] is await waiting[2] is True
        with pytest.raises(asyncio.CancelledError):
            await waiting[1]
        async with asyncio.timeout(5):
            with pytest.raises(TimeoutError):
                await pace.run(asyncio.wait_for(asyncio.sleep(60), 0.001))
        with pytest.raises(ValueError, match="wrong"):
            await pace.run(_wrong())
        return await pace.run(asyncio.sleep(0, "still"))

    assert asyncio.run(play()) == "still"


async def _wrong() -> None:
    await asyncio.sleep(0)
    raise ValueError("wrong")


def test_a_standstill_counts_as_every_moment_that_waited_for_it() -> None:
    async def play() -> str:
        metrics = HttpMetrics()
        watching = asyncio.create_task(metrics.watch_loop())
        await asyncio.sleep(0.02)
        time.sleep(0.2)  # the standstill
        await asyncio.sleep(0.02)
        watching.cancel()
        return metrics.text()

    told = asyncio.run(play())
    counts = {le: float(n) for le, n in re.findall(r'delay_seconds_bucket\{le="([^"]+)".* ([\d.]+)', told)}
    assert counts["+Inf"] - counts["0.1"] >= 9


def test_what_is_loaded_by_then_is_held_for_good() -> None:
    from tests.unit.app.server.conftest import cottage, served

    before = gc.get_freeze_count()
    try:
        with served(cottage(), keyless=True, settle_after=1) as server, server.client() as client:
            client.post("/v1/retrieve", json={"text": "turn on the light"})
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
