"""What a set is to do: one act for all its members, or the acts to choose from (seed 001 §8)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.decide.limits import LIMITS, Limits
from winnow.decide.options import CapabilityOption, Counted, capability_options, margin, top1_ratio
from winnow.decide.score import Scored
from winnow.text.encode import encode
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import QueryIR
from winnow.types.state import Snapshot
from winnow.types.verdict import Option
from winnow.types.view import HomeView

EXAMPLES = 3
"""Devices named as examples of an option."""
_SAME = "Switch Cover Door Valve Lock Tilt Run Vacuum Mower Mode FanSpeed Swing Playback Brightness"
SAME = frozenset(_SAME.split())
"""Families whose commands a bare verb means alike: lamps go on as shades open. It takes its sense from the
thing."""
FAMILY = {"WaterTemperature": "Temperature"}
"""Families that set the same quantity under another name."""
TELLING = frozenset({"degree", "celsius", "fahrenheit", "kelvin"})
"""Units that belong to one quantity: 26 degrees is a temperature wherever something has one."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The members of a set that are acted on, those the chosen act leaves out, or the acts to choose from."""

    chosen: tuple[Scored, ...] = ()
    uncovered: tuple[Scored, ...] = ()
    options: tuple[Option, ...] = ()


def settled(
    query: QueryIR,
    rows: Sequence[Scored],
    candidates: Sequence[DeviceCandidate],
    view: HomeView,
    snapshot: Snapshot,
    limits: Limits = LIMITS,
) -> Settled:
    """What a set is to do.

    Every member's own fit stands, unless the fits mean different things: then the command is chosen first.

    A capability that leads clearly takes its supporters and leaves the rest uncovered; otherwise the acts are
    offered.
    """
    present = [s for s in rows if s.online]
    parts = _by_meaning(query, present)
    if len(parts) < 2:
        return Settled(tuple(rows))
    rivals = _rivals(query, _capabilities(query, present, candidates, view, snapshot, limits), parts)
    if rivals and (_unit_tells(query) or _leads(rivals, limits)):
        first = parts[_family(query, rivals[0].capability)]
        return Settled(tuple(first), tuple(s for s in rows if s not in first))
    likely = [_family(query, o.capability) for o in rivals]
    return Settled(options=_options(likely, parts, view)[: max(2, limits.options)])


def _capabilities(
    query: QueryIR,
    rows: Sequence[Scored],
    candidates: Sequence[DeviceCandidate],
    view: HomeView,
    snapshot: Snapshot,
    limits: Limits,
) -> Sequence[CapabilityOption]:
    """What the members of the set may do, likeliest first."""
    ids = {s.device.id for s in rows}
    members, counted = [c for c in candidates if c.device_id in ids], Counted(window=limits.window)
    return capability_options(query, members, view, snapshot, counted)


def _by_meaning(query: QueryIR, rows: Sequence[Scored]) -> dict[str, list[Scored]]:
    """What the commands of the members mean -> the members."""
    parts: dict[str, list[Scored]] = {}
    for row in rows:
        if row.fit.command is not None:
            parts.setdefault(_family(query, row.fit.command.trait or row.fit.command.id), []).append(row)
    return parts


def _family(query: QueryIR, capability: str) -> str:
    """What a capability means here.

    A named setting or mode means itself on every device; a bare number does not.
    """
    family = capability.partition(".")[0]
    value = query.value
    if value is None:
        return "" if family in SAME else family
    if query.property or (value.kind == "absolute" and value.number is None):
        return ""
    return FAMILY.get(family, family)


def _rivals(
    query: QueryIR, options: Sequence[CapabilityOption], parts: Collection[str]
) -> list[CapabilityOption]:
    """The best option of each meaning, likeliest first; their shares add up to 1.

    Setting and stepping the same thing are no rivals.
    """
    best: dict[str, CapabilityOption] = {}
    for option in options:
        name = _family(query, option.capability)
        if name in parts:
            best.setdefault(name, option)
    total = sum(o.p for o in best.values())
    return [replace(o, p=o.p / total) for o in best.values()]


def _unit_tells(query: QueryIR) -> bool:
    """Whether the value's unit says what is set."""
    return query.value is not None and query.value.unit in TELLING


def _leads(rivals: Sequence[CapabilityOption], limits: Limits) -> bool:
    """Whether the best may be taken unasked: likely of itself, and likelier than the next."""
    return top1_ratio(rivals) >= limits.top1_ratio and margin(rivals) >= limits.margin


def _options(
    likely: Sequence[str], parts: Mapping[str, Sequence[Scored]], view: HomeView
) -> tuple[Option, ...]:
    """The acts to choose from: the likely ones, then those that nothing speaks for."""
    return tuple(_option(parts[name], view) for name in dict.fromkeys((*likely, *parts)))


def _option(rows: Sequence[Scored], view: HomeView) -> Option:
    command = rows[0].fit.command
    name = (command.trait or command.id) if command else ""
    examples = tuple(_called(s.device.id, view) for s in rows[:EXAMPLES])
    return Option(name, tuple(s.device.id for s in rows), name, examples)


def _called(device_id: str, view: HomeView) -> str:
    room = view.room(device_id)
    name = encode(view.devices[device_id].name)
    return f"{name} ({encode(room.name)})" if room else name
