"""Routes of a turn: retrieve, answer, act, confirm, undo, explain, more, feedback, budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from winnow.app.access import key_scope, person_scope
from winnow.app.explanation import explanation_text
from winnow.app.output import plain_data
from winnow.app.server.door import (
    Caller,
    Door,
    Event,
    TheDoor,
    event_response,
    scope_of,
    told,
    used,
    wants_events,
)
from winnow.app.server.faults import RequestError, language_of
from winnow.app.server.pace import PacedRoute
from winnow.app.server.shapes import (
    ActRequest,
    AnswerRequest,
    BudgetRequest,
    ConfirmRequest,
    ExplainRequest,
    FeedbackRequest,
    MoreRequest,
    SentenceRequest,
    TalkRequest,
)
from winnow.app.server.telemetry import memory_span, turn_attributes
from winnow.app.trace import compact_trace, full_trace, receipt_trace
from winnow.context.shares import DEFAULT_SHARES, ContextBudget
from winnow.engine.replies import receipt_sentences
from winnow.types.home import NO_HOME, HomeView
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval, Stage
from winnow.types.scope import AccessKey, Scope
from winnow.types.utterance import LanguageCode, Utterance
from winnow.understand.parse_tree import ParseTree
from winnow.understand.reading import drawing

Tell = Callable[[Event], None]
TRACE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The turn (docs/trace.md) with `plan` and `usage`; as events where those are taken.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Trace"}}},
    }
}
routes = APIRouter(route_class=PacedRoute, prefix="/v1", tags=["turns"])


@routes.post("/retrieve", responses=TRACE)
async def retrieve(request: Request, said: SentenceRequest, key: Caller, door: TheDoor) -> Response:
    """What a sentence needs: what may be done, and the messages for a language model. Nothing is done.

    With `Accept: text/event-stream` each stage is an event when it ends, then what was decided, then `more`
    with what was found and held back, then the `result`.
    """
    scope = _said_in(key, said)
    if not wants_events(request):
        found = await retrieve_turn(door, scope, said)
        return told(request, await _trace(door, found, full=said.full), found)

    async def work(tell: Tell) -> Event:
        found = await retrieve_turn(door, scope, said, lambda s: tell(("stage", plain_data(s))))
        trace = await _trace(door, found, full=said.full)
        tell(("verdict", trace["verdict"]))
        if found.context.more:
            tell(("more", {"id": found.id, "ids": list(found.context.more)}))
        return "result", {**trace, "usage": used(request, found)}

    return event_response(request, work)


@routes.post("/answer", responses=TRACE)
async def answer(request: Request, given: AnswerRequest, key: Caller, door: TheDoor) -> Response:
    """What follows from an answer to the question of a response. A question is answered once."""
    scope = person_scope(key, given.user)
    asked = await door.engine.talk.open_question(scope, given.id)
    if asked is not None:
        key_scope(key, scope.user, asked.home_id)  # raises where that home is none of the key's
    found = await door.engine.answer(
        given.id,
        given.choice,
        user=scope.user,
        tenant=scope.tenant,
        system=given.system,
        tools=given.tools,
        options=given.options,
    )
    door.remember(found)
    return told(request, await _trace(door, found, full=given.full), found)


@routes.post("/act")
async def act(request: Request, order: ActRequest, key: Caller, door: TheDoor) -> Response:
    """Do what a sentence says, or carry out a plan, and tell what came of it.

    What is dangerous waits for a yes: the receipt is `waiting`, with the question, and `token` is what says
    yes to it at /v1/confirm. It is for the person, never for a model. With `Accept: text/event-stream`
    outcomes are events as they come. What was begun goes on to its end, even if the client leaves.
    """
    if bool(order.text) == bool(order.plan):
        raise RequestError(
            400, "text_or_plan", "Give either a text or a plan.", hint='{"text": "turn on the lamp"}'
        )
    if not wants_events(request):
        return told(request, *await door.run_to_end(_act(door, key, order, request)))

    async def work(tell: Tell) -> Event:
        def progress(outcomes: Any, calls: int) -> None:
            tell(("outcomes", {"of": calls, "outcomes": [_outcome_data(one) for one in outcomes]}))

        data, found = await door.run_to_end(_act(door, key, order, request, progress))
        return "result", {**data, "usage": used(request, found)}

    return event_response(request, work)


@routes.post("/confirm")
async def confirm(request: Request, given: ConfirmRequest, key: Caller, door: TheDoor) -> Response:
    """What follows from a person's yes: the token is good once, in time, for the person who was asked."""
    scope = person_scope(key, given.user)
    if asked_in := await door.engine.acting.home_of(scope, given.token):
        key_scope(key, scope.user, asked_in)
    work = door.engine.confirm(given.token, user=scope.user, tenant=scope.tenant)
    return told(request, await _receipt(door, scope.at(asked_in), await door.run_to_end(work), request))


@routes.post("/undo")
async def undo(request: Request, given: TalkRequest, key: Caller, door: TheDoor) -> Response:
    """Take back what this person did last: in that session, else in the last ten minutes."""
    scope = await scope_of(door, key, given.user, given.home, given.session, in_home=True)
    work = door.engine.undo(user=scope.user, home=scope.home, session=scope.session, tenant=scope.tenant)
    return told(request, await _receipt(door, scope, await door.run_to_end(work), request))


