"""When a row was written: dates, texts and numbers of any epoch as the clock on the person's wall."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from winnow.errors import ConfigError, Phrase, Problem

_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (math.inf, 1e9))
"""A number below this counts so many to a second: seconds until the year 5138, then thousandths and so on."""
_NUMBER = re.compile(r"-?[0-9]{9,13}(\.[0-9]+)?|[0-9]{16}|[0-9]{19}")
_COMPACT = re.compile(r"[0-9]{14}")
LOCAL = "local"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clocks:
    """Where the persons' clocks hang, and where those of stored times without a zone do.

    Empty names: UTC for times that have a zone, and no change for those that have none. ``local``: the clock
    of this machine. Raises ConfigError.
    """

    def __init__(self, zone: str = "", stored: str = "") -> None:
        self.zone = None if zone == LOCAL else _zone(zone, "timezone") or UTC
        self.stored = _zone(stored, "stored_timezone")

    def moment(self, value: object) -> datetime | None:
        """The wall clock's time of a stored value; None where it is none."""
        when = _read(value)
        if when is None:
            return None
        zoned = when if when.tzinfo else when.replace(tzinfo=self.stored)
        try:
            return zoned.astimezone(self.zone).replace(tzinfo=None) if zoned.tzinfo else zoned
        except OverflowError:  # at an end of the calendar
            return zoned.replace(tzinfo=None)


def _zone(name: str, setting: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (OSError, ValueError, KeyError) as error:  # ZoneInfoNotFoundError is a KeyError
        told = Phrase("{name!r} is no time zone; one is Asia/Shanghai", name=name)
        raise ConfigError([Problem("", setting, told)]) from error


def _read(value: object) -> datetime | None:
    """A date, a number since 1970, ``2024-05-01 09:30:00+08:00`` and its kin, or ``20240501093000``."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if isinstance(value, int | float | Decimal):
        return None if isinstance(value, bool) else _epoch_time(float(value))
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _NUMBER.fullmatch(text):  # first: thousandths may pass for a date of the year 1712
        return _epoch_time(float(text))
    if _COMPACT.fullmatch(text):
        text = f"{text[:8]}T{text[8:]}"
    try:
        return datetime.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return None


def _epoch_time(number: float) -> datetime | None:
    """A number of seconds, or of thousandths, millionths or billionths, since 1970."""
    if not math.isfinite(number):
        return None
    per_second = next(unit for below, unit in _UNITS if abs(number) < below)
    try:
        return _EPOCH + timedelta(seconds=number / per_second)
    except OverflowError:
        return None
