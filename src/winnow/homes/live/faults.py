"""What can go wrong between us and the server of a home, and what helps."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.errors import LinkError, LinkFault, Phrase
from winnow.text.encode import encode

INSTALL = "pip install 'winnow-context[live]'"
TEXTS: Mapping[LinkFault, tuple[str, str]] = {
    "no_library": (
        "Home Assistant is read with the library websockets, which cannot be imported ({why}).",
        f"Install it: {INSTALL}",
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
LONGEST = 160
"""Characters quoted of what a server says."""


def fault(code: LinkFault, *, retry_after: float = 0.0, **facts: object) -> LinkError:
    """The error of that kind. What a server said is quoted, cut and made harmless."""
    # What came from outside becomes one short line; our own words stay as they are.
    told = {
        name: value if isinstance(value, Phrase) else encode(str(value), LONGEST)
        for name, value in facts.items()
    }
    message, hint = TEXTS[code]
    return LinkError(code, Phrase(message, **told), hint=Phrase(hint, **told), retry_after=retry_after)
