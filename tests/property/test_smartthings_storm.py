"""A cloud that turns away, fails, breaks off and stalls: no command is lost, none is done twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.smartthings_stand_in import HOMES, Reply, SmartThings
from tests.smartthings_storm import STORM, Weather, home, said, stormed

from winnow.engine.engine import Engine

pytestmark = pytest.mark.slow

LAMP = "6e2fbcf3-6267-5c4d-abdb-fdb6dc31ee9a"
STEPS = ("电视下一个台", "next channel on the TV", "回家模式")


def test_in_fair_weather_everything_is_done_once() -> None:
    orders = ("关掉所有的灯", "把客厅主灯调成红色", "next channel on the TV", "回家模式")
    tally = stormed(HOMES / "home150", Weather(), 0, orders)
    assert (tally.wrong, tally.again, tally.shown) == ([], 0, 0)
    assert set(tally.outcomes) == {"done", "sent"}
    assert tally.outcomes.total() >= 48


@pytest.mark.parametrize(
    ("name", "seed", "orders"),
    [
        ("home40", 2, ("set every light in the living room to 30%", "窗帘都拉上", *STEPS)),
        ("home150", 3, ("turn off all the lights",)),
    ],
)
def test_in_a_storm_each_command_is_done_once_or_told_as_it_was(
    name: str, seed: int, orders: tuple[str, ...]
) -> None:
    tally = stormed(HOMES / name, replace(STORM, slow=0.0), seed, orders)
    assert tally.wrong == []
    assert tally.faults > 0
    assert tally.outcomes.total() > 0


def test_too_many_requests_alone_lose_and_double_nothing() -> None:
    tally = stormed(HOMES / "home40", Weather(many=0.5), 1, ("关掉所有的灯", "next channel on the TV"))
    assert (tally.wrong, tally.again) == ([], 0)
    assert tally.outcomes.total() == tally.outcomes["done"] + tally.outcomes["sent"]
    assert tally.faults > 0


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[SmartThings, Engine]]:
    with home(HOMES / "home40", seen_seconds=1.0) as both:
        yield both


@pytest.fixture
def flat(running: tuple[SmartThings, Engine]) -> Iterator[tuple[SmartThings, Engine]]:
    yield running
    running[0].doing.lying.clear()
    running[0].doing.lag = 0.0
    running[0].faults.clear()


def statuses(engine: Engine, text: str) -> list[str]:
    came = said(engine, text)
    assert came is not None
    return [outcome.status for outcome in came[0].outcomes]


def test_what_shows_a_moment_later_is_waited_for(flat: tuple[SmartThings, Engine]) -> None:
    server, engine = flat
    server.set(LAMP, "switch", "switch", "on")
    server.doing.did.clear()
    server.doing.lag = 0.1
    assert statuses(engine, "把客厅主灯关了") == ["done"]
    assert [did.command for did in server.doing.did] == ["off"]


def test_a_device_that_takes_everything_and_does_nothing_is_not_told_done(
    flat: tuple[SmartThings, Engine],
) -> None:
    server, engine = flat
    server.set(LAMP, "switch", "switch", "off")
    server.doing.lying = {device["deviceId"] for device in server.devices}
    assert statuses(engine, "把客厅主灯打开") == ["unknown"]


def test_a_step_that_nobody_answered_is_told_unknown_and_not_tried_again(
    flat: tuple[SmartThings, Engine],
) -> None:
    server, engine = flat
    server.doing.did.clear()
    gone = Reply(status=0, after=True)
    server.faults.append(lambda request: None if request.method == "GET" else gone)
    assert statuses(engine, "next channel on the TV") == ["unknown"]
    assert [did.command for did in server.doing.did] == ["channelUp"]
