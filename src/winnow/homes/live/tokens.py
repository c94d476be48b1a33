"""The token that requests carry, and how an expired one is renewed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import httpx

from winnow.homes.live.address import Address, address
from winnow.homes.live.faults import fault

SMARTTHINGS = "smartthings.com"
AUTHORITY = "https://auth-global.api.smartthings.com"
"""Where tokens of the public API are renewed; another server renews its own."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """What OAuth gives a client to renew its tokens with."""

    token: str = field(repr=False)
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(slots=True)
class Tokens:
    """The token in use. A renewed one is kept in memory only, and so is the next renewal's."""

    name: str
    """Of the environment variable it came from."""
    value: str = field(repr=False)
    renewal: Renewal | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def renewed(self, client: httpx.AsyncClient, server: Address, used: str) -> bool:
        """Whether there is another token than the one ``used``, which was not accepted. Raises LinkError."""
        if self.renewal is None:
            return False
        async with self.lock:  # one renewal for all who were turned away with the same token
            if self.value == used:
                renewal = self.renewal
                at = address(AUTHORITY) if server.server.endswith(SMARTTHINGS) else server
                form = {
                    "grant_type": "refresh_token",
                    "client_id": renewal.client_id,
                    "refresh_token": renewal.token,
                }
                credentials = httpx.BasicAuth(renewal.client_id, renewal.client_secret)
                response = await client.post(f"{at.url}/oauth/token", data=form, auth=credentials)
                told = _told(response)
                if not told.get("access_token"):
                    raise fault("unauthorised", server=at.server, name=f"{self.name}_REFRESH")
                self.value = told["access_token"]
                next_one = told.get("refresh_token") or renewal.token
                self.renewal = Renewal(next_one, renewal.client_id, renewal.client_secret)
        return True


def _told(response: httpx.Response) -> dict[str, str]:
    """The tokens in the answer; empty when it holds none."""
    try:
        answer = response.json() if response.status_code == httpx.codes.OK else {}
    except ValueError:
        return {}
    answer = answer if isinstance(answer, dict) else {}
    return {name: value for name, value in answer.items() if isinstance(value, str)}
