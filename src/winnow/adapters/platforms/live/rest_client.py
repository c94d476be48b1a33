"""Requests to one server: few at a time, never sooner than it allows, asked again only where that is safe."""

from __future__ import annotations

import asyncio
import json
import math
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from winnow.adapters.platforms.live.server import Address, Pauses, address, fault
from winnow.errors import LinkError

# What a server's headers say of how long it wants to be left alone.


RETRY_AFTER = "Retry-After"
REMAINING, RESET = "X-RateLimit-Remaining", "X-RateLimit-Reset"
"""Requests that may still be made, and milliseconds until there are more again."""
LONGEST = 86_400.0
"""Seconds above which a pause is no pause, but a moment told in another manner."""


_OF_DEVICE = re.compile(r"/devices/([^/?#]+)")


@dataclass
class Gates:
    """From when a server takes requests again, for all who ask it with one token; by one clock.

    SmartThings counts what is asked and told of one device by itself (12 requests a minute), everything else
    together: a device that wants no more leaves the others alone.
    """

    _opens: dict[str, float] = field(default_factory=dict)

    def opens(self, url: str) -> float:
        """When the next request to that address may be made; 0 for at any time."""
        return max(self._opens.get("", 0.0), self._opens.get(_whose(url), 0.0))

    def close(self, url: str, until: float) -> None:
        """The server takes no more of such requests ``until`` then."""
        self._opens[_whose(url)] = max(self._opens.get(_whose(url), 0.0), until)


def _whose(url: str) -> str:
    """The device that an address is about; empty for all else."""
    match = _OF_DEVICE.search(url)
    return match[1] if match else ""


def seconds_asked(response: httpx.Response) -> float:
    """Seconds until the next request; 0 when the server asks for no pause, or what it says makes no sense."""
    told = _after(response.headers.get(RETRY_AFTER, ""))
    spent = response.headers.get(REMAINING, "").strip() == "0"
    if spent or response.status_code == httpx.codes.TOO_MANY_REQUESTS:
        told = max(told, _number(response.headers.get(RESET, "")) / 1000)
    return told if told <= LONGEST else 0.0


def _after(header: str) -> float:
    """``Retry-After`` holds seconds or a date."""
    if not header or header.strip().isdecimal():
        return _number(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return max(0.0, number) if math.isfinite(number) else 0.0


# The token that requests carry, and how an expired one is renewed.


SMARTTHINGS = "smartthings.com"
AUTHORITY = "https://auth-global.api.smartthings.com"
"""Where tokens of the public API are renewed; another server renews its own."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """What OAuth gives a client to renew its tokens with."""

    token: str = field(repr=False)
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(slots=True)
class Tokens:
    """The token in use. A renewed one is kept in memory only, and so is the next renewal's."""

    name: str
    """Of the environment variable it came from."""
    value: str = field(repr=False)
    renewal: Renewal | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def renewed(self, client: httpx.AsyncClient, server: Address, used: str) -> bool:
        """Whether there is another token than the one ``used``, which was not accepted. Raises LinkError."""
        if self.renewal is None:
            return False
        async with self.lock:  # one renewal for all who were turned away with the same token
            if self.value == used:
                renewal = self.renewal
                at = address(AUTHORITY) if server.server.endswith(SMARTTHINGS) else server
                form = {
                    "grant_type": "refresh_token",
                    "client_id": renewal.client_id,
                    "refresh_token": renewal.token,
                }
                credentials = httpx.BasicAuth(renewal.client_id, renewal.client_secret)
                response = await client.post(f"{at.url}/oauth/token", data=form, auth=credentials)
                told = _told(response)
                if not told.get("access_token"):
                    raise fault("unauthorised", server=at.server, name=f"{self.name}_REFRESH")
                self.value = told["access_token"]
                next_one = told.get("refresh_token") or renewal.token
                self.renewal = Renewal(next_one, renewal.client_id, renewal.client_secret)
        return True


def _told(response: httpx.Response) -> dict[str, str]:
    """The tokens in the answer; empty when it holds none."""
    try:
        answer = response.json() if response.status_code == httpx.codes.OK else {}
    except ValueError:
        return {}
    answer = answer if isinstance(answer, dict) else {}
    return {name: value for name, value in answer.items() if isinstance(value, str)}


LARGEST = 64 * 1024 * 1024
"""Bytes of one answer."""
MOST_PAGES = 500
CONNECT = 0.8
"""Of the seconds of a request, what a connection may take: told apart from an answer that does not come."""
UNANSWERED = ("timeout", "lost", "bad_answer")
"""Faults after which nobody knows whether the server did what it was sent."""
LOST = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.DecodingError)
"""What breaks a connection that stood already."""

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


