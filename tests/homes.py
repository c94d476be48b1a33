"""Homes of the tests, opened once a process.

Opening reads files and builds an index; asking changes nothing, so that engines without a session can be
shared (``engine``). Whoever changes an engine takes one of its own (``fresh``).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from winnow import Engine
from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.registry import load_home
from winnow.app.wiring.engine import open_engine, open_offline_embedder
from winnow.ports.services import Embedder
from winnow.types.home import Home
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome

STRANGERS = Path(__file__).parent / "homes_of_strangers"
"""Homes that first contacts are measured with: no rule, word or weight is made for what stands in them."""
_LATEST: list[tuple[Home | ImportedHome, Engine]] = []


@cache
def imported(name: str) -> ImportedHome:
    """One of the example homes, or a stranger's, with what its devices report."""
    folder = STRANGERS if (STRANGERS / name).is_dir() else examples.EXAMPLES_FOLDER
    return load_home(folder / name)


def home(name: str) -> Home:
    """The same without what is reported."""
    return imported(name).home


@cache
def engine(name: str) -> Engine:
    """An engine over one of these homes."""
    ready = open_engine(imported(name), embedder=embedder())
    ready.sync.load_home()
    return ready


def fresh(name: str, **wanted: Any) -> Engine:
    """An engine that may be changed, with a store of its own; the home is read and indexed once a process.

    ``wanted``: what ``open_engine`` takes.
    """
    made = open_engine(imported(name), embedder=embedder(), **wanted)
    made.homes.keep(Scope(), engine(name).sync.load_home())
    return made


@cache
def embedder() -> Embedder:
    """The embedder of the package; its table takes longer to read than a small home to open."""
    return open_offline_embedder()[0]


def over(made: Home | ImportedHome) -> Engine:
    """An engine over any home, the same one while the same home is asked about."""
    if not _LATEST or _LATEST[0][0] is not made:
        _LATEST[:] = [(made, open_engine(made, embedder=embedder()))]
    return _LATEST[0][1]