@routes.post("/explain")
async def explain(request: Request, said: ExplainRequest, key: Caller, door: TheDoor) -> Response:
    """Every stage of a turn, as text and as the whole trace: of a sentence, or of a recent response."""
    if bool(said.text) == bool(said.id):
        raise RequestError(400, "text_or_id", "Give either a text or an id.", hint='{"text": "turn it off"}')
    scope = person_scope(key, said.user) if said.id else _said_in(key, said)
    found = door.recent.of(key, scope, said.id) if said.id else await retrieve_turn(door, scope, said)
    view, parsed = await _parsed(door, found)
    data = {"explanation": explanation_text(found, view, parsed), **await _trace(door, found, full=True)}
    return told(request, data, found)


@routes.post("/more", responses=TRACE)
async def more(request: Request, given: MoreRequest, key: Caller, door: TheDoor) -> Response:
    """A recent turn with what a model's reply says it lacks, looked up deeper, within the same budget."""
    recent = door.recent.of(key, person_scope(key, given.user), given.id)
    found = await door.engine.more(recent, given.reply)
    door.recent.put(found)
    return told(request, await _trace(door, found), found)


@routes.post("/feedback")
async def feedback(request: Request, given: FeedbackRequest, key: Caller, door: TheDoor) -> Response:
    """Keep what a person says of a response, or of one thing that it gave. It changes nothing by itself."""
    scope = person_scope(key, given.user)
    kept = await door.engine.feedback(
        given.of, given.judged, given.ref or None, given.note, scope.user, scope.tenant
    )
    return told(request, {"id": kept.id, "judged": kept.judged, "of": kept.retrieval})


@routes.post("/budget")
async def budget(request: Request, asked: BudgetRequest, key: Caller, door: TheDoor) -> Response:
    """How many tokens texts take, counted as a turn counts them, and whether they fit their shares."""
    policy = door.engine.policy
    shares = asked.shares or policy.options.shares or DEFAULT_SHARES
    room = ContextBudget(asked.tokens or policy.context, shares, counted_by=policy.tokenizer)

    def count() -> dict[str, list[bool]]:
        return {part: [room.add(part, text) for text in texts] for part, texts in asked.texts.items()}

    fits = await asyncio.to_thread(count)  # megabytes of text would keep everybody else waiting
    shown = {part: {**plain_data(use), "percentage": use.percentage} for part, use in room.usage().items()}
    data = {"total": room.total, "remaining": room.remaining(), "shares": shown, "fits": fits}
    return told(request, {**data, "warnings": list(room.warnings())})


async def retrieve_turn(
    door: Door, scope: Scope, said: SentenceRequest, on_stage: Callable[[Stage], None] | None = None
) -> Retrieval:
    """One turn, counted and remembered. Raises WinnowError."""
    scope = await door.in_only_home(scope)
    words = Utterance(
        said.text, said.language, scope.home, said.room, scope.user, scope.session, tenant=scope.tenant
    )
    with memory_span(door.tracer, "search_memory", "winnow", scope) as span:
        found = await door.engine.retrieve(
            words,
            history=said.history,
            system=said.system,
            detail=said.detail,
            tools=said.tools,
            options=said.options,
            on_stage=on_stage,
        )
        span.update(turn_attributes(found))
    door.remember(found)
    return found


def _said_in(key: AccessKey, said: SentenceRequest | ExplainRequest) -> Scope:
    """Whose talk it is. Raises AccessError."""
    return key_scope(key, said.user, said.home, said.session)


async def _act(
    door: Door, key: AccessKey, order: ActRequest, request: Request, progress: Any = None
) -> tuple[dict[str, Any], Retrieval | None]:
    """What came of an order, and the turn that it was."""
    engine = door.engine
    scope = await scope_of(door, key, order.user, order.home, order.session, in_home=True)
    if order.plan:
        receipt = await engine.act(order.plan, scope=scope, progress=progress)
        return await _receipt(door, scope, receipt, request), None
    said = SentenceRequest(**order.model_dump(exclude={"plan"}))
    found = await retrieve_turn(door, scope, said)
    view = await door.view(found)  # before: what is told afterwards is told of the home as it was
    receipt = await engine.act(found, progress=progress)
    language = found.reading.language
    data = {**compact_trace(found, view, receipt), "plan": found.plan}
    return {**data, **_spoken(receipt, view, language)}, found


async def _receipt(door: Door, scope: Scope, receipt: Receipt, request: Request) -> dict[str, Any]:
    """A receipt without its turn."""
    view = (await door.engine.load_home(scope.home, scope.tenant)).view if scope.home else NO_HOME
    language = door.engine.policy.language or language_of(request)
    return {"receipt": receipt_trace(receipt, view, language), **_spoken(receipt, view, language)}


def _spoken(receipt: Receipt, view: HomeView, language: LanguageCode) -> dict[str, Any]:
    """What is said of it to the person, and the token that says yes, where a yes is wanted."""
    asked = {"token": receipt.waiting.token} if receipt.waiting else {}
    return {"said": receipt_sentences(receipt, view, language), **asked}


async def _trace(door: Door, found: Retrieval, *, full: bool = False) -> dict[str, Any]:
    if not full:
        return {**compact_trace(found, await door.view(found)), "plan": found.plan}
    view, parsed = await _parsed(door, found)
    return {**full_trace(found, view, parsed), "plan": found.plan}


async def _parsed(door: Door, found: Retrieval) -> tuple[HomeView, ParseTree | None]:
    """The home of a turn, and how its words were parsed there."""
    if not found.home_id:
        return await door.view(found), None
    home = await door.engine.load_home(found.home_id, found.scope.tenant)
    return home.view, drawing(found.reading, home.vocabulary)


def _outcome_data(outcome: Outcome) -> dict[str, Any]:
    return {"device_id": outcome.call.device_id, "status": outcome.status, "code": outcome.code}
