"""The small parts of a link: addresses, pauses, limits, texts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.live.connect import open_home
from winnow.adapters.platforms.live.rest_client import seconds_to_wait
from winnow.adapters.platforms.live.server import LINK_ERROR_TEXTS, link_error, parse_address
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import LinkError
from winnow.language.messages import translate_text, translations
from winnow.types.state import Link


@pytest.mark.parametrize(
    ("given", "url", "socket"),
    [
        ("http://ha.local:8123", "http://ha.local:8123", "ws://ha.local:8123/api/websocket"),
        (" https://ha.example/ ", "https://ha.example", "wss://ha.example/api/websocket"),
        ("http://10.0.0.2:8123/lovelace", "http://10.0.0.2:8123", "ws://10.0.0.2:8123/api/websocket"),
        ("http://ha:8123/api/", "http://ha:8123", "ws://ha:8123/api/websocket"),
        ("https://x.example/ha/api/websocket", "https://x.example/ha", "wss://x.example/ha/api/websocket"),
    ],
)
def test_an_address_is_taken_as_people_copy_it(given: str, url: str, socket: str) -> None:
    assert (parse_address(given).url, parse_address(given).socket) == (url, socket)


@pytest.mark.parametrize(
    "given",
    [
        "ha.local",
        "ws://ha.local",
        "http://",
        "http://user:secret@ha.local",
        "user:secret@ha.local",
        "http://ha.local/?token=secret",
        "http://ha:99999999",
        "http://[secret",
    ],
)
def test_what_is_no_address_is_told_without_its_secrets(given: str) -> None:
    with pytest.raises(LinkError) as caught:
        parse_address(given)
    assert caught.value.code == "bad_url"
    assert "secret@" not in str(caught.value)
    assert "token=secret" not in str(caught.value)


def test_an_address_without_its_scheme_is_told_as_it_was_given() -> None:
    with pytest.raises(LinkError, match=r"^ha\.local:8123 is no address"):
        parse_address("ha.local:8123")


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("http://127.0.0.1", True),
        ("http://192.168.1.4:8123", True),
        ("http://ha.local", True),
        ("http://localhost", True),
        ("https://8.8.8.8", False),
        ("https://ha.example", False),
    ],
)
def test_a_server_near_by_needs_no_proxy(given: str, near: bool) -> None:
    assert parse_address(given).is_near == near


def test_pauses_double_up_to_the_longest_and_begin_anew() -> None:
    pauses = Backoff(1.0, 5.0, chance=lambda: 1.0)
    assert [pauses.next_pause() for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, 5.0]
    assert pauses.next_pause(asked=60.0) == 60.0
    pauses.reset()
    assert pauses.next_pause() == 1.0
    assert Backoff(1.0, 5.0, chance=lambda: 0.0).next_pause() == 0.5


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {"Retry-After": "7"}, 7.0),
        (429, {"X-RateLimit-Reset": "1500"}, 1.5),
        (429, {"Retry-After": "1", "X-RateLimit-Reset": "40585"}, 40.585),
        (200, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2000"}, 2.0),
        (200, {"X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "2000"}, 0.0),
        (503, {"Retry-After": "soon"}, 0.0),
        (429, {"X-RateLimit-Reset": "1795000000000"}, 0.0),
        (429, {"Retry-After": "-5"}, 0.0),
        (429, {"X-RateLimit-Reset": "nan"}, 0.0),
        (429, {}, 0.0),
    ],
)
def test_headers_say_how_long_to_wait(status: int, headers: dict[str, str], seconds: float) -> None:
    assert seconds_to_wait(httpx.Response(status, headers=headers)) == seconds


def test_a_date_says_how_long_to_wait() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30))
    assert 25 < seconds_to_wait(httpx.Response(503, headers={"Retry-After": later})) <= 30


def test_every_fault_is_known_in_chinese() -> None:
    assert {text for texts in LINK_ERROR_TEXTS.values() for text in texts} <= translations().keys()


def test_a_fault_is_told_in_both_languages_and_says_whether_it_may_pass() -> None:
    error = link_error("unreachable", server="ha.local", why="it names no host")
    assert str(error) == "ha.local cannot be reached: it names no host."
    assert translate_text(error.message, "zh") == "无法连接 ha.local：没有主机名。"
    assert error.retryable
    assert not link_error("unauthorised", server="s", name="T").retryable


@pytest.mark.parametrize(
    ("platform", "secrets", "code"),
    [
        ("homeassistant", {}, "no_token"),
        ("smartthings", {}, "no_token"),
        ("smartthings", {"T_REFRESH": "r", "T_CLIENT_ID": "c"}, "no_token"),
        ("homeassistant", {"T": "two words"}, "bad_token"),
        ("smartthings", {"T": "line\nbreak"}, "bad_token"),
        ("smartthings", {"T": "令牌"}, "bad_token"),
    ],
)
def test_without_a_token_nothing_is_opened(platform: str, secrets: dict[str, str], code: str) -> None:
    with pytest.raises(LinkError) as caught:
        open_home(Link("http://ha.local", platform, "T"), secrets, FrozenClock())
    assert caught.value.code == code
    assert not any(value in str(caught.value) for value in secrets.values() if len(value) > 2)


def test_a_token_is_in_no_representation() -> None:
    for platform in ("homeassistant", "smartthings"):
        home = open_home(Link("http://ha.local", platform, "T"), {"T": "very-secret"}, FrozenClock())
        assert "very-secret" not in repr(home)
