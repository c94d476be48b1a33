"""An HTTP client for one server: concurrency and rate limits, safe retries, renewal of tokens."""

from __future__ import annotations

import asyncio
import json
import math
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from winnow.adapters.http import Attempts, Backoff, retry_after_seconds
from winnow.adapters.platforms.live.server import ServerAddress, link_error, parse_address
from winnow.errors import LinkError

# What a server's headers say of how long it wants to be left alone.

RETRY_AFTER_HEADER = "Retry-After"
REMAINING_HEADER, RESET_HEADER = "X-RateLimit-Remaining", "X-RateLimit-Reset"
"""Requests that may still be made, and milliseconds until there are more again."""
MAX_PAUSE_SECONDS = 86_400.0
"""Seconds above which a pause is no pause, but a moment told in another manner."""


_OF_DEVICE = re.compile(r"/devices/([^/?#]+)")


@dataclass
class RateLimitGates:
    """From when a server takes requests again, for all who ask it with one token; by one clock.

    SmartThings counts what is asked and told of one device by itself (12 requests a minute), everything else
    together: a device that wants no more leaves the others alone.
    """

    _opens: dict[str, float] = field(default_factory=dict)

    def opens_at(self, url: str) -> float:
        """When the next request to that address may be made; 0 for at any time."""
        return max(self._opens.get("", 0.0), self._opens.get(_device_of_url(url), 0.0))

    def close_until(self, url: str, until: float) -> None:
        """The server takes no more of such requests ``until`` then."""
        self._opens[_device_of_url(url)] = max(self._opens.get(_device_of_url(url), 0.0), until)


def _device_of_url(url: str) -> str:
    """The device that an address is about; empty for all else."""
    match = _OF_DEVICE.search(url)
    return match[1] if match else ""


def seconds_to_wait(response: httpx.Response) -> float:
    """Seconds until the next request; 0 when the server asks for no pause, or what it says makes no sense."""
    told = retry_after_seconds(response.headers.get(RETRY_AFTER_HEADER))
    spent = response.headers.get(REMAINING_HEADER, "").strip() == "0"
    if spent or response.status_code == httpx.codes.TOO_MANY_REQUESTS:
        told = max(told, _number(response.headers.get(RESET_HEADER, "")) / 1000)
    return told if told <= MAX_PAUSE_SECONDS else 0.0


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return max(0.0, number) if math.isfinite(number) else 0.0


# The token that requests carry, and how an expired one is renewed.

SMARTTHINGS_AUTHORITY = "https://auth-global.api.smartthings.com"
"""Where tokens of the public API are renewed; another server renews its own."""


@dataclass(frozen=True, slots=True)
class TokenRenewal:
    """What OAuth gives a client to renew its tokens with."""

    token: str = field(repr=False)
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(slots=True)
class AccessTokens:
    """The token in use. A renewed one is kept in memory only, and so is the next renewal's."""

    name: str
    """Of the environment variable it came from."""
    value: str = field(repr=False)
    renewal: TokenRenewal | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def renew(self, client: httpx.AsyncClient, server: ServerAddress, used: str) -> bool:
        """Whether there is another token than the one ``used``, which was not accepted. Raises LinkError."""
        if self.renewal is None:
            return False
        async with self.lock:  # one renewal for all who were turned away with the same token
            if self.value == used:
                renewal = self.renewal
                public = server.server.endswith("smartthings.com")
                at = parse_address(SMARTTHINGS_AUTHORITY) if public else server
                form = {
                    "grant_type": "refresh_token",
                    "client_id": renewal.client_id,
                    "refresh_token": renewal.token,
                }
                credentials = httpx.BasicAuth(renewal.client_id, renewal.client_secret)
                response = await client.post(f"{at.url}/oauth/token", data=form, auth=credentials)
                told = _tokens_in(response)
                if not told.get("access_token"):
                    raise link_error("unauthorised", server=at.server, name=f"{self.name}_REFRESH")
                self.value = told["access_token"]
                next_one = told.get("refresh_token") or renewal.token
                self.renewal = TokenRenewal(next_one, renewal.client_id, renewal.client_secret)
        return True


def _tokens_in(response: httpx.Response) -> dict[str, str]:
    """The tokens in the answer; empty when it holds none."""
    try:
        answer = response.json() if response.status_code == httpx.codes.OK else {}
    except ValueError:
        return {}
    answer = answer if isinstance(answer, dict) else {}
    return {name: value for name, value in answer.items() if isinstance(value, str)}


MAX_RESPONSE_BYTES = 64 * 1024 * 1024
"""Bytes of one answer."""
MAX_PAGES = 500
CONNECT_SHARE = 0.8
"""Of the seconds of a request, what a connection may take: told apart from an answer that does not come."""
UNDECIDED_CODES = ("timeout", "lost", "bad_answer")
"""Faults after which nobody knows whether the server did what it was sent."""
CONNECTION_ERRORS = (
    httpx.RemoteProtocolError,
    httpx.ReadError,
    httpx.WriteError,
    httpx.CloseError,
    httpx.DecodingError,
)
"""What breaks a connection that stood already."""

