"""GET requests to one server: tried again while that may help, few at a time, never sooner than it allows."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from winnow.errors import LinkError
from winnow.homes.live.address import Address
from winnow.homes.live.faults import fault
from winnow.homes.live.limits import seconds_asked
from winnow.homes.live.pauses import Pauses
from winnow.homes.live.tokens import Tokens

LARGEST = 64 * 1024 * 1024
"""Bytes of one answer."""
MOST_PAGES = 500

Item = Mapping[str, Any]
Parameters = Mapping[str, str | list[str]]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for one answer."""

    seconds: float = 10.0
    """That one request may take."""
    tries: int = 6
    patience: float = 60.0
    """Seconds that waiting for a server may take in all; a longer wait that it asks for is told instead."""
    at_once: int = 4
    """Requests at one time."""
    first_pause: float = 0.25


@dataclass
class Rest:
    """One server, and the token it is asked with. ``opened`` makes one."""

    at: Address
    tokens: Tokens
    client: httpx.AsyncClient
    effort: Effort
    clock: Callable[[], float] = monotonic
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    asked: int = 0
    """Requests made so far."""
    _free_at: float = 0.0
    """By the clock: when the server takes requests again."""
    _turns: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._turns = asyncio.Semaphore(self.effort.at_once)

    async def get(self, path: str, parameters: Parameters | None = None) -> Any:
        """What the server answers to a path or to an address of its own. Raises LinkError."""
        url = self._own(path)
        pauses, ends = Pauses(self.effort.first_pause), self.clock() + self.effort.patience
        for left in range(self.effort.tries - 1, -1, -1):
            try:
                return await self._answered(url, parameters)
            except LinkError as error:
                pause = pauses.next(error.retry_after)
                if not left or not self._may_pass(error) or self.clock() + pause > ends:
                    raise
            await self.wait(pause)
        raise AssertionError("the last try returns or raises")

    async def items(self, path: str, parameters: Parameters | None = None) -> list[Item]:
        """The items of a list, of all its pages. Raises LinkError."""
        found, seen = list[Item](), set[str]()
        while path and path not in seen:
            seen.add(path)
            if len(seen) > MOST_PAGES:
                raise self._unusable(f"more than {MOST_PAGES} pages")
            page = await self.get(path, parameters)
            items = page.get("items") if isinstance(page, dict) else None
            if not isinstance(items, list):
                raise self._unusable("a list without items")
            found += [item for item in items if isinstance(item, dict)]
            path, parameters = _next(page), None  # the link brings its own
        return found

    def _own(self, path: str) -> str:
        """The address of the path; one that leads to another server would take the token along."""
        url = path if "://" in path else urljoin(f"{self.at.url}/", path.lstrip("/"))
        if urlsplit(url).netloc != self.at.server or urlsplit(url).scheme != self.at.scheme:
            raise self._unusable("a link to another server")
        return url

    async def _answered(self, url: str, parameters: Parameters | None) -> Any:
        """The answer to one request, or to a second one with a renewed token."""
        token = self.tokens.value
        if not token and await self._renewed(token):
            token = self.tokens.value
        response = await self._sent(url, parameters, token)
        if response.status_code == httpx.codes.UNAUTHORIZED and await self._renewed(token):
            response = await self._sent(url, parameters, self.tokens.value)
        return self._content(response)

    async def _renewed(self, used: str) -> bool:
        """Whether there is another token now than the one that was not accepted."""
        with translated(self.at.server, self.effort.seconds):
            return await self.tokens.renewed(self.client, self.at, used)

    async def _sent(self, url: str, parameters: Parameters | None, token: str) -> httpx.Response:
        """The response to one request, sent when it is its turn and the server takes requests."""
        async with self._turns:
            while (early := self._free_at - self.clock()) > 0:
                await self.wait(early)
            self.asked += 1
            with translated(self.at.server, self.effort.seconds):
                async with asyncio.timeout(self.effort.seconds):
                    response = await self._received(url, parameters, token)
        seconds = seconds_asked(response)
        if 0 < seconds <= self.effort.patience:
            self._free_at = max(self._free_at, self.clock() + seconds)
        return response

    async def _received(self, url: str, parameters: Parameters | None, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        async with self.client.stream(
            "GET", url, params=dict(parameters) if parameters else None, headers=headers
        ) as response:
            data = bytearray()
            async for piece in response.aiter_bytes():
                data += piece
                if len(data) > LARGEST:
                    raise self._unusable(f"more than {LARGEST} bytes")
        return httpx.Response(response.status_code, headers=_plain(response.headers), content=bytes(data))

    def _content(self, response: httpx.Response) -> Any:
        """The JSON of a successful response. Raises LinkError."""
        if response.status_code == httpx.codes.OK:
            try:
                return json.loads(response.content)
            except (ValueError, RecursionError):
                raise self._unusable("no JSON") from None
        raise self._fault(response)

    def _fault(self, response: httpx.Response) -> LinkError:
        server, status = self.at.server, response.status_code
        if status == httpx.codes.TOO_MANY_REQUESTS:
            seconds = seconds_asked(response)
            return fault("rate_limited", server=server, seconds=f"{seconds:g}", retry_after=seconds)
        if status >= 500:
            return fault("server", server=server, why=status, retry_after=seconds_asked(response))
        if status == httpx.codes.UNAUTHORIZED:
            return fault("unauthorised", server=server, name=self.tokens.name)
        return fault("refused", server=server, what="a request", why=f"status {status}")

    def _may_pass(self, error: LinkError) -> bool:
        """Whether another try may fare better. A server that was never reached is not tried again."""
        if error.code == "unreachable":
            return self.asked > 1
        return error.retryable or error.code == "bad_answer"

    def _unusable(self, why: str) -> LinkError:
        return fault("bad_answer", server=self.at.server, why=why)


@asynccontextmanager
async def opened(at: Address, tokens: Tokens, effort: Effort | None = None) -> AsyncIterator[Rest]:
    """A client of that server. Nothing is sent before it is asked for."""
    effort = effort or Effort()
    async with new_client(at, effort.seconds) as client:
        yield Rest(at, tokens, client, effort)


def new_client(at: Address, seconds: float) -> httpx.AsyncClient:
    """Connections to a server: near by without a proxy, and nowhere else, for no redirect is followed."""
    return httpx.AsyncClient(
        timeout=seconds,
        verify=at.tls or False,
        trust_env=not at.is_near,
        follow_redirects=False,
        headers={"Accept": "application/json"},
    )


@contextmanager
def translated(server: str, seconds: float) -> Iterator[None]:
    """The one place where errors of the connection become ours."""
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as error:
        raise fault("timeout", server=server, seconds=f"{seconds:g}") from error
    except (httpx.RemoteProtocolError, httpx.ReadError, httpx.DecodingError) as error:
        raise fault("lost", server=server, why=str(error) or type(error).__name__) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        if isinstance(cause := _root(error), ssl.SSLError):
            why = getattr(cause, "verify_message", "") or cause.reason
            raise fault("tls", server=server, why=why) from error
        raise fault("unreachable", server=server, why=str(error) or type(error).__name__) from error


def _root(error: BaseException) -> BaseException:
    """What began the chain of errors."""
    while before := error.__cause__ or error.__context__:
        error = before
    return error


def _next(page: Item) -> str:
    """Where the next page is; empty at the last one."""
    links = page.get("_links")
    following = links.get("next") if isinstance(links, dict) else None
    href = following.get("href") if isinstance(following, dict) else None
    return href if isinstance(href, str) else ""


def _plain(headers: httpx.Headers) -> list[tuple[str, str]]:
    """The headers without that of a packing that was undone already."""
    return [(name, value) for name, value in headers.multi_items() if name.lower() != "content-encoding"]
