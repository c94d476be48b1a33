"""Where a server is, told by the address a person gives."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from winnow.homes.live.faults import fault

_SCHEMES = {"http": "ws", "https": "wss"}
_PAGES = ("/api/websocket", "/api", "/lovelace", "/config", "/profile")
"""What people copy along with the address."""


@dataclass(frozen=True)
class Address:
    """A server by scheme, host and port, and a path where it stands below one."""

    scheme: str
    server: str
    """Host and port, as messages name it."""
    path: str = ""

    @property
    def url(self) -> str:
        """What requests begin with, without a slash at its end."""
        return f"{self.scheme}://{self.server}{self.path}"

    @property
    def socket(self) -> str:
        """Where Home Assistant's WebSocket API is."""
        return f"{_SCHEMES[self.scheme]}://{self.server}{self.path}/api/websocket"

    @property
    def is_near(self) -> bool:
        """Whether it is this machine, or one of the same network by its address or name."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ip_address(host).is_private
        except ValueError:
            return host == "localhost" or host.endswith((".local", ".lan", ".home.arpa"))

    @cached_property
    def tls(self) -> ssl.SSLContext | None:
        """What certificates are checked with, made once; None: they are not, for there are none."""
        return ssl.create_default_context() if self.scheme == "https" else None


def address(text: str) -> Address:
    """The address a person gave. Raises LinkError."""
    given = text.strip()
    try:
        parts = urlsplit(given)
        _ = parts.port  # checked only when it is asked for
    except ValueError as error:
        raise fault("bad_url", url=given.partition("@")[2] or given, why=error) from None
    if parts.scheme not in _SCHEMES:
        raise fault("bad_url", url=_without_secrets(parts), why="it begins with neither http:// nor https://")
    if not parts.hostname:
        raise fault("bad_url", url=text, why="it names no host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        why = "a user, password, query or fragment does not belong into it"
        raise fault("bad_url", url=_without_secrets(parts), why=why)
    path = parts.path.rstrip("/")
    base = next((path.removesuffix(page) for page in _PAGES if path.endswith(page)), path)
    return Address(parts.scheme, parts.netloc, base)


def _without_secrets(parts: SplitResult) -> str:
    """The address as it may be shown: a token may stand where none belongs."""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
