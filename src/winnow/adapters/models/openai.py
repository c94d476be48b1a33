"""Any server that speaks the OpenAI protocol, behind the ports ``Chat`` and ``Embedder``.

Nothing is sent before the first call. Every failure is a ModelError: translated here (connections) and in
``wire`` (answers).
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from time import monotonic, perf_counter, sleep
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx
import numpy as np

from winnow.adapters.http import Attempts, CircuitBreaker, SecondsClock, is_near, retry_after_seconds
from winnow.adapters.models import openai_protocol
from winnow.adapters.models.embedders import FloatRows, unit_rows
from winnow.errors import ConfigError, ModelError, Phrase, Problem
from winnow.language.tables import table
from winnow.retrieve.embedding_batches import EmbeddingLimits, split_batches, truncated_text
from winnow.types.context import Completion, Tier
from winnow.types.vector import TextKind, text_key

MAX_VECTOR_BYTES = 100_000
"""What one vector of an answer may take: 4,096 numbers of 24 digits."""


class OpenAIChat:
    """A ``Chat`` over HTTP.

    ``models`` names the model of each tier; ``clock`` counts seconds and only goes forward. One connection
    pool is kept per event loop; ``aclose`` (or ``async with``) closes that of the running one.
    """

    def __init__(
        self, endpoint: ModelEndpoint, models: Mapping[Tier, str], *, clock: SecondsClock = monotonic
    ) -> None:
        self.endpoint, self.models = endpoint, models
        self._clock, self._circuit = clock, CircuitBreaker(clock)
        self._pools: WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool] = WeakKeyDictionary()
        self._dialects: dict[str, _Dialect] = {}

    def __repr__(self) -> str:
        """Server and models, never the key."""
        return f"OpenAIChat({self.endpoint.url!r}, {dict(self.models)!r})"

    async def complete(
        self,
        messages: openai_protocol.ChatMessages,
        schema: openai_protocol.JsonSchema | None = None,
        tier: Tier = "fast",
    ) -> Completion:
        """The answer of that tier's model, at temperature 0, to ``role`` and ``content`` messages.

        It is JSON of ``schema`` if one is given. Takes ``endpoint.seconds`` at most, waiting for its turn and
        all retries included. Raises ModelError.
        """
        start = perf_counter()
        attempts = Attempts(self.endpoint.seconds, self.endpoint.retries, clock=self._clock)
        with self._circuit.guard(), _count_attempts(attempts):
            with _translate_errors():
                async with asyncio.timeout(self.endpoint.seconds), self._open().turns:
                    data = await self._answer(attempts, messages, schema, self.models[tier])
            said = openai_protocol.parse_completion(
                data, round((perf_counter() - start) * 1000, 3), attempts.made
            )
        return said if said.model else replace(said, model=self.models[tier])

    async def stream(
        self, body: Mapping[str, Any], tier: Tier = "normal"
    ) -> AsyncIterator[Mapping[str, Any]]:
        """The chunks of that tier's model's answer to a chat request, as they come.

        All of the request is sent as it is but for the model. Nothing is tried again: what was read of an
        answer was passed on. Each chunk may take ``endpoint.stream_seconds``. Raises ModelError.
        """
        asked = {**self.endpoint.extra, **body, "model": self.models[tier], "stream": True}
        try:
            async for chunk in self._chunks({**asked, "stream_options": {"include_usage": True}}):
                yield chunk
        except ModelError as error:
            # Older servers do not know the field, and say so before they answer anything.
            if error.code != "refused" or "stream_options" not in str(error):
                raise
            async for chunk in self._chunks(asked):
                yield chunk

    async def _chunks(self, asked: Mapping[str, Any]) -> AsyncIterator[Mapping[str, Any]]:
        timeout = httpx.Timeout(self.endpoint.stream_seconds, connect=self.endpoint.connect_seconds)
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        pool, sent = self._open(), json.dumps(asked)
        request = pool.client.stream(
            "POST", "chat/completions", content=sent, headers=headers, timeout=timeout
        )
        with _translate_errors():
            async with pool.turns, request as response:
                if response.status_code != 200 or "json" in response.headers.get("content-type", ""):
                    data = _check_success(response, await response.aread(), self.endpoint.key)
                    yield openai_protocol.chunk_of_completion(data)
                    return
                async for line in response.aiter_lines():
                    if chunk := openai_protocol.parse_chunk(line):
                        yield chunk

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.client.aclose()

    async def __aenter__(self) -> OpenAIChat:
        """Itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections of this event loop."""
        await self.aclose()

    async def _answer(
        self,
        attempts: Attempts,
        messages: openai_protocol.ChatMessages,
        schema: openai_protocol.JsonSchema | None,
        model: str,
    ) -> bytes:
        """The body of a successful response. A field that the server refuses is left out from then on."""
        dialect = self._dialects.setdefault(
            model, _Dialect(self.endpoint.formats, {"temperature": 0, **self.endpoint.extra})
        )
        while True:
            try:
                data = await self._send_with_retries(
                    attempts,
                    openai_protocol.chat_body(model, messages, schema, dialect.formats[0], dialect.fields),
                )
            except ModelError as error:
                simpler = dialect.without(error, asked_json=schema is not None)
                if simpler is None:
                    raise
                dialect = simpler
                continue
            self._dialects[model] = dialect
            return data

    async def _send_with_retries(self, attempts: Attempts, body: Mapping[str, Any]) -> bytes:
        """The body of a successful response to one request, tried again while that may help."""
        while True:
            left = attempts.begin()
            try:
                with _translate_errors():
                    timeout = httpx.Timeout(left, connect=min(left, self.endpoint.connect_seconds))
                    async with self._open().client.stream(
                        "POST", "chat/completions", json=body, timeout=timeout
                    ) as response:
                        data = bytearray()
                        async for piece in response.aiter_bytes():
                            data += piece
                            _check_size(len(data), self.endpoint.max_answer_bytes)
                return _check_success(response, bytes(data), self.endpoint.key)
            except ModelError as error:
                pause = attempts.pause_after(error)
            await asyncio.sleep(pause)

    def _open(self) -> _Pool:
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            client = httpx.AsyncClient(**_client_options(self.endpoint, self._tls))
            self._pools[loop] = _Pool(client, asyncio.Semaphore(self.endpoint.concurrency))
        return self._pools[loop]

    @cached_property
    def _tls(self) -> ssl.SSLContext | bool:
        return _tls(self.endpoint)


class OpenAIEmbedder:
    """An ``Embedder`` over HTTP: unit vectors of ``model``. Raises ModelError.

    They are asked for in batches of the endpoint's limits, several at one time. Each request carries an
    ``Idempotency-Key`` made of what it asks, so that a server that knows such keys answers the same batch a
    second time, after a lost answer, without working or charging for it again.
    """

    alike = None
    """Every model has cosines of its own, and this one's were not measured."""

    def __init__(
        self,
        endpoint: ModelEndpoint,
        model: str,
        *,
        clock: SecondsClock = monotonic,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        self.endpoint, self.name = endpoint, model
        self.version = urlsplit(endpoint.url).netloc
        self._clock, self._wait, self._dimension = clock, wait, 0
        self._circuit = CircuitBreaker(clock)

    def __repr__(self) -> str:
        """Server and model, never the key."""
        return f"OpenAIEmbedder({self.endpoint.url!r}, {self.name!r})"

    @property
    def dimension(self) -> int:
        """Length of every vector; asks the server once when nothing was embedded yet."""
        return self._dimension or self.embed(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str]) -> FloatRows:
        """One row of length 1 per text, in order: shape ``(len(texts), dimension)``."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        parts = list(split_batches(texts, self.endpoint.limits, str))
        if len(parts) == 1:
            rows = self._batch(parts[0])
        else:
            with ThreadPoolExecutor(self.endpoint.concurrency) as pool:
                rows = [row for part in pool.map(self._batch, parts) for row in part]
        dimension = self._dimension or len(rows[0])
        if strange := [len(row) for row in rows if len(row) != dimension]:
            raise openai_protocol.dimension_error(self.name, dimension, strange[0])
        self._dimension = dimension
        return unit_rows(np.asarray(rows, np.float32))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _batch(self, texts: Sequence[str]) -> list[list[float]]:
        sent = [
            openai_protocol.without_surrogates(truncated_text(t, self.endpoint.limits)) or " " for t in texts
        ]
        body = {"model": self.name, "input": sent, "encoding_format": "float"}
        attempts = Attempts(self.endpoint.seconds, self.endpoint.retries, clock=self._clock)
        with self._circuit.guard(), _count_attempts(attempts), _translate_errors():
            return openai_protocol.parse_vectors(self._send_with_retries(attempts, body), len(texts))

    def _send_with_retries(self, attempts: Attempts, body: Mapping[str, Any]) -> bytes:
        while True:
            left = attempts.begin()
            try:
                ends = self._clock() + left
                timeout = httpx.Timeout(left, connect=min(left, self.endpoint.connect_seconds))
                longest = self.endpoint.max_answer_bytes + len(body["input"]) * MAX_VECTOR_BYTES
                with _translate_errors(), self._request(body, timeout) as response:
                    data = bytearray()
                    for piece in response.iter_bytes():
                        data += piece
                        _check_size(len(data), longest)
                        if self._clock() > ends:
                            raise httpx.ReadTimeout("drip by drip")
                return _check_success(response, bytes(data), self.endpoint.key)
            except ModelError as error:
                pause = attempts.pause_after(error)
            self._wait(pause)

    def _request(
        self, body: Mapping[str, Any], timeout: httpx.Timeout
    ) -> AbstractContextManager[httpx.Response]:
        headers = {"Idempotency-Key": text_key("\0".join([self.name, *body["input"]]))}
        return self._client.stream("POST", "embeddings", json=body, headers=headers, timeout=timeout)

    @cached_property
    def _client(self) -> httpx.Client:
        return httpx.Client(**_client_options(self.endpoint, _tls(self.endpoint)))


@dataclass(frozen=True, slots=True)
class _Pool:
    """The connections of one event loop, and the turns in which they are used."""

    client: httpx.AsyncClient
    turns: asyncio.Semaphore


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What one model's server takes: kinds of ``response_format``, best first, and further fields."""

    formats: tuple[str, ...]
    fields: Mapping[str, Any]

    def without(self, error: ModelError, *, asked_json: bool) -> _Dialect | None:
        """The same without what the error complains about: a field it names, else the format.

        None when nothing is left to leave out.
        """
        if error.code != "refused" or error.status not in (400, 422):
            return None
        named = next((name for name in self.fields if name in str(error)), None)
        if named:
            return replace(self, fields={k: v for k, v in self.fields.items() if k != named})
        return replace(self, formats=self.formats[1:]) if asked_json and len(self.formats) > 1 else None


