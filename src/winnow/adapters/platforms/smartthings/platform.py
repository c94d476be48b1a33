"""SmartThings' row: exports of the public API's answers, a live home over REST."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from winnow.adapters.platforms.bundle import ExportBundle, ImportOptions
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.adapters.platforms.platform import Documents, Platform, Server
from winnow.adapters.platforms.smartthings.export import is_smartthings
from winnow.adapters.platforms.smartthings.importer import load_smartthings
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.state import Link, Snapshot

if TYPE_CHECKING:
    import httpx

    from winnow.adapters.platforms.live.rest_client import AccessTokens, RateLimitGates, TokenRenewal
    from winnow.adapters.platforms.live.server import ServerAddress


async def _is_at(client: httpx.AsyncClient, address: ServerAddress) -> bool:
    """By how somebody without a token is turned away, or by the list such a one gets."""
    answer = await client.get(f"{address.url}/locations")
    return answer.status_code in (401, 403) or (answer.is_success and '"items"' in answer.text)


def _connect(link: Link, secrets: Mapping[str, str], clock: Clock) -> LiveHome:
    from winnow.adapters.platforms.live.rest_client import TokenRenewal
    from winnow.adapters.platforms.live.server import link_error, parse_address, token_in
    from winnow.adapters.platforms.smartthings.live_home import SmartThingsHome

    address, name = parse_address(link.url), link.token_env
    token = token_in(secrets, name)
    parts = [secrets.get(f"{name}{end}", "") for end in ("_REFRESH", "_CLIENT_ID", "_CLIENT_SECRET")]
    renewal = TokenRenewal(*parts) if all(parts) else None
    if not token and renewal is None:
        raise link_error("no_token", name=name)
    tokens, gates = _shared_tokens(link.url, name, token, renewal)
    return SmartThingsHome(address, tokens, _imported_states, gates=gates)


@cache
def _shared_tokens(
    url: str, name: str, token: str, renewal: TokenRenewal | None
) -> tuple[AccessTokens, RateLimitGates]:
    """What all of this process have in common that speak to a server with a token.

    A refresh token is good once, and the server counts their requests together.
    """
    from winnow.adapters.platforms.live.rest_client import AccessTokens, RateLimitGates

    return AccessTokens(name, token, renewal), RateLimitGates()


def _imported_states(documents: Documents) -> Snapshot:
    """What the importer reads of states; devices that say nothing of what they are have none."""
    bundle = ExportBundle.of_answers(documents, "home")
    return SMARTTHINGS.home_in(bundle, ImportProblems(), ImportOptions()).states


def _actuator(home: Any, clock: Clock) -> Actuator:
    from winnow.adapters.platforms.smartthings.live_home import SmartThingsActuator

    return SmartThingsActuator(home, clock)


def _home_name(documents: Documents) -> str:
    """Its first location is called so."""
    locations = documents.get("locations")
    items = locations.get("items") if isinstance(locations, dict) else None
    return str(items[0].get("name") or "") if items else ""


SERVER = Server("smartthings.com", _is_at, _connect, _actuator, _home_name)
SMARTTHINGS = Platform("smartthings", is_smartthings, load_smartthings, SERVER)
