"""Homes of the tests, opened once a process.

Opening reads files and builds an index; asking changes nothing, so that engines without a session can be shared.
Whoever changes an engine opens one of its own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from winnow import Engine
from winnow.homes.files import load_home
from winnow.ports import Embedder
from winnow.stores.memory import MemoryCatalog
from winnow.testing import FrozenClock
from winnow.types.catalog import Home
from winnow.wiring import open_offline_embedder

HOMES = Path(__file__).resolve().parents[1] / "examples" / "homes"
_LATEST: list[tuple[Home, Engine]] = []


@cache
def home(name: str) -> Home:
    """One of the example homes."""
    return load_home(HOMES / name)


@cache
def engine(name: str) -> Engine:
    """An engine over one of the example homes."""
    return Engine(MemoryCatalog(FrozenClock(), home(name)), embedder())


@cache
def embedder() -> Embedder:
    """The embedder of the package; its table takes longer to read than a small home to open."""
    return open_offline_embedder()[0]


def over(made: Home) -> Engine:
    """An engine over any home, the same one while the same home is asked about."""
    if not _LATEST or _LATEST[0][0] is not made:
        _LATEST[:] = [(made, Engine(MemoryCatalog(FrozenClock(), made), embedder()))]
    return _LATEST[0][1]