@contextmanager
def _count_attempts(attempts: Attempts) -> Iterator[None]:
    """Any ModelError that leaves this block tells how many requests were made."""
    try:
        yield
    except ModelError as error:
        error.attempts = attempts.made
        raise


@contextmanager
def _translate_errors() -> Iterator[None]:
    """The one place where errors of the connection become ours."""
    try:
        yield
    except httpx.ConnectTimeout as error:
        raise openai_protocol.unreachable_error("no connection in time") from error
    except (httpx.TimeoutException, TimeoutError) as error:
        raise ModelError(
            "timeout",
            "The model's server did not answer in time.",
            hint="Give it more time (model_seconds), or a smaller model.",
        ) from error
    except (httpx.DecodingError, httpx.RemoteProtocolError) as error:
        raise openai_protocol.unreachable_error(f"the answer broke off ({type(error).__name__})") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise openai_protocol.unreachable_error(str(error) or type(error).__name__) from error


def _check_success(response: httpx.Response, data: bytes, key: str) -> bytes:
    if response.status_code == 200:
        return data
    raise openai_protocol.status_error(
        response.status_code, data, key, retry_after_seconds(response.headers.get("Retry-After"))
    )


def _check_size(size: int, longest: int) -> None:
    if size > longest:
        raise openai_protocol.bad_answer_error(Phrase("more than {most} bytes", most=longest))


