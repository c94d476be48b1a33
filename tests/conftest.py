"""What every test may rely on: no network, no environment of the machine, no data folder of the user."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from tests.homes import read_once
from tests.mysql import mysql, mysql_server
from tests.postgres import _stores, one_postgres_store, postgres, postgres_server, postgres_store

__all__ = [
    "_stores",
    "mysql",
    "mysql_server",
    "one_postgres_store",
    "postgres",
    "postgres_server",
    "postgres_store",
]
"""Fixtures that every test may ask for."""

settings.register_profile(
    "default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.register_profile(
    "mutants",
    deadline=None,
    max_examples=60,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

ROOT = Path(__file__).resolve().parents[1]
HOMES = Path(tempfile.gettempdir(), f"winnow-homes-{uuid4().hex}")
"""Data folders of the tests: each is made when something is stored in it, which is seldom."""


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: a third of the time a worker waits for a process or a server."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Collect without the garbage collector: what is made meanwhile is kept, and looking through it in vain
    takes a third of the time.
    """
    gc.disable()


def pytest_collection_finish() -> None:
    """Take the collected tests out of the garbage collector's rounds: they live to the end.

    Rounds are seldom: little of what tests make waits for one, and they took a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of many rows of one kind three in four are slow, whatever order they are run in."""
    seen = Counter[str]()
    for item in items:
        if item.get_closest_marker("bulk"):
            kind = item.nodeid.partition("[")[0]
            if seen[kind] % 4:
                item.add_marker("slow")
            seen[kind] += 1


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Each test starts without settings of this machine and with an empty data folder.

    A hook and not a fixture: of twenty thousand tests most take less time than a fixture.
    """
    for name in [n for n in os.environ if n.startswith("WINNOW_")]:
        del os.environ[name]
    os.environ["WINNOW_HOME"] = str(HOMES / uuid4().hex)


def pytest_unconfigure() -> None:
    shutil.rmtree(HOMES, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def homes_are_read_once() -> Iterator[None]:
    """Whatever engine a test opens."""
    with read_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """A test that opens a connection to another machine fails.

    Local sockets stay open for servers under test.
    """
    connect = socket.socket.connect

    def guarded(sock: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else "localhost"
        if host not in {"localhost", "127.0.0.1", "::1"}:
            raise AssertionError(f"a test tried to reach {host}")
        connect(sock, address)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setattr(socket.socket, "connect", guarded)
        yield
