"""Routes of what is stored: homes and their states, messages, documents, facts."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from winnow.app.access import expect_shared, key_scope, person_scope
from winnow.app.cli.demo import whole_home_text
from winnow.app.cli.facts import fact_data
from winnow.app.cli.knowledge import document_data, shown_data
from winnow.app.cli.messages import candidate_data, message_data
from winnow.app.output import json_text, plain_data
from winnow.app.server.door import Caller, Door, TheDoor, scope_of, told
from winnow.app.server.faults import RequestError
from winnow.app.server.shapes import (
    DocumentsRequest,
    FactRequest,
    FileName,
    ForgetRequest,
    MessagesRequest,
    StatesRequest,
)
from winnow.app.server.telemetry import memory_span
from winnow.app.wiring.documents import open_fact_extractor
from winnow.app.wiring.engine import open_builtin_embedder, read_upload
from winnow.context.briefing_lines import main_state
from winnow.engine.home_import import home_notes, import_home
from winnow.language.clocks import Clocks
from winnow.language.tokens import COUNTER, count_tokens
from winnow.ports.services import run_blocking
from winnow.retrieve.documents.document_reader import DocumentDefaults
from winnow.retrieve.documents.index import segment_of
from winnow.retrieve.documents.ingest import (
    DocumentLibrary,
    IngestRequest,
    add_documents,
)
from winnow.retrieve.facts.source import FactExtractor
from winnow.retrieve.history import HISTORY
from winnow.retrieve.history.ingest import all_messages, import_messages
from winnow.types.candidate import Search
from winnow.types.document import KnowledgeTier
from winnow.types.scope import AccessKey, Scope
from winnow.types.state import ImportedHome
from winnow.types.utterance import LanguageCode

T = TypeVar("T")
MAX_ROWS = 1000
User = Annotated[str, Query(max_length=500, description="Whose. A key of one person says it already.")]
Limit = Annotated[int, Query(ge=1, le=MAX_ROWS, description="At most so many.")]
Public = Annotated[bool, Query(description="Those of everybody of the tenant.")]
routes = APIRouter(prefix="/v1", tags=["stored"])


@routes.get("/homes")
async def homes(request: Request, key: Caller, door: TheDoor) -> Response:
    """The homes that the key reaches."""
    known = await door.engine.storage.homes.list_homes(Scope(key.tenant))
    return told(request, {"homes": [plain_data(one) for one in known if one.id in (key.homes or (one.id,))]})


@routes.post("/homes/{home_id}", openapi_extra={"requestBody": {"content": {"application/zip": {}}}})
async def add_home(
    request: Request, home_id: str, key: Caller, door: TheDoor, language: LanguageCode | None = None
) -> Response:
    """Import a home from the bytes of an export (ZIP or JSON), in the place of what was stored of it."""
    expect_shared(key)
    scope, data = key_scope(key, home=home_id), await request.body()
    read = await asyncio.to_thread(read_upload, data, home_id, language)
    report = await import_home(scope, read, door.engine.storage.homes)
    notes = [plain_data(note) for note in home_notes(read.home, read.states)]
    return told(request, {**plain_data(report), "notes": notes}, status=201)


@routes.get("/homes/{home_id}")
async def show_home(request: Request, home_id: str, key: Caller, door: TheDoor) -> Response:
    """Rooms and devices of a home, and what all of it would take of a context: ``whole``."""
    scope = await scope_of(door, key, *_for_any(key), home_id, in_home=True)
    home = (await door.engine.load_home(scope.home, scope.tenant)).home
    states = await door.engine.states.read(scope)
    # Thousands of devices are megabytes of text, which would keep everybody else waiting.
    tokens = await asyncio.to_thread(lambda: count_tokens(whole_home_text(ImportedHome(home, states))))
    return told(request, {"home": plain_data(home), "whole": {"tokens": tokens, "counted_by": COUNTER}})


@routes.delete("/homes/{home_id}")
async def delete_home(request: Request, home_id: str, key: Caller, door: TheDoor) -> Response:
    """Forget a home and all that was remembered about it."""
    expect_shared(key)
    scope = key_scope(key, home=home_id)
    await door.engine.storage.homes.delete_home(scope)
    door.unlink(scope)
    door.engine.persons.let_go(lambda one: (one.tenant, one.home) == (scope.tenant, scope.home))
    return told(request, {"deleted": home_id})


@routes.get("/homes/{home_id}/states")
async def show_states(request: Request, home_id: str, key: Caller, door: TheDoor) -> Response:
    """What the devices of a home report now. ``main`` names the attribute that says most of each."""
    scope = await scope_of(door, key, *_for_any(key), home_id, in_home=True)
    states = await door.engine.states.read(scope)
    main = {device_id: main_state(values) for device_id, values in states.values.items()}
    return told(request, {"states": plain_data(states), "main": main})


@routes.post("/homes/{home_id}/states")
async def observe(
    request: Request, home_id: str, given: StatesRequest, key: Caller, door: TheDoor
) -> Response:
    """Take new states of devices into account. Each counts until something newer is read or imported."""
    scope = await scope_of(door, key, *_for_any(key), home_id, in_home=True)
    await door.engine.observe(given.states, scope.home, scope.tenant)
    return told(request, {"observed": sum(map(len, given.states.values()))})


@routes.post("/messages")
async def add_messages(request: Request, given: MessagesRequest, key: Caller, door: TheDoor) -> Response:
    """Keep messages of earlier talks of a person. Those that are there already stay as they are."""
    scope, clocks = _person(key, given.user), Clocks(given.timezone)
    lines = "\n".join(json_text(one) for one in given.messages)
    store = door.engine.storage.messages

    async def add(path: Path) -> Any:
        return await import_messages(scope, str(path), store, clocks)

    with memory_span(door.tracer, "upsert_memory", "messages", scope) as span:
        report = await _with_file("messages.jsonl", _encoded(lines), add)
        span["gen_ai.memory.record.count"] = report.found
    return told(request, plain_data(report), status=201)


@routes.get("/messages")
async def messages(
    request: Request, key: Caller, door: TheDoor, user: User = "", query: str = "", limit: Limit = 20
) -> Response:
    """The last messages of a person, or those that answer a query, best first."""
    scope = _person(key, user)
    if not query:
        found = [one async for one in all_messages(door.engine.storage.messages, scope)]
        return told(request, {"messages": message_data(found[-limit:])})
    return told(request, {"messages": await _search(door, HISTORY.name, query, scope, limit)})


@routes.post("/messages/forget")
async def delete_messages(request: Request, given: ForgetRequest, key: Caller, door: TheDoor) -> Response:
    """Delete messages of a person, and the vectors made of them, for good."""
    scope = _person(key, given.user)
    with memory_span(door.tracer, "delete_memory", "messages", scope):
        gone = await door.engine.forget_messages(_ids(given), user=scope.user, tenant=scope.tenant)
    return told(request, {"deleted": gone})


@routes.post("/documents")
async def add_texts(request: Request, given: DocumentsRequest, key: Caller, door: TheDoor) -> Response:
    """Keep texts as documents of a person, or of everybody, cut into passages."""
    lines = "\n".join(json_text(one) for one in given.documents)
    shelf = _shelf(door, key, given.user, public=given.public)
    adding = DocumentDefaults(given.collection), given.timezone
    return await _add_file(request, door, shelf, "documents.jsonl", _encoded(lines), *adding)


@routes.post(
    "/documents/files/{name}", openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}}}
)
async def add_file(
    request: Request,
    name: FileName,
    key: Caller,
    door: TheDoor,
    user: User = "",
    public: Public = False,
) -> Response:
    """Keep a file (Markdown, text, PDF, Word, web page), as it is sent, as a document called by its name."""
    shelf = _shelf(door, key, user, public=public)
    return await _add_file(
        request,
        door,
        shelf,
        Path(name).name or "document",
        await request.body(),
        DocumentDefaults("http"),
        "",
    )


@routes.get("/documents")
async def documents(  # noqa: PLR0913 - a parameter of the query is a parameter
    request: Request,
    key: Caller,
    door: TheDoor,
    user: User = "",
    public: Public = False,
    query: str = "",
    limit: Limit = 100,
) -> Response:
    """Documents of a person, or of everybody; with a query the passages that answer it, best first."""
    shelf = _shelf(door, key, user, public=public, changes=False)
    if query:
        name = "public" if public else "knowledge"
        return told(request, {"passages": await _search(door, name, query, shelf.scope, limit)})
    known = await shelf.store.documents(shelf.scope, shelf.tier)
    return told(request, {"documents": document_data(list(known.values())[-limit:])})


@routes.get("/documents/{id_:path}")
async def document(
    request: Request, id_: str, key: Caller, door: TheDoor, user: User = "", public: Public = False
) -> Response:
    """One document: its text and its passages."""
    shelf = _shelf(door, key, user, public=public, changes=False)
    found = (await shelf.store.documents(shelf.scope, shelf.tier, [id_])).get(id_)
    if found is None:
        raise RequestError(404, "no_such_document", "No document has that id.", hint="GET /v1/documents")
    passages = await shelf.store.passages_of(shelf.scope, shelf.tier, id_)
    text = await shelf.store.text(shelf.scope, shelf.tier, id_)
    return told(request, {"document": shown_data(found, passages, text)})


@routes.post("/documents/forget")
async def delete_documents(request: Request, given: ForgetRequest, key: Caller, door: TheDoor) -> Response:
    """Delete documents and all that was made of them for good."""
    shelf = _shelf(door, key, given.user, public=given.public)
    with memory_span(door.tracer, "delete_memory", "documents", shelf.scope):
        gone = await door.engine.forget_documents(
            _ids(given), user=shelf.scope.user, tenant=shelf.scope.tenant, public=given.public
        )
    return told(request, {"deleted": gone})


@routes.get("/facts")
async def facts(request: Request, key: Caller, door: TheDoor, user: User = "") -> Response:
    """What is held to be true for a person, with what each took the place of."""
    known = await door.engine.storage.facts.facts(_person(key, user))
    return told(request, {"facts": fact_data(known)})


@routes.post("/facts")
async def add_fact(request: Request, given: FactRequest, key: Caller, door: TheDoor) -> Response:
    """Keep a statement as the person's own, or in the place of a fact. What it replaces stays, marked."""
    scope, keeper = _person(key, given.user), _keeper(door)
    with memory_span(door.tracer, "upsert_memory", "facts", scope) as span:
        if given.corrects:
            changed = await keeper.correct(scope, given.corrects, given.text, keeper.now())
        else:
            changed = await keeper.add(scope, given.text, keeper.now())
        span["gen_ai.memory.record.count"] = len(changed)
    return told(request, {"facts": fact_data(changed)}, status=201)


