"""Opens what is behind a link: the platform of a server, its home and its actuator."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx

from winnow.adapters.platforms.home_assistant.actuator import HomeAssistantActuator
from winnow.adapters.platforms.home_assistant.live_home import HomeAssistantHome, StateMirror
from winnow.adapters.platforms.home_import import load_home_documents
from winnow.adapters.platforms.live.rest_client import (
    SMARTTHINGS_DOMAIN,
    AccessTokens,
    RateLimitGates,
    TokenRenewal,
    new_client,
    translate_http_errors,
)
from winnow.adapters.platforms.live.server import link_error, parse_address
from winnow.adapters.platforms.smartthings.actuator import SmartThingsActuator
from winnow.adapters.platforms.smartthings.live_home import SmartThingsHome
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.state import ImportedHome, Link, Platform, Snapshot

PROBE_SECONDS = 10.0
"""To find out what answers at an address."""


def open_home(link: Link, secrets: Mapping[str, str], clock: Clock) -> LiveHome:
    """The home behind the link; ``secrets`` by their names. Nothing is sent yet. Raises LinkError."""
    at, name = parse_address(link.url), link.token_env
    token = secrets.get(name, "")
    # What does not fit into a header would be quoted by whoever complains about it.
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise link_error("bad_token", name=name)
    if link.platform == "homeassistant":
        if not token:
            raise link_error("no_token", name=name)
        return HomeAssistantHome(at, token, name, StateMirror(clock))
    parts = [secrets.get(f"{name}{end}", "") for end in ("_REFRESH", "_CLIENT_ID", "_CLIENT_SECRET")]
    renewal = TokenRenewal(*parts) if all(parts) else None
    if not token and renewal is None:
        raise link_error("no_token", name=name)
    tokens, gates = _shared_tokens(link.url, name, token, renewal)
    return SmartThingsHome(at, tokens, _imported_states, gates=gates)


@cache
def _shared_tokens(
    url: str, name: str, token: str, renewal: TokenRenewal | None
) -> tuple[AccessTokens, RateLimitGates]:
    """What all of this process have in common that speak to a server with a token.

    A refresh token is good once, and the server counts their requests together.
    """
    return AccessTokens(name, token, renewal), RateLimitGates()


def open_actuator(link: Link, secrets: Mapping[str, str], clock: Clock) -> Actuator | None:
    """What acts on the home behind the link; None where nothing can. Raises LinkError."""
    match open_home(link, secrets, clock):
        case HomeAssistantHome() as home:
            return HomeAssistantActuator(home, clock)
        case SmartThingsHome() as home:
            return SmartThingsActuator(home, clock)
    return None


def import_linked_home(
    link: Link, documents: Mapping[str, object], home_id: str = "", language: str = "zh"
) -> ImportedHome:
    """The home in the documents, called as its server calls it. Raises HomeImportError."""
    called = _home_name(documents) or parse_address(link.url).server
    told = {key: value for key, value in documents.items() if key != "config"}
    slug = re.sub(r"\W+", "-", called.lower()).strip("-") or "home"  # My Home -> my-home
    return load_home_documents(told, called, home_id or slug, language)


async def platform_at(url: str) -> Platform:
    """What answers at the address; no token is sent to find out. Raises LinkError."""
    at = parse_address(url)
    if at.server.endswith(SMARTTHINGS_DOMAIN):
        return "smartthings"
    async with new_client(at, PROBE_SECONDS) as client:
        with translate_http_errors(at.server, PROBE_SECONDS):
            async with asyncio.timeout(PROBE_SECONDS):
                # What Home Assistant says to somebody without a token.
                answer = await client.get(f"{at.url}/api/")
                unknown = answer.status_code == httpx.codes.UNAUTHORIZED and answer.text.startswith("401")
                if unknown or (answer.is_success and "API running" in answer.text):
                    return "homeassistant"
                # Somebody without a token is turned away as an API does it, or gets a list.
                answer = await client.get(f"{at.url}/locations")
                is_refused = answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)
                if is_refused or (answer.is_success and '"items"' in answer.text):
                    return "smartthings"
    raise link_error("no_home", server=at.server)


def _home_name(documents: Mapping[str, object]) -> str:
    """What the server calls the home: Home Assistant in its configuration, SmartThings by its location."""
    about: Any = documents.get("config")
    if isinstance(about, dict):
        return str(about.get("location_name") or "")
    listed: Any = documents.get("locations")
    items = listed.get("items") if isinstance(listed, dict) else None
    return str(items[0].get("name") or "") if items else ""


def _imported_states(documents: Mapping[str, object]) -> Snapshot:
    """What the importer reads of states; devices that say nothing of what they are have none."""
    return load_home_documents(documents, "home").states
