"""A home that does what it is told: a text a line in, as speech recognition gives it, receipts out. No model.

printf 'turn off the desk lamp\\nunlock the front door\\nyes\\n' | python examples/voice_home.py
"""

from __future__ import annotations

import asyncio
import sys

import winnow
from winnow import Act, Engine, Nothing, Query, Retrieval, receipt_sentences, rehearse_on_copy


async def say(engine: Engine, words: str, user: str, room: str | None = None) -> str:
    """What is to be spoken: what was done, what was read, what is asked, or why not."""
    turn = await engine.retrieve(words, user=user, session="speaker", room=room)
    view = (await engine.load_home()).view
    verdict = turn.verdict
    if isinstance(verdict, Act) or (isinstance(verdict, Nothing) and verdict.reason == "undo"):
        receipt = await engine.act(turn)  # decided once more on the home as it is now
        return receipt_sentences(receipt, view, turn.reading.language)
    if isinstance(verdict, Query):
        return readings(turn, {device.id: device.name for device in view.home.devices})
    # A question waits for the next sentence of the same person; a refusal says why.
    return getattr(verdict, "question", "") or getattr(verdict, "message", "") or "Sorry?"


def readings(turn: Retrieval, names: dict[str, str]) -> str:
    """What the devices that were asked about report."""
    told = []
    for read in turn.verdict.reads:
        value = turn.snapshot.value(read.device_id, read.attribute_id)
        told.append(f"{names[read.device_id]}: {value}")
    return "; ".join(told)


async def main() -> None:
    """A line a sentence."""
    engine = winnow.open("example:cottage")  # a linked home: winnow.open(live=True)
    rehearse_on_copy(engine)
    async with engine:
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(await say(engine, line.strip(), user="ida"), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