@dataclass(frozen=True, slots=True)
class Posted:
    """What became of something that was sent. Without an ``error`` the server answered, with ``status``."""

    status: int = 0
    """Of the answer; 0 where none came."""
    content: Any = None
    """The answer's JSON; None where it holds none."""
    error: LinkError | None = None
    maybe: bool = False
    """Whether the server may have done it without saying so; else it took it, or certainly did not."""


@dataclass(slots=True)
class _Asked:
    """One request, and whether it went out and no answer came yet."""

    url: str
    parameters: Parameters | None = None
    method: str = "GET"
    body: object = None
    until: float = math.inf
    """By the clock: when waiting for its turn is over."""
    out: bool = False


@dataclass
class Rest:
    """One server, and the token it is asked with. ``opened`` makes one."""

    at: Address
    tokens: Tokens
    client: httpx.AsyncClient
    effort: Effort
    clock: Callable[[], float] = monotonic
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    gates: Gates = field(default_factory=Gates)
    asked: int = 0
    """Requests made so far."""
    _turns: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._turns = asyncio.Semaphore(self.effort.at_once)

    async def get(self, path: str, parameters: Parameters | None = None) -> Any:
        """What the server answers to a path or to an address of its own. Raises LinkError."""
        asked = _Asked(self._own(path), parameters)
        pauses, ends = Pauses(self.effort.first_pause), self.clock() + self.effort.patience
        for left in range(self.effort.tries - 1, -1, -1):
            try:
                response = await self._answered(asked)
                if response.status_code != httpx.codes.OK:
                    raise self._fault(response)
                content, usable = _read(response)
                if not usable or not response.content:
                    raise self._unusable("no JSON")
                return content
            except LinkError as error:
                pause = pauses.next(error.retry_after)
                if not left or not self._may_pass(error) or self.clock() + pause > ends:
                    raise
            await self.wait(pause)
        raise AssertionError("the last try returns or raises")

    async def post(self, path: str, body: object = None) -> Posted:
        """What became of what was sent: once, for it may move something.

        It is sent again only where the server said that it did not take it: after 429 while patience lasts,
        and with a renewed token.
        """
        pauses, ends = Pauses(self.effort.first_pause), self.clock() + self.effort.patience
        asked = _Asked(self._own(path), None, "POST", body, ends)
        posted = await self._tried(asked)
        for _ in range(self.effort.tries - 1):
            pause = pauses.next(posted.error.retry_after if posted.error else 0.0)
            if posted.status != httpx.codes.TOO_MANY_REQUESTS or self.clock() + pause > ends:
                break
            await self.wait(pause)
            posted = await self._tried(asked)
        return posted

    async def _tried(self, asked: _Asked) -> Posted:
        """What became of one attempt to send it."""
        try:
            response = await self._answered(asked)
            if response.status_code >= 500:
                return Posted(response.status_code, error=self._fault(response), maybe=True)
            if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.TOO_MANY_REQUESTS):
                return Posted(response.status_code, error=self._fault(response))
            content, usable = _read(response)
            if response.is_success and not usable:
                return Posted(response.status_code, error=self._unusable("no JSON"), maybe=True)
            return Posted(response.status_code, content)
        except LinkError as error:
            return Posted(error=error, maybe=asked.out and error.code in UNANSWERED)

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

    async def _answered(self, asked: _Asked) -> httpx.Response:
        """The response to one request, or to a second one with a renewed token."""
        token = self.tokens.value
        if not token and await self._renewed(token):
            token = self.tokens.value
        response = await self._sent(asked, token)
        if response.status_code == httpx.codes.UNAUTHORIZED and await self._renewed(token):
            response = await self._sent(asked, self.tokens.value)
        return response

    async def _renewed(self, used: str) -> bool:
        """Whether there is another token now than the one that was not accepted."""
        with translated(self.at.server, self.effort.seconds):
            return await self.tokens.renewed(self.client, self.at, used)

    async def _sent(self, asked: _Asked, token: str) -> httpx.Response:
        """The response to one request, sent when it is its turn and the server takes requests."""
        async with self._turns:
            while (early := self.gates.opens(asked.url) - self.clock()) > 0:
                if self.clock() + early > asked.until:
                    told = {"server": self.at.server, "seconds": f"{early:.3g}"}
                    raise fault("rate_limited", retry_after=early, **told)
                await self.wait(early)
            self.asked, asked.out = self.asked + 1, True
            with translated(self.at.server, self.effort.seconds):
                async with asyncio.timeout(self.effort.seconds):
                    response = await self._received(asked, token)
            asked.out = False
        seconds = seconds_asked(response)
        if 0 < seconds <= self.effort.patience:
            self.gates.close(asked.url, self.clock() + seconds)
        return response

    async def _received(self, asked: _Asked, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        about = dict(asked.parameters) if asked.parameters else None
        async with self.client.stream(
            asked.method, asked.url, params=about, json=asked.body, headers=headers
        ) as response:
            data = bytearray()
            async for piece in response.aiter_bytes():
                data += piece
                if len(data) > LARGEST:
                    raise self._unusable(f"more than {LARGEST} bytes")
        return httpx.Response(response.status_code, headers=_plain(response.headers), content=bytes(data))

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
async def opened(
    at: Address, tokens: Tokens, effort: Effort | None = None, gates: Gates | None = None
) -> AsyncIterator[Rest]:
    """A client of that server. Nothing is sent before it is asked for.

    ``gates`` are shared by clients that the server counts together.
    """
    effort = effort or Effort()
    async with new_client(at, effort.seconds) as client:
        yield Rest(at, tokens, client, effort, gates=gates or Gates())


def new_client(at: Address, seconds: float) -> httpx.AsyncClient:
    """Connections to a server: near by without a proxy, and nowhere else, for no redirect is followed."""
    return httpx.AsyncClient(
        timeout=httpx.Timeout(seconds, connect=seconds * CONNECT),
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
    except httpx.ConnectTimeout as error:
        raise fault("unreachable", server=server, why="no connection in time") from error
    except (httpx.TimeoutException, TimeoutError) as error:
        raise fault("timeout", server=server, seconds=f"{seconds:g}") from error
    except LOST as error:
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


def _read(response: httpx.Response) -> tuple[Any, bool]:
    """The JSON of a response, and whether it is usable; None where it is empty."""
    if not response.content:
        return None, True
    try:
        return json.loads(response.content), True
    except (ValueError, RecursionError):
        return None, False


def _next(page: Item) -> str:
    """Where the next page is; empty at the last one."""
    links = page.get("_links")
    following = links.get("next") if isinstance(links, dict) else None
    href = following.get("href") if isinstance(following, dict) else None
    return href if isinstance(href, str) else ""


def _plain(headers: httpx.Headers) -> list[tuple[str, str]]:
    """The headers without that of a packing that was undone already."""
    return [(name, value) for name, value in headers.multi_items() if name.lower() != "content-encoding"]
