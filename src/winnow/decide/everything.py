"""What may be moved on a word like ``everything``, or on the name of a place alone."""

from __future__ import annotations

from winnow.decide.how_many import is_wide
from winnow.decide.score import Scored
from winnow.language.families import SWITCHING_OFF, SWITCHING_ON
from winnow.language.lexicon import clusters
from winnow.language.normalise import is_han, normalise
from winnow.types.catalog import Device
from winnow.types.query import PLACE_KINDS, QueryIR

APPLIANCE = frozenset({"Switch", "FanSpeed", "Mode", "Playback", "Run", "Vacuum", "Brightness"})
"""What ``everything`` and ``电器`` may do: no door, shade, lock or valve moves on such a word."""
MOVED = {
    "on": APPLIANCE - {"Vacuum", "Run"},
    "open": frozenset[str](),
    "close": frozenset({"Cover", "Door"}),
    "lock": frozenset({"Lock"}),
    "unlock": frozenset({"Lock"}),
    "mute": frozenset({"Mute"}),
    "pause": frozenset({"Playback"}),
    "resume": frozenset({"Playback"}),
}
"""The same for verbs that mean less: nothing drives off, closing switches nothing, and opening everything is
asked about."""
DEGREES = frozenset({"degree", "celsius", "fahrenheit"})
_NO_ROOMS = (
    "number refrigerator water_heater kettle oven stove microwave coffee_maker washer dryer dishwasher"
)
NO_ROOMS = frozenset(_NO_ROOMS.split())
"""Kinds whose temperature is that of food or water, or a mere setting of some machine."""
WIDELY = SWITCHING_ON | SWITCHING_OFF | {"toggle"}
"""Verbs that are asked about before the whole home does them."""


def is_moved(query: QueryIR, row: Scored) -> bool:
    """Whether a wide word means this device: a value says what is set, a bare verb does not.

    What has to go on is never switched off so.
    """
    command = row.fit.command
    if query.action in SWITCHING_OFF and _runs_on(row.device):
        return False
    if command is None:
        return False
    return query.value is not None or command.trait.split(".")[0] in MOVED.get(query.action, APPLIANCE)


def is_of_rooms(query: QueryIR, row: Scored) -> bool:
    """Whether a temperature said of no thing may mean this: what cools food or heats water is no room."""
    value = query.value
    if value is None or (any(t.kind not in PLACE_KINDS for t in query.target.tokens) and not is_wide(query)):
        return True
    if value.unit not in DEGREES and query.property != "temperature":
        return True
    return NO_ROOMS.isdisjoint(row.device.kinds)


def _runs_on(device: Device) -> bool:
    """Whether switching it off in passing does harm: a freezer, a fish tank, the router."""
    kept = clusters()["running_on"]
    names = [f" {normalise(name)} " for name in (device.name, *device.aliases)]
    words = [word if is_han(word[0]) else f" {word} " for word in kept["words"]]
    spoken = any(word in name for word in words for name in names)
    return spoken or not set(kept["kinds"]).isdisjoint(device.kinds)
