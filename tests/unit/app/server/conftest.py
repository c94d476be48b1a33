"""A server on this machine, over real connections.

``client`` speaks to one that runs in this process for all tests of a file; ``start`` and ``served`` run one
over an engine of the test's own. What is about the program itself starts it (``test_serve.py``), which takes
as long as a hundred requests.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

import winnow
from winnow.app.access import Access
from winnow.app.config.settings import load_settings
from winnow.app.server.app import create_app
from winnow.app.server.door import Door
from winnow.app.server.limits import ServerSettings
from winnow.app.wiring.engine import open_engine, open_store, read_home, rehearse_on_copy
from winnow.engine.engine import Engine
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The URL at which the application is served; it has ended when the block ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as winnow serve does
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=5))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@dataclass
class Served:
    """A running server, its engine, and what opens it."""

    url: str
    engine: Engine
    access: Access
    door: Door | None = None

    def client(self, secret: str = "") -> httpx.Client:
        """What speaks to it with that key."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=20)

    def key(self, tenant: str = "default", **limits: Any) -> str:
        """The secret of a new key."""
        return run_blocking(self.access.add(tenant, "test", **limits)).secret


def cottage() -> Engine:
    """An engine that acts on a copy of the cottage in memory."""
    engine = winnow.open("example:cottage")
    home = engine.sync.load_home().home
    states = run_blocking(engine.storage.states.read(Scope(home=home.id)))
    rehearse_on_copy(engine, home, states)
    return engine


@contextmanager
def served(engine: Engine, *, keyless: bool = False, **settings: Any) -> Iterator[Served]:
    """A server over the engine; without a key only where it is ``keyless``."""
    access = Access(engine.storage, engine.policy.tenant if keyless else "")
    app = create_app(engine, access, ServerSettings(**settings))
    with serving(app) as url:
        yield Served(url, engine, access, app.state.door)


@pytest.fixture(scope="module")
def open_server() -> Iterator[Served]:
    """A server that answers this machine without a key."""
    with served(cottage(), keyless=True) as found:
        yield found


@pytest.fixture
def client(open_server: Served) -> Iterator[httpx.Client]:
    """What speaks to it."""
    with open_server.client() as found:
        yield found


@pytest.fixture
def start() -> Iterator[Callable[..., Served]]:
    """Starts servers that end with the test."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda *args, **settings: stack.enter_context(served(*args, **settings))


def two_tenants(data: Path) -> Engine:
    """An engine over a store in that folder, with a home of each tenant, both under one id."""
    settings = load_settings({}, data)
    for tenant in ("anna", "bert"):
        read = read_home("example:cottage", "house")
        homes = open_store(settings).storage.homes
        run_blocking(homes.save_home(Scope(tenant, home="house"), read.home, read.states))
    return open_engine(settings=settings)
