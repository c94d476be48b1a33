"""The application: routes, limits, the one shape of errors, and a description that holds examples."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import PlainTextResponse, Response

from winnow import __version__
from winnow.app.access import Access, expect_shared
from winnow.app.metrics import cache_prometheus, turn_prometheus
from winnow.app.server import looks, proxy, shelves, turns
from winnow.app.server.door import Caller, Door, TheDoor
from winnow.app.server.faults import DataResponse, add_handlers
from winnow.app.server.limits import Guard, ServerSettings
from winnow.app.trace import trace_schema
from winnow.engine.engine import Engine
from winnow.types.scope import Scope

TEXT_OF_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
ERROR_SCHEMA = {
    "type": "object",
    "description": "What went wrong, and what to do next.",
    "properties": {
        "error": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("code", "message", "hint")},
            "required": ["code", "message", "hint"],
        }
    },
    "required": ["error"],
    "examples": [
        {"error": {"code": "no_key", "message": "This needs a key.", "hint": "Send one: Authorization: ..."}}
    ],
}


def create_app(engine: Engine, access: Access, settings: ServerSettings | None = None) -> FastAPI:
    """The application over an engine, for whoever ``access`` lets in.

    Its lifespan closes the engine, once what is under way has come to its end.
    """
    door = Door(engine, access, settings or ServerSettings())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(door.metrics.watch_loop())
        yield
        watching.cancel()
        await door.close()

    app = FastAPI(
        title="Winnow",
        version=__version__,
        description="The smallest sufficient context for an agent: which devices, which history, which "
        "knowledge does this turn need, and what may be done?",
        lifespan=lifespan,
        docs_url=None,  # its page would load scripts of another machine
        redoc_url=None,
        default_response_class=DataResponse,
    )
    app.state.door = door
    add_handlers(app)
    app.add_middleware(Guard, settings=door.settings, metrics=door.metrics)
    app.include_router(turns.routes)
    app.include_router(shelves.routes)
    app.include_router(proxy.routes)
    app.include_router(looks.routes)
    _add_probes(app)
    app.openapi = lambda: _description(app)  # type: ignore[method-assign]
    return app


def _add_probes(app: FastAPI) -> None:
    """What those who run a server ask it."""

    @app.get("/health", tags=["server"])
    async def health() -> Response:
        """Whether the process answers."""
        return DataResponse({"status": "ok", "version": __version__})

    @app.get("/ready", tags=["server"])
    async def ready(door: TheDoor) -> Response:
        """Whether the store can be read, so that requests may be sent here."""
        await door.engine.storage.homes.list_homes(Scope(door.engine.policy.tenant))
        return DataResponse({"status": "ready"})

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def metrics(request: Request, key: Caller, door: TheDoor) -> Response:
        """Figures for Prometheus: this process's requests, and what all counted of the tenant's turns."""
        expect_shared(key)
        storage, scope = door.engine.storage, Scope(key.tenant)
        parts = [
            door.metrics.text(),
            turn_prometheus(await storage.counts.totals(scope)),
            cache_prometheus(await storage.vectors.spaces(scope)),
        ]
        return PlainTextResponse("".join(parts), media_type=TEXT_OF_PROMETHEUS)


def _description(app: FastAPI) -> dict[str, Any]:
    """OpenAPI, with the trace and the errors as they are."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        trace = json.loads(json.dumps(trace_schema()).replace('"#/$defs/', '"#/components/schemas/Trace.'))
        shapes = made["components"]["schemas"]
        shapes.update({f"Trace.{name}": shape for name, shape in trace.pop("$defs").items()})
        shapes |= {"Trace": trace, "Error": ERROR_SCHEMA}
        fault = {"description": "What went wrong.", "content": {"application/json": {"schema": _ERROR_REF}}}
        for path in made["paths"].values():
            for operation in path.values():
                operation["responses"] |= {"4XX": fault, "5XX": fault}
                operation["responses"].pop("422", None)
        for unused in ("HTTPValidationError", "ValidationError"):
            shapes.pop(unused, None)
        app.openapi_schema = made
    return app.openapi_schema


_ERROR_REF = {"$ref": "#/components/schemas/Error"}
