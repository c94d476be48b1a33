"""What a server's headers say of how long it wants to be left alone."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

RETRY_AFTER = "Retry-After"
REMAINING, RESET = "X-RateLimit-Remaining", "X-RateLimit-Reset"
"""Requests that may still be made, and milliseconds until there are more again."""
LONGEST = 86_400.0
"""Seconds above which a pause is no pause, but a moment told in another manner."""


_OF_DEVICE = re.compile(r"/devices/([^/?#]+)")


@dataclass
class Gates:
    """From when a server takes requests again, for all who ask it with one token; by one clock.

    SmartThings counts what is asked and told of one device by itself (12 requests a minute), everything else
    together: a device that wants no more leaves the others alone.
    """

    _opens: dict[str, float] = field(default_factory=dict)

    def opens(self, url: str) -> float:
        """When the next request to that address may be made; 0 for at any time."""
        return max(self._opens.get("", 0.0), self._opens.get(_whose(url), 0.0))

    def close(self, url: str, until: float) -> None:
        """The server takes no more of such requests ``until`` then."""
        self._opens[_whose(url)] = max(self._opens.get(_whose(url), 0.0), until)


def _whose(url: str) -> str:
    """The device that an address is about; empty for all else."""
    match = _OF_DEVICE.search(url)
    return match[1] if match else ""


def seconds_asked(response: httpx.Response) -> float:
    """Seconds until the next request; 0 when the server asks for no pause, or what it says makes no sense."""
    told = _after(response.headers.get(RETRY_AFTER, ""))
    spent = response.headers.get(REMAINING, "").strip() == "0"
    if spent or response.status_code == httpx.codes.TOO_MANY_REQUESTS:
        told = max(told, _number(response.headers.get(RESET, "")) / 1000)
    return told if told <= LONGEST else 0.0


def _after(header: str) -> float:
    """``Retry-After`` holds seconds or a date."""
    if not header or header.strip().isdecimal():
        return _number(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return max(0.0, number) if math.isfinite(number) else 0.0