def _client_options(endpoint: ModelEndpoint, tls: ssl.SSLContext | bool) -> dict[str, Any]:
    """How a client is made: no proxy to a server near by, and no redirect that would take the key along."""
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    own = is_near(urlsplit(endpoint.url).hostname or "")
    return {
        "base_url": endpoint.url + "/",
        "headers": headers,
        "verify": tls,
        "trust_env": not own,
        "follow_redirects": False,
    }


def _tls(endpoint: ModelEndpoint) -> ssl.SSLContext | bool:
    """Made once: reading the certificates takes a while."""
    return httpx.create_ssl_context() if endpoint.url.startswith("https:") else False


# Servers of models: presets for each kind of server, text prefixes, and one endpoint as it is configured.

# What a model wants to stand before questions and before passages, from ``prefixes.yaml``.

NO_PREFIXES: Mapping[TextKind, str] = {"question": "", "passage": ""}


def prefixes_of(model: str) -> Mapping[TextKind, str]:
    """The prefix of each kind of text for the model of that name; empty where it wants none."""
    name = model.lower()
    for row in table("winnow.adapters.models", "prefixes.yaml"):
        if any(fnmatchcase(name, pattern) for pattern in row["names"]):
            return {"question": row["question"], "passage": row["passage"]}
    return NO_PREFIXES


