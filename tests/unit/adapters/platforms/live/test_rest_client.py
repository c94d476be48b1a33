"""The client of one server: what it asks again, what it does not, and what an answer may be."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from winnow.adapters.platforms.live.rest_client import (
    AccessTokens,
    RateLimitGates,
    RequestEffort,
    RestClient,
    TokenRenewal,
    seconds_to_wait,
)
from winnow.adapters.platforms.live.server import parse_address
from winnow.errors import LinkError

Answer = httpx.Response | BaseException
AT = "https://hub.example"


@dataclass
class Server:
    """Gives these answers, one after the other, and then the last one again; time passes by waiting only."""

    answers: list[Answer]
    asked: list[httpx.Request] = field(default_factory=list)
    now: float = 0.0
    pauses: list[float] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


class Storm(Server):
    """Refuses whatever comes within two seconds; whoever waits lets all others go first."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return busy() if self.now < 2 else ok(7)

    async def wait(self, seconds: float) -> None:
        ends = self.now + seconds
        for _ in range(1000):
            await asyncio.sleep(0)
        self.now = max(self.now, ends)


def run(
    server: Server,
    work: Callable[[RestClient], Any],
    tokens: AccessTokens | None = None,
    gates: RateLimitGates | None = None,
    **effort: Any,
) -> Any:
    async def running() -> Any:
        async with httpx.AsyncClient(transport=httpx.MockTransport(server)) as http:
            client = RestClient(
                parse_address(AT),
                tokens or AccessTokens("T", "secret"),
                http,
                RequestEffort(**effort),
                lambda: server.now,
                server.wait,
                gates or RateLimitGates(),
            )
            return await work(client)

    return asyncio.run(running())


def ok(data: object) -> httpx.Response:
    return httpx.Response(200, json=data)


def busy(seconds: int = 2, status: int = 429) -> httpx.Response:
    return httpx.Response(status, headers={"Retry-After": str(seconds)})


def code(server: Server, work: Callable[[RestClient], Any], **effort: Any) -> str:
    with pytest.raises(LinkError) as caught:
        run(server, work, **effort)
    return caught.value.code


def test_a_path_is_asked_with_the_token_and_its_parameters() -> None:
    server = Server([ok([1])])
    assert run(server, lambda c: c.get("/v1/rooms", {"page": "2"})) == [1]
    (asked,) = server.asked
    assert (str(asked.url), asked.headers["Authorization"]) == (f"{AT}/v1/rooms?page=2", "Bearer secret")


@pytest.mark.parametrize("path", ["https://evil.example/v1", "http://hub.example/v1"])
def test_the_token_goes_to_no_other_server(path: str) -> None:
    server = Server([ok(1)])
    assert (code(server, lambda c: c.get(path)), server.asked) == ("bad_answer", [])


@pytest.mark.parametrize(
    ("first", "seconds"),
    [
        (busy(), 2.0),
        (busy(3, 503), 3.0),
        (httpx.Response(200, content=b"<html>"), 0),
        (httpx.ReadError(""), 0),
    ],
)
def test_what_may_pass_is_asked_again_after_the_pause_the_server_wants(first: Answer, seconds: float) -> None:
    server = Server([first, ok(7)])
    assert run(server, lambda c: c.get("x")) == 7
    assert len(server.asked) == 2
    assert sum(server.pauses) >= seconds
    assert server.pauses


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (httpx.Response(403), "refused"),
        (httpx.Response(401), "unauthorised"),
        (httpx.ConnectError("no route"), "unreachable"),
        (httpx.ConnectTimeout(""), "unreachable"),
        (httpx.InvalidURL(""), "unreachable"),
    ],
)
def test_what_will_not_pass_is_told_at_once(first: Answer, told: str) -> None:
    server = Server([first, ok(7)])
    assert code(server, lambda c: c.get("x")) == told
    assert len(server.asked) == 1


def test_a_server_that_was_there_before_is_asked_again_when_it_is_gone() -> None:
    server = Server([ok(1), httpx.ConnectError(""), ok(2)])

    async def twice(client: RestClient) -> tuple[Any, Any]:
        return await client.get("x"), await client.get("x")

    assert run(server, twice) == (1, 2)


def test_a_broken_certificate_is_told_as_such() -> None:
    error = httpx.ConnectError("handshake")
    error.__cause__ = cause = ssl.SSLCertVerificationError(1, "refused")
    cause.verify_message = "self-signed certificate"
    with pytest.raises(LinkError, match="self-signed certificate") as caught:
        run(Server([error]), lambda c: c.get("x"))
    assert caught.value.code == "tls"


def test_a_server_that_stays_busy_is_asked_so_often_and_no_more() -> None:
    server = Server([busy(1)])
    assert code(server, lambda c: c.get("x"), tries=4) == "rate_limited"
    assert len(server.asked) == 4


def test_a_longer_wait_than_patience_is_told_instead() -> None:
    server = Server([busy(90)])
    assert code(server, lambda c: c.get("x"), patience=60) == "rate_limited"
    assert (len(server.asked), server.now) == (1, 0.0)


def test_a_token_that_ended_is_renewed_once_for_all_who_were_turned_away() -> None:
    tokens = AccessTokens("T", "old", TokenRenewal("again", "me", "hush"))
    server = Server([httpx.Response(401), ok({"access_token": "new", "refresh_token": "next"}), ok(7)])
    assert run(server, lambda c: c.get("x"), tokens) == 7
    assert [r.headers["Authorization"].split()[0] for r in server.asked] == ["Bearer", "Basic", "Bearer"]
    assert server.asked[1].url.path == "/oauth/token"
    assert b"refresh_token=again" in server.asked[1].content
    assert server.asked[2].headers["Authorization"] == "Bearer new"
    assert tokens.renewal == TokenRenewal("next", "me", "hush")


