"""The server behind a link: what it is, how it is spoken to, and the home that it tells of."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx

from winnow.adapters.platforms.home_assistant.actuator import HomeAssistantActuator
from winnow.adapters.platforms.home_assistant.live_home import HomeAssistantLink, Mirror
from winnow.adapters.platforms.home_import import load_documents
from winnow.adapters.platforms.live.rest_client import (
    SMARTTHINGS,
    Gates,
    Renewal,
    Tokens,
    new_client,
    translated,
)
from winnow.adapters.platforms.live.server import address, fault
from winnow.adapters.platforms.smartthings.actuator import SmartThingsActuator
from winnow.adapters.platforms.smartthings.live_home import SmartThingsLink
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.state import Imported, Link, Platform, Snapshot

SECONDS = 10.0
"""To find out what answers at an address."""


def opened_home(link: Link, secrets: Mapping[str, str], clock: Clock) -> LiveHome:
    """The home behind the link; ``secrets`` by their names. Nothing is sent yet. Raises LinkError."""
    at, name = address(link.url), link.token_env
    token = secrets.get(name, "")
    # What does not fit into a header would be quoted by whoever complains about it.
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise fault("bad_token", name=name)
    if link.platform == "homeassistant":
        if not token:
            raise fault("no_token", name=name)
        return HomeAssistantLink(at, token, name, Mirror(clock))
    parts = [secrets.get(f"{name}{end}", "") for end in ("_REFRESH", "_CLIENT_ID", "_CLIENT_SECRET")]
    renewal = Renewal(*parts) if all(parts) else None
    if not token and renewal is None:
        raise fault("no_token", name=name)
    tokens, gates = _shared(link.url, name, token, renewal)
    return SmartThingsLink(at, tokens, _reported, gates=gates)


@cache
def _shared(url: str, name: str, token: str, renewal: Renewal | None) -> tuple[Tokens, Gates]:
    """What all of this process have in common that speak to a server with a token.

    A refresh token is good once, and the server counts their requests together.
    """
    return Tokens(name, token, renewal), Gates()


def opened_hands(link: Link, secrets: Mapping[str, str], clock: Clock) -> Actuator | None:
    """What acts on the home behind the link; None where nothing can. Raises LinkError."""
    match opened_home(link, secrets, clock):
        case HomeAssistantLink() as home:
            return HomeAssistantActuator(home, clock)
        case SmartThingsLink() as home:
            return SmartThingsActuator(home, clock)
    return None


def imported_home(
    link: Link, documents: Mapping[str, object], home_id: str = "", language: str = "zh"
) -> Imported:
    """The home in the documents, called as its server calls it. Raises HomeImportError."""
    called = _called(documents) or address(link.url).server
    told = {key: value for key, value in documents.items() if key != "config"}
    slug = re.sub(r"\W+", "-", called.lower()).strip("-") or "home"  # My Home -> my-home
    return load_documents(told, called, home_id or slug, language)


async def platform_at(url: str) -> Platform:
    """What answers at the address; no token is sent to find out. Raises LinkError."""
    at = address(url)
    if at.server.endswith(SMARTTHINGS):
        return "smartthings"
    async with new_client(at, SECONDS) as client:
        with translated(at.server, SECONDS):
            async with asyncio.timeout(SECONDS):
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
    raise fault("no_home", server=at.server)


def _called(documents: Mapping[str, object]) -> str:
    """What the server calls the home: Home Assistant in its configuration, SmartThings by its location."""
    about: Any = documents.get("config")
    if isinstance(about, dict):
        return str(about.get("location_name") or "")
    listed: Any = documents.get("locations")
    items = listed.get("items") if isinstance(listed, dict) else None
    return str(items[0].get("name") or "") if items else ""


def _reported(documents: Mapping[str, object]) -> Snapshot:
    """What the importer reads of states; devices that say nothing of what they are have none."""
    return load_documents(documents, "home").states