@routes.post("/facts/forget")
async def delete_facts(request: Request, given: ForgetRequest, key: Caller, door: TheDoor) -> Response:
    """Delete facts of a person for good."""
    scope = _person(key, given.user)
    with memory_span(door.tracer, "delete_memory", "facts", scope):
        gone = await door.engine.forget_facts(_ids(given), user=scope.user, tenant=scope.tenant)
    return told(request, {"deleted": gone})


def _for_any(key: AccessKey) -> tuple[str]:
    """A person of the key, where what is asked for is the same for all of them."""
    return (key.users[0] if key.users else "",)


def _person(key: AccessKey, user: str) -> Scope:
    """Whose it is. Raises AccessError, RequestError where nobody is named."""
    scope = person_scope(key, user)
    if not scope.user:
        raise RequestError(
            400, "no_user", "What is kept here belongs to a person, and none is named.", hint="Send user."
        )
    return scope


def _shelf(door: Door, key: AccessKey, user: str, *, public: bool, changes: bool = True) -> DocumentLibrary:
    """The documents of that person, or of everybody. Raises AccessError, RequestError."""
    tier: KnowledgeTier = "public" if public else "private"
    if public and changes:
        expect_shared(key)
    scope = Scope(key.tenant) if public else _person(key, user)
    return DocumentLibrary(scope, tier, door.engine.storage.documents, segment_of)


