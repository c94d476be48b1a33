"""One connection to Home Assistant's WebSocket API: questions with their answers, and events in between."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from winnow.adapters.platforms.live.server import ServerAddress, link_error
from winnow.errors import LinkError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

MAX_MESSAGE_BYTES = 256 * 1024 * 1024
"""Bytes of one message: the states of a very large home fit many times."""
PING_SECONDS = 20.0
"""Seconds between pings, and how long an answer to one is waited for."""


class HomeAssistantSocket:
    """A connection on which the server knows who we are. ``open_socket`` makes one.

    ``events`` holds what was subscribed to, in the order it came; None says that the connection is gone.
    """

    def __init__(self, connection: ClientConnection, server: str, seconds: float) -> None:
        self.server, self._connection, self._seconds = server, connection, seconds
        self._numbers, self._asked = count(1), dict[int, asyncio.Future[Mapping[str, Any]]]()
        self.events: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
        self._gone = ""
        self._reader = asyncio.create_task(self._read())

    @property
    def is_open(self) -> bool:
        """Whether anything can be sent, as far as is known here."""
        return not self._gone and self._connection.state.name == "OPEN"

    async def ask(self, kind: str, **fields: object) -> Any:
        """What the server answers. Raises LinkError: ``refused`` when it does not know the question."""
        said = await self.answer(kind, **fields)
        if not said.get("success", True):
            why = (said.get("error") or {}).get("message")
            raise link_error("refused", server=self.server, what=kind, why=why)
        return said.get("result")

    async def answer(self, kind: str, **fields: object) -> Mapping[str, Any]:
        """The whole answer, whether it is a refusal or not. Raises LinkError: it may have been sent."""
        if self._gone:
            raise link_error("lost", server=self.server, why=self._gone)
        number = next(self._numbers)
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            with translate_socket_errors(self.server, self._seconds):
                await self._connection.send(json.dumps({"id": number, "type": kind, **fields}))
                async with asyncio.timeout(self._seconds):
                    return await answer
        finally:
            self._asked.pop(number, None)

    async def event(self, seconds: float | None = None) -> Mapping[str, Any] | None:
        """The next event; None when there was none for so many seconds. Raises LinkError."""
        try:
            async with asyncio.timeout(seconds):
                heard = await self.events.get()
        except TimeoutError:
            return None
        if heard is None:
            raise link_error("lost", server=self.server, why=self._gone)
        return heard

    async def close(self) -> None:
        """Hang up."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._connection.close()

    async def _read(self) -> None:
        """Hand out what comes, until nothing comes any more."""
        why = "it was closed"
        try:
            with translate_socket_errors(self.server, self._seconds):
                async for text in self._connection:
                    message = parse_message(text, self.server)
                    if message.get("type") == "event":
                        self.events.put_nowait(message.get("event") or {})
                    elif (answer := self._asked.get(message.get("id", 0))) and not answer.done():
                        answer.set_result(message)
        except LinkError as error:
            why = str(error)
        finally:
            self._gone = why
            self.events.put_nowait(None)
            for waiting in self._asked.values():
                if not waiting.done():
                    waiting.set_exception(link_error("lost", server=self.server, why=why))


@asynccontextmanager
async def open_socket(
    at: ServerAddress, token: str, token_name: str, seconds: float
) -> AsyncIterator[HomeAssistantSocket]:
    """A connection on which the server has accepted the token. Raises LinkError."""
    try:
        from websockets.asyncio.client import connect
    except ImportError as error:
        raise link_error("no_library", why=error) from error

    class Direct(connect):
        """Follows no redirect, which might lead the token to another server."""

        def process_redirect(self, exc: Exception) -> Exception | str:
            return exc

    with translate_socket_errors(at.server, seconds):
        connection = await Direct(
            at.socket,
            ssl=at.tls,
            # A server near by is reached directly, whatever proxy this machine uses for the world.
            proxy=None if at.is_near else True,
            open_timeout=seconds,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=1,
            max_size=MAX_MESSAGE_BYTES,
            logger=_silent_logger(),
        )
    try:
        with translate_socket_errors(at.server, seconds):
            async with asyncio.timeout(seconds):
                server = at.server
                hello = parse_message(await connection.recv(), server)
                if hello.get("type") != "auth_required":
                    why = "it does not ask who we are as Home Assistant does"
                    raise link_error("bad_answer", server=server, why=why)
                await connection.send(json.dumps({"type": "auth", "access_token": token}))
                if parse_message(await connection.recv(), server).get("type") != "auth_ok":
                    raise link_error("unauthorised", server=server, name=token_name)
        socket = HomeAssistantSocket(connection, at.server, seconds)
    except BaseException:
        await connection.close()
        raise
    try:
        yield socket
    finally:
        await socket.close()


def _silent_logger() -> logging.Logger:
    """A logger that keeps nothing: the library would log whole messages, the token's among them."""
    logger = logging.Logger(__name__)  # noqa: LOG001 - one of ours would hand them on to the root
    logger.disabled = True
    return logger


def parse_message(text: str | bytes, server: str) -> Mapping[str, Any]:
    """The message. Raises LinkError when it is no JSON object."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise link_error("bad_answer", server=server, why="no JSON") from None
    if not isinstance(message, dict):
        raise link_error("bad_answer", server=server, why="no JSON object")
    return message


@contextmanager
def translate_socket_errors(server: str, seconds: float) -> Iterator[None]:
    """The one place where errors of the connection become ours."""
    from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

    try:
        yield
    except ssl.SSLError as error:
        raise link_error(
            "tls", server=server, why=getattr(error, "verify_message", "") or error.reason
        ) from error
    except TimeoutError as error:
        raise link_error("timeout", server=server, seconds=f"{seconds:g}") from error
    except ConnectionClosed as error:
        raise link_error(
            "lost", server=server, why=error.rcvd.reason if error.rcvd else "no farewell"
        ) from error
    except InvalidStatus as error:
        raise _handshake_error(error.response.status_code, server) from error
    except (OSError, WebSocketException) as error:
        why = getattr(error, "strerror", None) or error
        raise link_error("unreachable", server=server, why=why) from error


def _handshake_error(status: int, server: str) -> LinkError:
    """The server, or a proxy before it, does not open a WebSocket."""
    if status >= 500:
        return link_error("server", server=server, why=status)
    return link_error(
        "bad_answer", server=server, why=f"status {status} where Home Assistant's WebSocket API should be"
    )
