"""Runs the application as one process or several over one store, until somebody stops it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from ipaddress import ip_address
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from winnow.app.access import Access
from winnow.app.config.settings import load_settings
from winnow.app.server.app import create_app
from winnow.app.server.limits import ServerSettings
from winnow.app.wiring.engine import open_engine, open_store, rehearse_on_copies
from winnow.app.wiring.live_homes import open_links
from winnow.errors import AccessError
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

BACKLOG = 1024
"""Connections that may wait to be taken."""
KEEP_ALIVE = 75
"""Seconds that a connection nobody uses stays open: longer than clients and gateways keep one, which else
send a request into one that is being closed."""
WORKER_SECONDS = 60
"""Seconds of silence after which a worker is killed and started anew. After the library's five one that only
starts on a slow machine is killed for ever, or one in the middle of an act."""
SETTLE_AFTER = 100
"""Turns after which nothing more is loaded by the first of its kind."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server listens, and what acts are done on."""

    host: str = "127.0.0.1"
    port: int = 8477
    live: bool = False
    """Whether linked homes are read and acted on."""
    copy: bool = False
    """Whether acts are done in copies of the homes, in memory."""
    source: str = ""
    """A home, its folder, file or ``example:NAME``, that is read into memory; empty: the configured store."""

    @property
    def is_local(self) -> bool:
        """Whether no other machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def has_keys() -> bool:
    """Whether the configured tenant has any key, even one that ended. Raises ConfigError, StoreError."""
    settings = load_settings()
    return bool(run_blocking(open_store(settings).storage.access.keys(Scope(settings.tenant))))


def has_homes() -> bool:
    """Whether the configured tenant has stored any home. Raises ConfigError, StoreError."""
    settings = load_settings()
    return bool(run_blocking(open_store(settings).storage.homes.list_homes(Scope(settings.tenant))))


def run(where: Listening, served: ServerSettings | None, started: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; ``started`` is told the URL once connections are taken.

    Requests under way are answered before it ends. Raises AccessError where other machines could reach it
    and nobody has a key; OSError where nothing can be served there.
    """
    if not where.is_local and not has_keys():
        raise AccessError(
            "no_key",
            "Without a key only this machine is answered, at 127.0.0.1.",
            hint="Make one first: winnow keys add NAME. Or leave --host out.",
        )
    served = served or ServerSettings()
    config = uvicorn.Config(
        partial(configured_app, where, served),
        factory=True,
        host=where.host,
        port=where.port,
        workers=served.workers,
        log_level="warning",
        access_log=False,  # its lines would hold what persons are called
        server_header=False,
        timeout_graceful_shutdown=served.grace,
        timeout_keep_alive=KEEP_ALIVE,
        **_known(uvicorn.Config, timeout_worker_healthcheck=WORKER_SECONDS),
    )
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    listener = socket.create_server((where.host, where.port), family=family, backlog=BACKLOG)
    listener.set_inheritable(True)
    # Connections take it over: without it the head and the body of a response are 40 ms apart.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    host = f"[{where.host}]" if ":" in where.host else where.host
    started(f"http://{host}:{listener.getsockname()[1]}")
    server = uvicorn.Server(config)
    if served.workers > 1:
        Multiprocess(config, sockets=[listener], **_known(Multiprocess, target=server.run)).run()
    else:
        server.run([listener])


def _known(of: Callable[..., object], **options: Any) -> dict[str, Any]:
    """Those of the options that the installed release of the library has."""
    return {name: value for name, value in options.items() if name in signature(of).parameters}


def configured_app(where: Listening, served: ServerSettings) -> FastAPI:
    """The application over the configured store, in a worker of its own.

    Raises ConfigError, HomeImportError, StoreError.
    """
    settings = load_settings()
    engine = open_engine(where.source or None, settings=settings, live=where.live)
    if where.copy:
        rehearse_on_copies(engine)
    access = Access(engine.storage, settings.tenant if where.is_local else "")
    app = create_app(engine, access, replace(served, settle_after=SETTLE_AFTER))
    app.state.door.unlink = open_links(settings).forget
    return app