OTHER_PRESET = "other"


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """A server and how it is spoken to. Its key is in no representation."""

    url: str
    """Without a slash at the end."""
    formats: tuple[str, ...] = ("none",)
    """Kinds of ``response_format`` for JSON, best first."""
    batch: int = 32
    """Texts in one embedding request."""
    tokens: int = 100_000
    """Tokens in one embedding request."""
    text_tokens: int = 8_000
    """Tokens of one text that are embedded."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of a chat request."""
    key: str = field(default="", repr=False)
    seconds: float = 8.0
    """How long one answer may take, retries included."""
    stream_seconds: float = 60.0
    """How long an answer that comes piece by piece may pause."""
    connect_seconds: float = 2.0
    """How long a connection may take to come about."""
    retries: int = 2
    """Requests after the first one, when a fault may pass."""
    concurrency: int = 4
    """Requests at one time."""
    max_answer_bytes: int = 4_000_000
    """Bytes of an answer that are read; vectors may take more."""

    @property
    def limits(self) -> EmbeddingLimits:
        """What one embedding request holds at most."""
        return EmbeddingLimits(self.batch, self.tokens, self.text_tokens, self.concurrency)


def configured_endpoint(server: str, **settings: Any) -> ModelEndpoint:
    """The server of that preset or URL with ``settings`` (of ``ModelEndpoint``). Raises ConfigError."""
    known = _preset_table()
    is_url = server.startswith(("http://", "https://"))
    if not is_url and server not in preset_names():
        problem = Phrase("must be a URL or one of {names}, not {given!r}", names=preset_names(), given=server)
        raise ConfigError([Problem("", "model_server", problem)])
    preset = known[OTHER_PRESET if is_url else server]
    url = (server if is_url else preset["url"]).rstrip("/")
    sizes = {name: preset[name] for name in ("batch", "tokens", "text_tokens") if name in preset}
    return ModelEndpoint(url, tuple(preset["formats"]), extra=preset.get("extra", {}), **sizes, **settings)


def preset_names() -> tuple[str, ...]:
    """Names that can be configured."""
    return tuple(name for name in _preset_table() if name != OTHER_PRESET)


def _preset_table() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = table("winnow.adapters.models", "presets.yaml")
    return found
