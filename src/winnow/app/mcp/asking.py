"""Questions that a client puts to the person: by a request of its own, or by a second round of the call.

Until protocol 2025-11-25 a server asks while the call is under way. From 2026-07-28 on the call ends with the
question and is made again with the answer; what is known of the first round travels with it, sealed by the
server, so that neither the client nor its model reads or writes any of it.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import anyio.from_thread
from mcp.server.elicitation import AcceptedElicitation, render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError, create_model

from winnow.act.receipt import Progress
from winnow.types.document import Read

SECOND_ROUND = "2026-07-28"
"""Protocol from which on a question ends the call."""
PERSON = "person"
"""What the question is called in a second round."""

Form = TypeVar("Form", bound=BaseModel)
CallContext = Context[Any, Any]


def yes_form(title: str) -> type[BaseModel]:
    """A box that has to be ticked: to accept the form as it comes is no yes."""
    return create_model("Yes", yes=(bool, Field(default=False, title=title)))


def choice_form(labels: list[str], title: str) -> type[BaseModel]:
    """One of the labels."""
    return create_model("Choice", choice=(str, Field(title=title, json_schema_extra={"enum": [*labels]})))


def can_ask(ctx: CallContext) -> bool:
    """Whether the client says that it can put a form to the person."""
    known = ctx.client_capabilities
    asks = known.elicitation if known else None
    if asks is None or (asks.form is None and asks.url is not None):
        return False
    return _has_second_round(ctx) or ctx.session.can_send_request


async def ask_person(
    ctx: CallContext, question: str, form: type[Form], state: str
) -> Form | InputRequiredResult | None:
    """The form as the person filled it in; None: declined, cancelled or filled in amiss.

    Where the client asks in a second round, first the question, which ends the call: ``state`` is then what
    ``ctx.request_state`` holds in that round.
    """
    if ctx.request_state:
        answer = (ctx.input_responses or {}).get(PERSON)
        accepted = isinstance(answer, ElicitResult) and answer.action == "accept"
        try:
            return form.model_validate(answer.content) if accepted else None  # type: ignore[union-attr]
        except ValidationError:
            return None
    if _has_second_round(ctx):
        schema = render_elicitation_schema(form)
        asked = ElicitRequest(params=ElicitRequestFormParams(message=question, requested_schema=schema))
        return InputRequiredResult(input_requests={PERSON: asked}, request_state=state)
    try:
        told = await ctx.elicit(question, form)
    except (ValueError, MCPError):  # filled in amiss, or the client could not ask: no answer
        return None
    return told.data if isinstance(told, AcceptedElicitation) else None


def _has_second_round(ctx: CallContext) -> bool:
    version = ctx.protocol_version
    return version is not None and is_version_at_least(version, SECOND_ROUND)


@asynccontextmanager
async def reported_progress(ctx: CallContext) -> AsyncIterator[Read]:
    """A progress that is sent to the client as it comes, in order; those who report it need not wait."""
    sending, receiving = anyio.create_memory_object_stream[tuple[int, int]](math.inf)

    async def forward() -> None:
        async with receiving:
            async for done, size in receiving:
                await ctx.report_progress(done, size or None)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(forward)
        with sending:
            yield lambda done, size: sending.send_nowait((done, size))


@asynccontextmanager
async def reported_outcomes(ctx: CallContext) -> AsyncIterator[Progress]:
    """The same for commands: how many of them came to anything, of all."""
    async with reported_progress(ctx) as progress:
        done = 0

        def told(outcomes: Sequence[object], calls: int) -> None:
            nonlocal done
            done += len(outcomes)
            progress(done, calls)

        yield told
