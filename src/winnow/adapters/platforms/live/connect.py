"""Opens what is behind a link: the platform of a server, its home and its actuator."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

from winnow.adapters.platforms.live.rest_client import new_client, translate_http_errors
from winnow.adapters.platforms.live.server import link_error, parse_address
from winnow.adapters.platforms.platform import Documents
from winnow.adapters.platforms.registry import load_home_documents, servers
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.state import ImportedHome, Link

PROBE_SECONDS = 10.0
"""To find out what answers at an address."""


def open_home(link: Link, secrets: Mapping[str, str], clock: Clock) -> LiveHome:
    """The home behind the link; ``secrets`` by their names. Nothing is sent yet. Raises LinkError."""
    return servers()[link.platform].connect(link, secrets, clock)


def open_actuator(link: Link, secrets: Mapping[str, str], clock: Clock) -> Actuator:
    """What acts on the home behind the link. Raises LinkError."""
    return servers()[link.platform].actuator(open_home(link, secrets, clock), clock)


def import_linked_home(
    link: Link, documents: Documents, home_id: str = "", language: str = "zh"
) -> ImportedHome:
    """The home in the documents, called as its server calls it. Raises HomeImportError."""
    name = servers()[link.platform].home_name(documents) or parse_address(link.url).server
    parts = {key: value for key, value in documents.items() if key != "config"}
    slug = re.sub(r"\W+", "-", name.lower()).strip("-") or "home"  # My Home -> my-home
    return load_home_documents(parts, name, home_id or slug, language)


async def platform_at(url: str) -> str:
    """What answers at the address; no token is sent to find out. Raises LinkError."""
    address, known = parse_address(url), servers()
    for name, server in known.items():
        if server.domain and address.server.endswith(server.domain):
            return name
    async with new_client(address, PROBE_SECONDS) as client:
        with translate_http_errors(address.server, PROBE_SECONDS):
            async with asyncio.timeout(PROBE_SECONDS):
                # The last row is asked first: Home Assistant is what stands at most addresses of one's own.
                for name, server in reversed(known.items()):
                    if await server.is_at(client, address):
                        return name
    raise link_error("no_home", server=address.server)
