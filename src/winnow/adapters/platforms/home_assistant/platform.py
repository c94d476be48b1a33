"""Home Assistant's row: exports of ``.storage`` and the APIs, a live home over the WebSocket API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from winnow.adapters.platforms.home_assistant.export import is_home_assistant
from winnow.adapters.platforms.home_assistant.importer import load_home_assistant
from winnow.adapters.platforms.platform import Documents, Platform, Server
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.state import Link

if TYPE_CHECKING:
    import httpx

    from winnow.adapters.platforms.live.server import ServerAddress


async def _is_at(client: httpx.AsyncClient, address: ServerAddress) -> bool:
    """By what it says to somebody without a token."""
    answer = await client.get(f"{address.url}/api/")
    is_refusal = answer.status_code == 401 and answer.text.startswith("401")
    return is_refusal or (answer.is_success and "API running" in answer.text)


def _connect(link: Link, secrets: Mapping[str, str], clock: Clock) -> LiveHome:
    from winnow.adapters.platforms.home_assistant.live_home import HomeAssistantHome, StateMirror
    from winnow.adapters.platforms.live.server import link_error, parse_address, token_in

    address, token = parse_address(link.url), token_in(secrets, link.token_env)
    if not token:
        raise link_error("no_token", name=link.token_env)
    return HomeAssistantHome(address, token, link.token_env, StateMirror(clock))


def _actuator(home: Any, clock: Clock) -> Actuator:
    from winnow.adapters.platforms.home_assistant.live_home import HomeAssistantActuator

    return HomeAssistantActuator(home, clock)


def _home_name(documents: Documents) -> str:
    """Its configuration says."""
    config = documents.get("config")
    return str(config.get("location_name") or "") if isinstance(config, dict) else ""


HOME_ASSISTANT = Platform(
    "homeassistant",
    is_home_assistant,
    load_home_assistant,
    Server("", _is_at, _connect, _actuator, _home_name),
)
