"""What ``serve`` and ``show`` pass on to the server, what they print, and what they refuse."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn

from winnow.app.server import serve as server
from winnow.app.server.limits import ServerSettings
from winnow.app.server.serve import Listening
from winnow.errors import AccessError

Run = Callable[..., Any]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """Where servers would have listened, and with which settings."""
    calls: list[tuple[Any, Any]] = []

    def run(where: Listening, served: Any, tell: Callable[[str], None]) -> None:
        calls.append((where, served))
        tell("http://127.0.0.1:1")

    monkeypatch.setattr(server, "run", run)
    monkeypatch.setattr(webbrowser, "open", lambda url: calls.append(("opened", url)))
    return calls


def test_serve_takes_its_options_in_their_units(winnow: Run, started: list[tuple[Any, Any]]) -> None:
    ran = winnow("serve", "--port", "0", "--body", "2", "--rate", "7", "--seconds", "3", "--grace", "4")
    ((where, served),) = started
    assert where == Listening("127.0.0.1", 0)
    assert (served.rate, served.body, served.seconds, served.grace, served.workers) == (7, 2_000_000, 3, 4, 1)
    assert (ran.code, ran.out) == (0, "")
    assert "http://127.0.0.1:1" in ran.err


def test_serve_tells_whether_anybody_needs_a_key(winnow: Run, started: list[tuple[Any, Any]]) -> None:
    without = winnow("serve").err
    winnow("keys", "add", "panel")
    assert winnow("serve").err != without


@pytest.mark.parametrize("beside", [("--live",), ("--workers", "2")])
def test_a_simulated_server_has_one_worker_and_no_real_home(
    winnow: Run, started: list[tuple[Any, Any]], beside: tuple[str, ...]
) -> None:
    assert winnow("serve", "--simulate", *beside).code == 2
    assert started == []
    assert winnow("serve", "--simulate").code == winnow("serve", *beside).code == 0
    assert [where.copy for where, _ in started] == [
        True,
        False,
    ]


def test_show_opens_an_example_where_there_is_no_home_and_acts_on_a_copy(
    winnow: Run, started: list[tuple[Any, Any]]
) -> None:
    ran = winnow("show", "--port", "0")
    assert started == [
        (Listening(port=0, copy=True, source="example:cottage"), None),
        ("opened", "http://127.0.0.1:1/"),
    ]
    assert "example:cottage" in ran.err


def test_show_takes_the_stored_homes_where_there_are_some(flat: Run, started: list[tuple[Any, Any]]) -> None:
    ran = flat("show", "--live", "--no-browser")
    assert started == [(Listening(live=True), None)]
    assert ran.err.count("\n") == 1


def test_a_home_of_a_file_is_no_live_one_and_has_to_be_right(
    winnow: Run, started: list[tuple[Any, Any]]
) -> None:
    assert winnow("show", "example:cottage", "--live").code == 2
    assert winnow("show", "example:nowhere").code == 2
    assert started == []


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("192.168.1.2", False),
        ("example.com", False),
    ],
)
def test_which_addresses_only_this_machine_reaches(host: str, local: bool) -> None:
    assert Listening(host).is_local is local


def test_other_machines_are_not_answered_before_there_is_a_key() -> None:
    with pytest.raises(AccessError, match="Without a key"):
        server.run(Listening("0.0.0.0", 0), None, lambda url: pytest.fail(url))


def test_the_server_tells_where_it_listens_and_ends_as_set(monkeypatch: pytest.MonkeyPatch) -> None:
    sockets: list[socket.socket] = []
    urls: list[str] = []

    def serve(self: uvicorn.Server, sockets_: list[socket.socket]) -> None:
        sockets.extend(sockets_)
        assert self.config.timeout_graceful_shutdown == 9
        assert not self.config.access_log

    monkeypatch.setattr(uvicorn.Server, "run", serve)
    server.run(Listening(port=0), ServerSettings(grace=9), urls.append)
    (one,) = sockets
    assert urls == [f"http://127.0.0.1:{one.getsockname()[1]}"]
    assert one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    one.close()
