"""Homes of the tests, opened once a process.

Opening reads files and builds an index; asking changes nothing, so that engines without a session can be
shared (``engine``). Whoever changes an engine takes one of its own (``fresh``).
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from winnow import Engine
from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms import registry
from winnow.adapters.platforms.registry import load_home
from winnow.app.wiring.engine import open_engine, open_offline_embedder
from winnow.engine import home_cache
from winnow.language.gazetteer import GazetteerEntry
from winnow.ports.services import Embedder
from winnow.types.home import Home
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

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


@contextmanager
def read_once() -> Iterator[None]:
    """Engines that tests open have what they read and made before: the homes that come along, and the words
    of every home, by all that it holds. That takes more time than all else of most tests.
    """
    with pytest.MonkeyPatch.context() as product:
        product.setattr(registry, "load_home", _with_cache(_read, _come_along))
        product.setattr(home_cache, "build_vocabulary", _with_cache(_vocabulary, _words))
        yield


def _read(source: Path | bytes, *options: Any) -> ImportedHome:
    return _come_along(source, *options) if source in _FOLDERS else load_home(source, *options)


_FOLDERS = frozenset(examples.EXAMPLES_FOLDER.iterdir())
_come_along = lru_cache(maxsize=64)(load_home)


def _vocabulary(home: Home, learned: Iterable[GazetteerEntry] = ()) -> Vocabulary:
    return _words(pickle.dumps((home, tuple(learned))))


@lru_cache(maxsize=64)
def _words(written: bytes) -> Vocabulary:
    return build_vocabulary(*pickle.loads(written))


def _with_cache(function: Any, kept: Any) -> Callable[..., Any]:
    """The function with what empties its cache, for whoever adds a language."""
    function.cache_clear = kept.cache_clear
    return function
