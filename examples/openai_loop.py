"""A chat at the terminal over any server of the OpenAI protocol: streaming, tool calls, and a person's yes.

OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none MODEL=qwen3:14b python examples/openai_loop.py
"""

from __future__ import annotations

import asyncio
import os
import sys

from openai import AsyncOpenAI

import winnow
from winnow import Engine, StreamedReply, rehearse_on_copy

SYSTEM = (
    "You help at home. Be brief. Say only what the data tells; if nothing does, say that you do not know."
)
ROUNDS = 5
"""A model that never stops calling tools is stopped."""


async def answer(engine: Engine, client: AsyncOpenAI, words: str, user: str, session: str) -> None:
    """One turn, printed as it comes."""
    who = {"user": user, "session": session}
    turn = await engine.retrieve(words, system=SYSTEM, tools=engine.tools(), **who)
    for _ in range(ROUNDS):
        reply = StreamedReply()
        sent = {"messages": turn.context.messages, "tools": turn.context.tools}
        model = os.environ.get("MODEL", "my-model")
        async for chunk in await client.chat.completions.create(model=model, stream=True, **sent):
            print(reply.add(chunk), end="", flush=True)
        done = await engine.call_tools(turn, reply.message)
        turn = done.retrieval
        if done.waiting:  # the model cannot say yes; the person may, here in words in their next turn
            print(f"({done.waiting.question})")
        if not done.results:
            break
    print()
    await engine.replied(turn, reply.text)


async def main() -> None:
    """A line a turn, until there are no more."""
    engine = winnow.open("example:cottage")  # your own: winnow.open(live=True)
    rehearse_on_copy(engine)  # acts on a copy in memory
    async with engine, AsyncOpenAI() as client:
        while line := await asyncio.to_thread(sys.stdin.readline):
            await answer(engine, client, line.strip(), user="ida", session="terminal")


if __name__ == "__main__":
    asyncio.run(main())