@pytest.mark.parametrize(
    "answer", [httpx.Response(400), ok([]), ok({"access_token": 3}), httpx.Response(200)]
)
def test_a_renewal_without_a_token_is_told_by_the_name_of_what_renews(answer: httpx.Response) -> None:
    tokens = AccessTokens("T", "", TokenRenewal("again", "me", "hush"))
    with pytest.raises(LinkError, match="T_REFRESH"):
        run(Server([answer]), lambda c: c.get("x"), tokens)


def page(*items: object, following: object = None) -> httpx.Response:
    return ok({"items": items, "_links": {"next": {"href": following}} if following else None})


def test_all_pages_of_a_list_are_read_and_each_once() -> None:
    server = Server(
        [
            page({"id": 1}, "odd", following=f"{AT}/two"),
            page({"id": 2}, following=f"{AT}/two"),
            page({"id": 3}),
        ]
    )
    assert run(server, lambda c: c.items("/one", {"max": "1"})) == [{"id": 1}, {"id": 2}]
    assert [str(r.url) for r in server.asked] == [f"{AT}/one?max=1", f"{AT}/two"]


def test_a_list_without_items_is_no_list() -> None:
    assert code(Server([ok({"items": 3})]), lambda c: c.items("/one"), tries=1) == "bad_answer"


@pytest.mark.parametrize(
    ("answers", "times", "status", "may_be_done", "told"),
    [
        ([httpx.Response(202)], 1, 202, False, ""),
        ([busy(), ok({"ok": 1})], 2, 200, False, ""),
        ([busy(500)], 1, 429, False, "rate_limited"),
        ([httpx.Response(503), ok(1)], 1, 503, True, "server"),
        ([httpx.Response(422, json={"why": 1}), ok(1)], 1, 422, False, ""),
        ([httpx.Response(200, content=b"<html>")], 1, 200, True, "bad_answer"),
        ([httpx.ReadTimeout("")], 1, 0, True, "timeout"),
        ([httpx.ReadError("")], 1, 0, True, "lost"),
        ([httpx.ConnectError("")], 1, 0, False, "unreachable"),
    ],
)
def test_what_may_move_something_is_sent_again_only_where_it_was_not_taken(
    answers: list[Answer], times: int, status: int, may_be_done: bool, told: str
) -> None:
    server = Server(answers)
    posted = run(server, lambda c: c.post("/do", {"a": 1}))
    assert (len(server.asked), posted.status, posted.may_be_done) == (times, status, may_be_done)
    assert (posted.error.code if posted.error else "") == told
    assert all(request.method == "POST" and request.content == b'{"a":1}' for request in server.asked)


def test_a_device_that_wants_no_more_leaves_the_others_alone() -> None:
    gates = RateLimitGates()
    gates.close_until(f"{AT}/v1/devices/a/commands", 30.0)
    gates.close_until(f"{AT}/v1/devices/a/status", 20.0)
    assert [gates.opens_at(f"{AT}/v1/{path}") for path in ("devices/a", "devices/b", "rooms")] == [30, 0, 0]
    gates.close_until(f"{AT}/v1/rooms", 40.0)
    assert gates.opens_at(f"{AT}/v1/devices/a") == gates.opens_at(f"{AT}/v1/devices/b") == 40.0


def test_while_a_server_refuses_all_requests_wait_together() -> None:
    server = Storm([])
    rooms = run(server, lambda c: asyncio.gather(*(c.get(f"/rooms/{n}") for n in range(12))), at_once=2)
    assert rooms == [7] * 12
    assert 12 < len(server.asked) <= 12 + 2  # refused were those that were under way


def test_whoever_comes_before_a_server_opens_waits_for_it() -> None:
    gates, server = RateLimitGates(), Server([ok(7)])
    gates.close_until(f"{AT}/x", 5.0)
    assert (run(server, lambda c: c.get("x"), gates=gates), server.now) == (7, 5.0)


def test_what_is_to_be_sent_is_given_up_where_the_server_opens_too_late() -> None:
    gates, server = RateLimitGates(), Server([ok(7)])
    gates.close_until(f"{AT}/do", 500.0)
    posted = run(server, lambda c: c.post("do"), gates=gates, patience=60)
    assert (posted.error.code, posted.may_be_done, server.asked) == ("rate_limited", False, [])


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (200, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2500"}, 2.5),
        (200, {"X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "2500"}, 0),
        (429, {"X-RateLimit-Reset": "2500", "Retry-After": "1"}, 2.5),
        (429, {"X-RateLimit-Reset": "500", "Retry-After": "1"}, 1),
        (429, {"Retry-After": "86401"}, 0),
        (429, {"Retry-After": "86400"}, 86400),
        (429, {"X-RateLimit-Reset": "soon"}, 0),
        (429, {"X-RateLimit-Reset": "inf"}, 0),
        (429, {"X-RateLimit-Reset": "-4"}, 0),
    ],
)
def test_how_long_a_server_wants_to_be_left_alone(
    status: int, headers: dict[str, str], seconds: float
) -> None:
    assert seconds_to_wait(httpx.Response(status, headers=headers)) == seconds
