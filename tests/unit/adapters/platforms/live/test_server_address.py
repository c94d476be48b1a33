"""Addresses of servers as people give them."""

from __future__ import annotations

import pytest

from winnow.adapters.platforms.live.server import ServerAddress, parse_address
from winnow.errors import LinkError

TOO_MUCH = "a user, password, query or fragment does not belong into it."


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://ha.local:8123", ServerAddress("http", "ha.local:8123", "")),
        ("http://ha.local:8123/", ServerAddress("http", "ha.local:8123", "")),
        (" https://ha.local/lovelace", ServerAddress("https", "ha.local", "")),
        ("http://ha.local/api/", ServerAddress("http", "ha.local", "")),
        ("http://ha.local/house/", ServerAddress("http", "ha.local", "/house")),
    ],
)
def test_an_address_is_taken_without_the_page_it_was_copied_from(text: str, address: ServerAddress) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("http://", "http:// is no address of a server: it names no host."),
        ("ftp://x", "ftp://x is no address of a server: it begins with neither http:// nor https://."),
        (
            "http://u:secret@ha.local",
            f"http://ha.local is no address of a server: {TOO_MUCH}",
        ),
        (
            "http://ha.local?token=secret",
            f"http://ha.local is no address of a server: {TOO_MUCH}",
        ),
        (
            "http://ha.local:99999",
            "http://ha.local:99999 is no address of a server: Port out of range 0-65535.",
        ),
        (
            "ha.local:8123",
            "ha.local:8123 is no address of a server: it begins with neither http:// nor https://.",
        ),
    ],
)
def test_what_is_no_address_is_told_with_the_reason_and_without_secrets(text: str, why: str) -> None:
    with pytest.raises(LinkError) as raised:
        parse_address(text)
    assert str(raised.value) == why
