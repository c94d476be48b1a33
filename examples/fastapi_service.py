"""A service for several persons and tenants: each has their own talk, documents and home.

uvicorn --app-dir examples fastapi_service:app
curl -N localhost:8000/chat -H 'X-User: ida' --json '{"words": "turn off the desk lamp"}'
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, Request
from fastapi.responses import JSONResponse, StreamingResponse
from openai import AsyncOpenAI
from pydantic import BaseModel

import winnow
from winnow import StreamedReply, WinnowError, rehearse_on_copy


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """One engine and one client for all requests."""
    app.state.engine = winnow.open(os.environ.get("SERVICE_HOME", "example:cottage"))
    rehearse_on_copy(app.state.engine)
    async with app.state.engine, AsyncOpenAI() as app.state.model:
        yield


app = FastAPI(lifespan=lifespan)


def who(x_user: Annotated[str, Header()], x_tenant: Annotated[str, Header()] = "") -> dict[str, str]:
    """Who asks. Put your own authentication here: nobody may name another."""
    return {"user": x_user, "tenant": x_tenant}


Who = Annotated[dict[str, str], Depends(who)]


class Said(BaseModel):
    words: str
    session: str = "web"


class Notes(BaseModel):
    texts: list[str]


@app.post("/chat")
async def chat(said: Said, who: Who, request: Request) -> StreamingResponse:
    """The answer as plain text, piece by piece."""
    return StreamingResponse(pieces(request.app.state, said, who), media_type="text/plain")


async def pieces(state: Any, said: Said, who: dict[str, str]) -> AsyncIterator[str]:
    """One turn with its tool calls."""
    engine = state.engine
    turn = await engine.retrieve(said.words, session=said.session, tools=engine.tools(), **who)
    for _ in range(5):
        reply = StreamedReply()
        sent = {"messages": turn.context.messages, "tools": turn.context.tools}
        model = os.environ.get("MODEL", "my-model")
        async for chunk in await state.model.chat.completions.create(model=model, stream=True, **sent):
            yield reply.add(chunk)
        done = await engine.call_tools(turn, reply.message)
        turn = done.retrieval
        if not done.results:
            break
    await engine.replied(turn, reply.text)


@app.post("/notes")
async def add_notes(notes: Notes, who: Who, request: Request) -> dict[str, int]:
    """Private documents of whoever asks, found from the next turn on."""
    report = await request.app.state.engine.add_documents(notes.texts, **who)
    return {"added": report.added, "total": report.total}


@app.delete("/me")
async def forget_me(who: Who, request: Request) -> dict[str, int]:
    """All that is stored of whoever asks."""
    report = await request.app.state.engine.forget(who["user"], tenant=who["tenant"])
    return dict(report.removed)


@app.exception_handler(WinnowError)
async def refuse(_: Request, error: WinnowError) -> JSONResponse:
    """What Winnow raises, with what to do next."""
    return JSONResponse({"error": str(error), "hint": error.hint}, 503 if error.retryable else 400)
