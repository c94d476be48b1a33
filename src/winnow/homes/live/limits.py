"""What a server's headers say of how long it wants to be left alone."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

RETRY_AFTER = "Retry-After"
REMAINING, RESET = "X-RateLimit-Remaining", "X-RateLimit-Reset"
"""Requests that may still be made, and milliseconds until there are more again."""
LONGEST = 86_400.0
"""Seconds above which a pause is no pause, but a moment told in another manner."""


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
