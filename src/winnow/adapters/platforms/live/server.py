"""The address of a server, back-off between tries, and the errors of a link with hints."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import SplitResult, urlsplit, urlunsplit

from winnow.adapters.http import is_near
from winnow.errors import LinkError, LinkFault, Phrase, install_command
from winnow.language.encode import encode_text

LINK_ERROR_TEXTS: Mapping[LinkFault, tuple[str, str]] = {
    "no_library": (
        "Home Assistant is read with the library websockets, which cannot be imported ({why}).",
        f"In the folder of Winnow's clone: {install_command('live')}",
    ),
    "no_token": (
        "The environment variable {name} holds no token.",
        "Make one (docs/live-homes.md says where) and set it: export {name}=...",
    ),
    "bad_token": (
        "What the environment variable {name} holds is no token.",
        "A token is one word of letters, digits and marks; check that all of it was copied and nothing else.",
    ),
    "bad_url": (
        "{url} is no address of a server: {why}.",
        "Give it as the browser shows it, such as http://homeassistant.local:8123",
    ),
    "no_home": (
        "Neither Home Assistant nor SmartThings answers at {server}.",
        "Check the address, or say what it is: --platform homeassistant or --platform smartthings.",
    ),
    "no_link": (
        "The home {home} was not imported from a server.",
        "Import it from one: winnow home import --url http://... --token-env NAME --id {home}",
    ),
    "tls": (
        "There is no secure connection to {server}: {why}.",
        "Use the name its certificate was made for; SSL_CERT_FILE names an authority of your own.",
    ),
    "unauthorised": (
        "{server} does not accept the token of {name}.",
        "Check that the token is whole, has not expired, and is of this server.",
    ),
    "refused": (
        "{server} refuses {what}: {why}.",
        "Check what the token is allowed to read; a token of an administrator may read all.",
    ),
    "bad_answer": (
        "{server} sent an answer that cannot be used: {why}.",
        "Check that the address is that of the API itself and not of something before it.",
    ),
    "unreachable": (
        "{server} cannot be reached: {why}.",
        "Check the address, that the server runs, and that this machine is in its network.",
    ),
    "timeout": (
        "{server} did not answer within {seconds} seconds.",
        "Check that the server is well; try again.",
    ),
    "lost": ("The connection to {server} broke off ({why}).", "Try again."),
    "rate_limited": (
        "{server} takes no more requests for another {seconds} seconds.",
        "Try again then; other programs with the same token count too.",
    ),
    "server": ("{server} has trouble of its own ({why}).", "Try again later."),
}
"""Kind of fault -> what is said of it, and what helps."""
MAX_QUOTED_CHARS = 160
"""Characters quoted of what a server says."""


def link_error(code: LinkFault, *, retry_after: float = 0.0, **facts: object) -> LinkError:
    """The error of that kind. What a server said is quoted, cut and made harmless."""
    # What came from outside becomes one short line; our own words stay as they are.
    told = {
        name: value if isinstance(value, Phrase) else encode_text(str(value), MAX_QUOTED_CHARS)
        for name, value in facts.items()
    }
    message, hint = LINK_ERROR_TEXTS[code]
    return LinkError(code, Phrase(message, **told), hint=Phrase(hint, **told), retry_after=retry_after)


def token_in(secrets: Mapping[str, str], name: str) -> str:
    """The token; empty where there is none. Raises LinkError."""
    token = secrets.get(name, "")
    # What does not fit into a header would be quoted by whoever complains about it.
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise link_error("bad_token", name=name)
    return token


# Where a server is, told by the address a person gives.

_SCHEMES = {"http": "ws", "https": "wss"}
_PAGE_PATHS = ("/api/websocket", "/api", "/lovelace", "/config", "/profile")
"""What people copy along with the address."""


@dataclass(frozen=True)
class ServerAddress:
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
        return is_near(urlsplit(self.url).hostname or "")

    @cached_property
    def tls(self) -> ssl.SSLContext | None:
        """What certificates are checked with, made once; None: they are not, for there are none."""
        return ssl.create_default_context() if self.scheme == "https" else None


def parse_address(text: str) -> ServerAddress:
    """The address a person gave. Raises LinkError."""
    given = text.strip()
    try:
        parts = urlsplit(given)
        _ = parts.port  # checked only when it is asked for
    except ValueError as error:
        raise link_error("bad_url", url=given.partition("@")[2] or given, why=error) from None
    if parts.scheme not in _SCHEMES:
        raise link_error(
            "bad_url", url=_url_without_secrets(parts), why="it begins with neither http:// nor https://"
        )
    if not parts.hostname:
        raise link_error("bad_url", url=text, why="it names no host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        why = "a user, password, query or fragment does not belong into it"
        raise link_error("bad_url", url=_url_without_secrets(parts), why=why)
    path = parts.path.rstrip("/")
    base = next((path.removesuffix(page) for page in _PAGE_PATHS if path.endswith(page)), path)
    return ServerAddress(parts.scheme, parts.netloc, base)


def _url_without_secrets(parts: SplitResult) -> str:
    """The address as it may be shown: a token may stand where none belongs."""
    host, path = (part.rpartition("@")[2] for part in (parts.netloc, parts.path))
    return urlunsplit((parts.scheme, host, path, "", ""))
