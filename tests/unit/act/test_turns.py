"""Acts that share a device take turns."""

from __future__ import annotations

import asyncio
from threading import Thread

from tests.faulty import run

from winnow.act.checks import DeviceQueue

A, B, C = (("t", "h", name) for name in "abc")


def test_who_shares_a_device_waits_until_it_is_let_go() -> None:
    turns, order = DeviceQueue(), list[str]()

    async def act(name: str, keys: list[tuple[str, str, str]], seconds: float) -> None:
        held = await turns.acquire(keys)
        order.append(f"{name} begins")
        await asyncio.sleep(seconds)
        order.append(f"{name} ends")
        held.leave()

    async def all_of_them() -> None:
        await asyncio.gather(act("first", [A, B], 3), act("second", [B, C], 1), act("third", [A], 1))

    run(all_of_them())
    assert order.index("second begins") > order.index("first ends")
    assert order.index("third begins") > order.index("first ends")


def test_a_device_that_is_done_with_is_free_before_the_others() -> None:
    turns = DeviceQueue()

    async def early() -> bool:
        held = await turns.acquire([A, B])
        held.leave("a")
        async with asyncio.timeout(1):
            await turns.acquire([A])
        return True

    assert run(early())


def test_whoever_gives_up_waiting_leaves_nothing_taken() -> None:
    turns = DeviceQueue()

    async def given_up() -> None:
        held = await turns.acquire([B])
        waiting = asyncio.create_task(turns.acquire([A, B]))
        await asyncio.sleep(1)
        waiting.cancel()
        await asyncio.wait({waiting})
        async with asyncio.timeout(1):
            await turns.acquire([A])
        held.leave()
        async with asyncio.timeout(1):
            await turns.acquire([B])

    run(given_up())


def test_loops_of_several_threads_take_turns() -> None:
    turns, inside, most = DeviceQueue(), [0], [0]

    async def act() -> None:
        held = await turns.acquire([A])
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        await asyncio.sleep(0.002)
        inside[0] -= 1
        held.leave()

    threads = [Thread(target=asyncio.run, args=(act(),)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inside, most) == ([0], [1])