def _ids(given: ForgetRequest) -> list[str] | None:
    """What is to go; None: all of it. Raises RequestError where neither or both are said."""
    if bool(given.ids) == bool(given.all):
        raise RequestError(400, "ids_or_all", "Give either ids or all.", hint='{"ids": ["..."]}')
    return given.ids or None


def _keeper(door: Door) -> FactExtractor:
    return door.engine.keeper or open_fact_extractor(
        door.engine.storage, open_builtin_embedder(door.engine.embedder)
    )


async def _search(door: Door, source: str, query: str, scope: Scope, limit: int) -> list[Any]:
    """What a source finds, searched as a turn would. Raises RequestError where it is switched off."""
    if source not in door.engine.sources:
        raise RequestError(404, "not_searched", "That is not searched here.", hint="docs/settings.md")
    now = datetime.fromtimestamp(door.engine.storage.clock.now())  # noqa: DTZ006 - a wall clock has no zone
    with memory_span(door.tracer, "search_memory", source, scope) as span:
        found = await door.engine.sources[source](Search(query, now), scope, limit)
        span["gen_ai.memory.record.count"] = len(found.candidates)
    return list(candidate_data(found.candidates))


async def _add_file(  # noqa: PLR0913 - what is added, and what is said of it
    request: Request,
    door: Door,
    shelf: DocumentLibrary,
    name: str,
    data: bytes,
    told_of: DocumentDefaults,
    zone: str,
) -> Response:
    async def add(path: Path) -> Any:
        return await add_documents(shelf, IngestRequest(str(path), told_of, zone=zone or "UTC"))

    with memory_span(door.tracer, "upsert_memory", "documents", shelf.scope) as span:
        report = await _with_file(name, data, add)
        span["gen_ai.memory.record.count"] = report.read
    return told(request, plain_data(report), status=201)


async def _with_file(name: str, data: bytes, work: Callable[[Path], Awaitable[T]]) -> T:
    """What the work makes of a file that holds the bytes, in a thread of its own; the file goes with it."""

    async def run(path: Path) -> T:
        return await work(path)

    def aside() -> T:
        with tempfile.TemporaryDirectory(prefix="winnow-") as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            return run_blocking(run(path))  # without a loop of its own: stores do their work at once there

    return await asyncio.to_thread(aside)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
