"""A refusal of what the home does not have names what comes near.

Nothing is done about it, and nothing is asked.
"""

from __future__ import annotations

from dataclasses import replace

from winnow.effects.danger import danger_of_command
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView

ABSENT = frozenset({"no_device", "not_understood"})
"""Refusals that say that the home has no such thing."""


def naming_near(refusal: Refusal, shortlist: HomeShortlist, view: HomeView) -> Refusal:
    """The refusal with the devices and scenes nearest in meaning.

    A lock, valve, door or alarm is named only where it is the nearest.
    """
    if refusal.code not in ABSENT:
        return refusal
    near = tuple(
        c.device_id for n, c in enumerate(shortlist.near) if not n or not _guarded(c.device_id, view)
    )
    return replace(refusal, near=near)


def _guarded(thing_id: str, view: HomeView) -> bool:
    """Whether it can do what always needs a yes."""
    return thing_id in view.devices and any(
        danger_of_command(c.trait) for c in view.profile(thing_id).commands
    )
