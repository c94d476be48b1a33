"""A home that is read where it runs: at which server, and what is heard from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from winnow.types.catalog import Scalar

Platform = Literal["homeassistant", "smartthings"]


@dataclass(frozen=True, slots=True)
class Link:
    """Where a home is read. It names where the token lies; the token itself is kept nowhere."""

    url: str
    platform: Platform
    token_env: str
    """Name of the environment variable that holds the token."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A value of a device that became another one."""

    device_id: str
    attribute_id: str
    before: Scalar
    """None: nothing was known of it."""
    after: Scalar
    """None: it is no longer told."""
    at: float | None = None
    """Seconds since the epoch, as the server told; None: it told no moment."""


@dataclass(frozen=True, slots=True)
class Rearranged:
    """What the home consists of may have changed: its things, their names, rooms or abilities."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The connection stands, and the states of so many things were read anew."""

    things: int
    again: bool = False
    """Whether it had been lost."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is gone; it is tried again after ``pause`` seconds."""

    why: str
    """A phrase that can be told in other languages."""
    pause: float


News = Changed | Rearranged | Joined | Lost
"""What is heard of a home while it is watched."""

Progress = Callable[[str, int], None]
"""Told what was read, and how many of it."""


def silent(what: str, count: int) -> None:
    """Progress that nobody wants to see."""
