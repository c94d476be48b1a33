"""What a connection to Home Assistant tells when it fails, and whom it never asks."""

from __future__ import annotations

import asyncio
import json
import ssl
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidStatus, InvalidURI
from websockets.frames import Close
from websockets.http11 import Request, Response

from winnow.adapters.platforms.home_assistant.websocket import (
    open_socket,
    parse_message,
    translate_socket_errors,
)
from winnow.adapters.platforms.live.server import parse_address
from winnow.errors import LinkError

SELF_SIGNED = ssl.SSLCertVerificationError(1, "refused")
SELF_SIGNED.verify_message = "self-signed certificate"


def status(code: int) -> InvalidStatus:
    return InvalidStatus(Response(code, "", Headers()))


@pytest.mark.parametrize(
    ("error", "code", "why"),
    [
        (SELF_SIGNED, "tls", "self-signed certificate"),
        (TimeoutError(), "timeout", "7"),
        (ConnectionClosedError(Close(1001, "restarting"), None), "lost", "restarting"),
        (ConnectionClosedError(None, None), "lost", "no farewell"),
        (status(502), "server", "502"),
        (status(500), "server", "500"),
        (status(404), "bad_answer", "status 404"),
        (ConnectionRefusedError(111, "Connection refused"), "unreachable", "Connection refused"),
        (InvalidURI("x", "no host"), "unreachable", "no host"),
    ],
)
def test_what_breaks_a_connection_is_told_as_ours(error: Exception, code: str, why: str) -> None:
    with pytest.raises(LinkError, match=why) as caught, translate_socket_errors("hub", 7.0):
        raise error
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[]", '"x"', "3"])
def test_a_message_is_an_object_or_a_bad_answer(text: str) -> None:
    with pytest.raises(LinkError) as caught:
        parse_message(text, "hub")
    assert caught.value.code == "bad_answer"
    assert parse_message(b'{"id": 1}', "hub") == {"id": 1}


def opened(*answers: dict[str, Any], redirect: str = "") -> tuple[list[Any], str]:
    """What a server that answers so was told, and the code of the error in the end."""
    told: list[Any] = []

    async def answer(connection: ServerConnection) -> None:
        for one in answers:
            await connection.send(json.dumps(one))
            if one.get("type") == "auth_required":
                told.append(json.loads(await connection.recv()))

    def process(connection: ServerConnection, request: Request) -> Response | None:
        if not redirect:
            return None
        return Response(HTTPStatus.FOUND, "Found", Headers({"Location": redirect, "Content-Length": "0"}))

    async def running() -> str:
        async with serve(answer, "127.0.0.1", 0, process_request=process) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            try:
                async with open_socket(parse_address(f"http://127.0.0.1:{port}"), "secret", "T", 5.0):
                    return ""
            except LinkError as error:
                return error.code

    code = asyncio.run(running())
    return told, code


def test_the_token_is_given_to_who_asks_for_it_as_home_assistant_does() -> None:
    given = {"type": "auth", "access_token": "secret"}
    assert opened({"type": "auth_required"}, {"type": "auth_ok"}) == ([given], "")
    assert opened({"type": "auth_required"}, {"type": "auth_invalid"}) == ([given], "unauthorised")
    assert opened({"type": "hello"}) == ([], "bad_answer")
    assert opened() == ([], "lost")


def test_the_token_is_not_carried_to_where_a_server_redirects() -> None:
    assert opened(redirect="ws://127.0.0.1:9/elsewhere") == ([], "bad_answer")