JsonObject = Mapping[str, Any]
QueryParameters = Mapping[str, str | list[str]]


@dataclass(frozen=True, slots=True)
class RequestEffort:
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
class PostResult:
    """What became of something that was sent. Without an ``error`` the server answered, with ``status``."""

    status: int = 0
    """Of the answer; 0 where none came."""
    content: Any = None
    """The answer's JSON; None where it holds none."""
    error: LinkError | None = None
    may_be_done: bool = False
    """Whether the server may have done it without saying so; else it took it, or certainly did not."""


@dataclass(slots=True)
class _Request:
    """One request, and whether it went out and no answer came yet."""

    url: str
    parameters: QueryParameters | None = None
    method: str = "GET"
    body: object = None
    until: float = math.inf
    """By the clock: when waiting for its turn is over."""
    is_unanswered: bool = False


@dataclass
class RestClient:
    """One server, and the token it is asked with. ``rest_client`` makes one."""

    address: ServerAddress
    tokens: AccessTokens
    client: httpx.AsyncClient
    effort: RequestEffort
    clock: Callable[[], float] = monotonic
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    gates: RateLimitGates = field(default_factory=RateLimitGates)
    requests_sent: int = 0
    """Requests made so far."""
    _turns: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._turns = asyncio.Semaphore(self.effort.at_once)

    async def get(self, path: str, parameters: QueryParameters | None = None) -> Any:
        """What the server answers to a path or to an address of its own. Raises LinkError."""
        asked = _Request(self._same_server_url(path), parameters)
        attempts = self._attempts()
        while True:
            try:
                response = await self._send_authorized(asked)
                if response.status_code != httpx.codes.OK:
                    raise self._status_error(response)
                content, usable = _response_json(response)
                if not usable or not response.content:
                    raise self._bad_answer("no JSON")
                return content
            except LinkError as error:
                pause = attempts.pause_after(error, may_pass=self._is_worth_retrying(error))
            await self.wait(pause)

    async def post(self, path: str, body: object = None) -> PostResult:
        """What became of what was sent: once, for it may move something.

        It is sent again only where the server said that it did not take it: after 429 while patience lasts,
        and with a renewed token.
        """
        attempts = self._attempts()
        asked = _Request(self._same_server_url(path), None, "POST", body, attempts.ends)
        while True:
            posted = await self._try_post(asked)
            if posted.error is None or posted.status != httpx.codes.TOO_MANY_REQUESTS:
                return posted
            try:
                pause = attempts.pause_after(posted.error)
            except LinkError:
                return posted
            await self.wait(pause)

    def _attempts(self) -> Attempts:
        effort = self.effort
        return Attempts(effort.patience, effort.tries - 1, Backoff(effort.first_pause), self.clock)

    async def _try_post(self, asked: _Request) -> PostResult:
        """What became of one attempt to send it."""
        try:
            response = await self._send_authorized(asked)
            if response.status_code >= 500:
                return PostResult(response.status_code, error=self._status_error(response), may_be_done=True)
            if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.TOO_MANY_REQUESTS):
                return PostResult(response.status_code, error=self._status_error(response))
            content, usable = _response_json(response)
            if response.is_success and not usable:
                return PostResult(response.status_code, error=self._bad_answer("no JSON"), may_be_done=True)
            return PostResult(response.status_code, content)
        except LinkError as error:
            return PostResult(error=error, may_be_done=asked.is_unanswered and error.code in UNDECIDED_CODES)

    async def items(self, path: str, parameters: QueryParameters | None = None) -> list[JsonObject]:
        """The items of a list, of all its pages. Raises LinkError."""
        found, seen = list[JsonObject](), set[str]()
        while path and path not in seen:
            seen.add(path)
            if len(seen) > MAX_PAGES:
                raise self._bad_answer(f"more than {MAX_PAGES} pages")
            page = await self.get(path, parameters)
            items = page.get("items") if isinstance(page, dict) else None
            if not isinstance(items, list):
                raise self._bad_answer("a list without items")
            found += [item for item in items if isinstance(item, dict)]
            path, parameters = _next_page(page), None  # the link brings its own
        return found

    def _same_server_url(self, path: str) -> str:
        """The address of the path; one that leads to another server would take the token along."""
        url = path if "://" in path else urljoin(f"{self.address.url}/", path.lstrip("/"))
        if urlsplit(url).netloc != self.address.server or urlsplit(url).scheme != self.address.scheme:
            raise self._bad_answer("a link to another server")
        return url

    async def _send_authorized(self, asked: _Request) -> httpx.Response:
        """The response to one request, or to a second one with a renewed token."""
        token = self.tokens.value
        if not token and await self._renew_token(token):
            token = self.tokens.value
        response = await self._send_in_turn(asked, token)
        if response.status_code == httpx.codes.UNAUTHORIZED and await self._renew_token(token):
            response = await self._send_in_turn(asked, self.tokens.value)
        return response

    async def _renew_token(self, used: str) -> bool:
        """Whether there is another token now than the one that was not accepted."""
        with translate_http_errors(self.address.server, self.effort.seconds):
            return await self.tokens.renew(self.client, self.address, used)

    async def _send_in_turn(self, asked: _Request, token: str) -> httpx.Response:
        """The response to one request, sent when it is its turn and the server takes requests."""
        async with self._turns:
            while (early := self.gates.opens_at(asked.url) - self.clock()) > 0:
                if self.clock() + early > asked.until:
                    told = {"server": self.address.server, "seconds": f"{early:.3g}"}
                    raise link_error("rate_limited", retry_after=early, **told)
                await self.wait(early)
            self.requests_sent, asked.is_unanswered = self.requests_sent + 1, True
            with translate_http_errors(self.address.server, self.effort.seconds):
                async with asyncio.timeout(self.effort.seconds):
                    response = await self._receive(asked, token)
            asked.is_unanswered = False
        seconds = seconds_to_wait(response)
        if 0 < seconds <= self.effort.patience:
            self.gates.close_until(asked.url, self.clock() + seconds)
        return response

    async def _receive(self, asked: _Request, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        about = dict(asked.parameters) if asked.parameters else None
        async with self.client.stream(
            asked.method, asked.url, params=about, json=asked.body, headers=headers
        ) as response:
            data = bytearray()
            async for piece in response.aiter_bytes():
                data += piece
                if len(data) > MAX_RESPONSE_BYTES:
                    raise self._bad_answer(f"more than {MAX_RESPONSE_BYTES} bytes")
        # The packing was undone already: its header would have it undone again.
        kept = [pair for pair in response.headers.multi_items() if pair[0].lower() != "content-encoding"]
        return httpx.Response(response.status_code, headers=kept, content=bytes(data))

    def _status_error(self, response: httpx.Response) -> LinkError:
        server, status = self.address.server, response.status_code
        if status == httpx.codes.TOO_MANY_REQUESTS:
            seconds = seconds_to_wait(response)
            return link_error("rate_limited", server=server, seconds=f"{seconds:g}", retry_after=seconds)
        if status >= 500:
            return link_error("server", server=server, why=status, retry_after=seconds_to_wait(response))
        if status == httpx.codes.UNAUTHORIZED:
            return link_error("unauthorised", server=server, name=self.tokens.name)
        return link_error("refused", server=server, what="a request", why=f"status {status}")

    def _is_worth_retrying(self, error: LinkError) -> bool:
        """Whether another try may fare better. A server that was never reached is not tried again."""
        if error.code == "unreachable":
            return self.requests_sent > 1
        return error.retryable or error.code == "bad_answer"

    def _bad_answer(self, why: str) -> LinkError:
        return link_error("bad_answer", server=self.address.server, why=why)


@asynccontextmanager
async def rest_client(
    at: ServerAddress,
    tokens: AccessTokens,
    effort: RequestEffort | None = None,
    gates: RateLimitGates | None = None,
) -> AsyncIterator[RestClient]:
    """A client of that server. Nothing is sent before it is asked for.

    ``gates`` are shared by clients that the server counts together.
    """
    effort = effort or RequestEffort()
    async with new_client(at, effort.seconds) as client:
        yield RestClient(at, tokens, client, effort, gates=gates or RateLimitGates())


def new_client(at: ServerAddress, seconds: float) -> httpx.AsyncClient:
    """Connections to a server: near by without a proxy, and nowhere else, for no redirect is followed."""
    return httpx.AsyncClient(
        timeout=httpx.Timeout(seconds, connect=seconds * CONNECT_SHARE),
        verify=at.tls or False,
        trust_env=not at.is_near,
        follow_redirects=False,
        headers={"Accept": "application/json"},
    )


@contextmanager
def translate_http_errors(server: str, seconds: float) -> Iterator[None]:
    """The one place where errors of the connection become ours."""
    try:
        yield
    except httpx.ConnectTimeout as error:
        raise link_error("unreachable", server=server, why="no connection in time") from error
    except (httpx.TimeoutException, TimeoutError) as error:
        raise link_error("timeout", server=server, seconds=f"{seconds:g}") from error
    except CONNECTION_ERRORS as error:
        raise link_error("lost", server=server, why=str(error) or type(error).__name__) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        if isinstance(cause := _root_cause(error), ssl.SSLError):
            why = getattr(cause, "verify_message", "") or cause.reason
            raise link_error("tls", server=server, why=why) from error
        raise link_error("unreachable", server=server, why=str(error) or type(error).__name__) from error


def _root_cause(error: BaseException) -> BaseException:
    """What began the chain of errors."""
    while before := error.__cause__ or error.__context__:
        error = before
    return error


def _response_json(response: httpx.Response) -> tuple[Any, bool]:
    """The JSON of a response, and whether it is usable; None where it is empty."""
    if not response.content:
        return None, True
    try:
        return json.loads(response.content), True
    except (ValueError, RecursionError):
        return None, False


def _next_page(page: JsonObject) -> str:
    """Where the next page is; empty at the last one."""
    links = page.get("_links")
    following = links.get("next") if isinstance(links, dict) else None
    href = following.get("href") if isinstance(following, dict) else None
    return href if isinstance(href, str) else ""
