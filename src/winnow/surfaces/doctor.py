"""Looks whether everything Winnow needs is here and answers."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from winnow.config import Settings
from winnow.errors import WinnowError

OLDEST_SQLITE = (3, 35)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str


def examine(settings: Settings) -> Iterator[Finding]:
    """Each finding as soon as it is known."""
    yield _python()
    yield _tried("sqlite", _sqlite)
    yield _tried("store", lambda: _store(settings))
    yield _tried("schema", lambda: _schema(settings))
    yield _tried("homes", lambda: _homes(settings))
    yield _tried("embedder", _embedder)
    yield _tried("tokenizer", _tokenizer)


def _tried(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, look())
    except WinnowError as error:
        return Finding(name, False, f"{error} {error.hint}".strip())


def _python() -> Finding:
    return Finding("python", sys.version_info >= (3, 11), platform.python_version())


def _sqlite() -> str:
    from winnow.wiring import sqlite_version

    version = sqlite_version()
    if version < OLDEST_SQLITE:
        raise WinnowError(f"{_dotted(version)} is older than {_dotted(OLDEST_SQLITE)}.", hint="Use a Python with a newer SQLite.")
    return _dotted(version)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _store(settings: Settings) -> str:
    from winnow.wiring import open_store

    open_store(settings).close()
    return str(settings.store)


def _schema(settings: Settings) -> str:
    from winnow.wiring import open_store

    return f"revision {open_store(settings).revision()}"


def _homes(settings: Settings) -> str:
    from winnow.wiring import open_store

    store = open_store(settings)
    read = [store.load_home(info.id) for info in store.list_homes()]
    return ", ".join(f"{h.id} v{h.version} ({len(h.devices)} devices)" for h in read) or "none imported yet"


def _embedder() -> str:
    from winnow.wiring import open_embedder

    embedder = open_embedder()
    shape = embedder.embed(["light"]).shape
    if shape != (1, embedder.dimension):
        raise WinnowError(f"{embedder.name} gives vectors of shape {shape}, not (1, {embedder.dimension}).")
    return f"{embedder.name} {embedder.version}, {embedder.dimension} numbers"


def _tokenizer() -> str:
    from winnow.text.tokens import COUNTER, count_tokens

    if count_tokens("打开客厅的灯 turn on") < 1:
        raise WinnowError(f"{COUNTER} counts nothing.", hint="Reinstall the package.")
    return COUNTER
