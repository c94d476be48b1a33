"""Looks whether everything Winnow needs is here and answers."""

from __future__ import annotations

import asyncio
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

from winnow.bridge import blocking
from winnow.config import Settings
from winnow.consult.jsonish import read
from winnow.errors import WinnowError
from winnow.ports import Chat
from winnow.text.encode import encode
from winnow.types.completion import Completion, Tier

OLDEST_SQLITE = (3, 35)
READY = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str


def examine(settings: Settings, ask_model: bool = False) -> Iterator[Finding]:
    """Each finding as soon as it is known.

    A model is asked a question, or fetched, only with ``ask_model``.
    """
    yield _python()
    yield _tried("sqlite", _sqlite)
    yield _tried("store", lambda: _store(settings))
    yield _tried("schema", lambda: _schema(settings))
    yield _tried("homes", lambda: _homes(settings))
    yield _tried("embedder", lambda: _embedder(settings, ask_model))
    yield _tried("tokenizer", _tokenizer)
    yield _tried("model", lambda: _model(settings, ask_model))
    if settings.model_embedding and not settings.fastembed:
        yield _tried("vectors", lambda: _vectors(settings, ask_model))


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
        raise WinnowError(
            f"{_dotted(version)} is older than {_dotted(OLDEST_SQLITE)}.",
            hint="Use a Python with a newer SQLite.",
        )
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

    homes, scope = open_store(settings).storage.homes, settings.scope
    read = [blocking(homes.load_home(scope.at(info.id))) for info in blocking(homes.list_homes(scope))]
    return ", ".join(f"{h.id} v{h.version} ({len(h.devices)} devices)" for h in read) or "none imported yet"


def _embedder(settings: Settings, fetch: bool) -> str:
    """What devices are found with. Raises EmbedderError when that is not the model of the settings."""
    from winnow.wiring import open_embedder, open_offline_embedder

    embedder, why = (
        (open_embedder(settings, fetch=fetch), "") if settings.fastembed else open_offline_embedder()
    )
    shape = embedder.embed(["light"]).shape
    if shape != (1, embedder.dimension):
        raise WinnowError(f"{embedder.name} gives vectors of shape {shape}, not (1, {embedder.dimension}).")
    named = f"{embedder.name} {embedder.version}, {embedder.dimension} numbers"
    return f"{named}; it compares spelling only. {why}" if why else named


def _model(settings: Settings, ask: bool) -> str:
    from winnow.wiring import open_chat

    chat = open_chat(settings)
    if chat is None:
        return "none configured, none needed"
    tiers = dict.fromkeys(name for name in (settings.model_fast, settings.model_normal) if name)
    key = "with a key" if settings.model_key else "without a key"
    named = f"{' and '.join(tiers)} at {settings.model_server}, {key}"
    return f"{named}; {asyncio.run(_asked(chat))}" if ask else f"{named}; not asked (--ask-model)"


async def _asked(chat: Chat) -> str:
    """How both tiers answered. Raises ModelError."""
    question = [{"role": "user", "content": 'Answer with this JSON and nothing else: {"ready": true}'}]
    try:
        said = [await chat.complete(question, READY, tier) for tier in get_args(Tier)]
    finally:
        if close := getattr(chat, "aclose", None):
            await close()
    return ", ".join(dict.fromkeys(map(_how, said)))


def _how(said: Completion) -> str:
    """How a model answered, and how soon."""
    answered = "answered" if read(said.text, READY).value else "answered, but no JSON"
    return f"{encode(said.model)} {answered} in {said.ms:.0f} ms"


def _vectors(settings: Settings, ask: bool) -> str:
    from winnow.wiring import open_embedder

    embedder = open_embedder(settings)
    named = f"{embedder.name} at {settings.model_server}"
    return f"{named}; {embedder.dimension} numbers" if ask else f"{named}; not asked (--ask-model)"


def _tokenizer() -> str:
    from winnow.text.tokens import COUNTER, count_tokens

    if count_tokens("打开客厅的灯 turn on") < 1:
        raise WinnowError(f"{COUNTER} counts nothing.", hint="Reinstall the package.")
    return COUNTER
