"""What is carried out tells a client that asks for it how far it is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.app.mcp.stage import DOOR, MODES, Person, Stage, agreeing, told

LIGHTS = ("light.reading_lamp", "light.desk_lamp")


def calls_of(stage: Stage) -> list[dict[str, Any]]:
    """Two commands that an agent puts together itself."""
    return [{"device": stage.handle(light), "command": "Switch.Off"} for light in LIGHTS]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("by", ["plan", "calls"])
def test_each_command_is_reported_as_it_comes_to_something(stage: Stage, mode: str, by: str) -> None:
    reports: list[tuple[float, float | None]] = []

    async def progress(done: float, size: float | None, _: str | None) -> None:
        reports.append((done, size))

    async def play() -> list[str]:
        async with stage.client(mode) as client:
            words = (
                "turn off all the lights" if by == "plan" else "turn off the reading lamp and the desk lamp"
            )
            turn = await told(client, "retrieve", text=words)
            asked = {"plan": turn["plan"]} if by == "plan" else {"calls": calls_of(stage)}
            came = await client.call_tool("act", asked, progress_callback=progress)
            assert came.structured_content is not None
            assert came.structured_content["status"] == "done", came.content
            return list(came.structured_content["done"])

    done = asyncio.run(play())
    assert done
    assert len(reports) > 1  # while it is under way, and not only at its end
    assert reports == sorted({*reports})
    assert reports[-1][0] == reports[-1][1] == {size for _, size in reports}.pop()


@pytest.mark.parametrize("mode", MODES)
def test_what_a_yes_started_is_reported_too_and_only_to_who_asks(stage: Stage, mode: str) -> None:
    reports: list[tuple[float, float | None]] = []

    async def progress(done: float, size: float | None, _: str | None) -> None:
        reports.append((done, size))

    async def play() -> None:
        async with stage.client(mode, Person(agreeing)) as client:
            for words, callback in (("unlock the front door", progress), ("lock the front door", None)):
                turn = await told(client, "retrieve", text=words)
                came = await client.call_tool("act", {"plan": turn["plan"]}, progress_callback=callback)
                assert came.structured_content is not None
                assert came.structured_content["done"] == [DOOR]

    asyncio.run(play())
    assert reports == [(1, 1)]
