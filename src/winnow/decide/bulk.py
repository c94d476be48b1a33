"""Sets: one act for all their members, sent in groups of alike commands, and a limit to what is done unasked (seed 001 §8)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.decide.options import MARGIN, TOP1_RATIO, CapabilityOption, capability_options, margin, top1_ratio
from winnow.decide.score import Scored
from winnow.language.lexicon import clusters, surfaces
from winnow.language.normalise import is_han
from winnow.say.messages import message
from winnow.text.encode import encode
from winnow.types.catalog import Command, Parameter
from winnow.types.dialogue import Language
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import QueryIR
from winnow.types.state import Snapshot
from winnow.types.verdict import Batch, Call, Clarify, Group, Option
from winnow.types.view import HomeView

TOO_MANY = "too_many_targets"
UNCLEAR = "need_clarification"
SPECIFIC = "be_more_specific"
EXAMPLES = 3
"""Devices named as examples of an option."""
SAME = frozenset(
    {
        "Switch",
        "Cover",
        "Door",
        "Valve",
        "Lock",
        "Tilt",
        "Run",
        "Vacuum",
        "Mower",
        "Mode",
        "FanSpeed",
        "Swing",
        "Playback",
        "Brightness",
    }
)
"""Families whose commands a bare verb means alike: lamps go on as shades open. It takes its sense from the
thing."""
FAMILY = {"WaterTemperature": "Temperature"}
"""Families that set the same quantity under another name."""


PLAIN = frozenset(
    {
        "Open",
        "Close",
        "Start",
        "Stop",
        "Pause",
        "Resume",
        "Lock",
        "Unlock",
        "Toggle",
        "Play",
        "Next",
        "Previous",
        "Dock",
    }
    | {f"{family}.{does}" for family in ("Switch", "Mode", "Alarm") for does in ("On", "Off")}
)
"""What is done alike to whatever it is done to; on and off only where the whole thing goes on and off."""
_CAPITALS = re.compile(r"(?<!^)(?=[A-Z])")

CallKey = tuple[str, str, str]
"""Device, command, arguments."""

TELLING = frozenset({"degree", "celsius", "fahrenheit", "kelvin"})
"""Units that belong to one quantity: 26 degrees is a temperature wherever something has one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is done about a set without asking. Counts, and shares of 0..1."""

    max_targets: int = 100
    """Devices acted on unasked."""
    max_groups: int = 10
    """Groups of alike commands acted on unasked."""
    everywhere: int = 10
    """Devices switched unasked when everything in the whole home is meant."""
    batch: int = 20
    """Most calls of one batch."""
    options: int = 3
    """Most answers offered when the act is unclear."""
    top1_ratio: float = TOP1_RATIO
    """Share of the best capability from which on it is trusted."""
    margin: float = MARGIN
    """Lead of the best capability from which on it is trusted."""
    representatives: int = 5
    """Devices named when a set stays unclear after one question."""


LIMITS = Limits()


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
    ids = {s.device.id for s in present}
    able = [c for c in candidates if c.device_id in ids]
    found = _rivals(query, capability_options(query, able, view, snapshot), parts)
    likely = [_family(query, o.capability) for o in found]
    if likely and (
        _unit_tells(query) or (top1_ratio(found) >= limits.top1_ratio and margin(found) >= limits.margin)
    ):
        first = parts[likely[0]]
        return Settled(tuple(first), tuple(s for s in rows if s not in first))
    best = [*likely, *(name for name in parts if name not in likely)]
    return Settled(options=tuple(_option(parts[name], view) for name in best[: max(2, limits.options)]))


def which_action(options: Sequence[Option], language: Language) -> Clarify:
    """The closed question what to do; it is answered by the index of an option."""
    named = tuple(replace(o, label=act(o.capability, language)) for o in options)
    return Clarify(
        message("which_action", language, options=[o.label for o in named]), named, "action", (UNCLEAR,)
    )


def representatives(options: Sequence[Option], most: int) -> tuple[str, ...]:
    """Up to ``most`` devices, those of every option in turn."""
    depth = max((len(o.device_ids) for o in options), default=0)
    return tuple(o.device_ids[n] for n in range(depth) for o in options if n < len(o.device_ids))[:most]


def asked_anyway(ask: Clarify, outcome: str) -> Clarify:
    """The question to the person after a model was asked in vain.

    With the model's own wording where it gave one. The hint tells.
    """
    if outcome:
        return replace(ask, question=outcome, hints=(*ask.hints, "arbitration_asks"))
    return replace(ask, hints=(*ask.hints, "arbitration_failed"))


def _unit_tells(query: QueryIR) -> bool:
    """Whether the value's unit says what is set."""
    return query.value is not None and query.value.unit in TELLING


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


def _by_meaning(query: QueryIR, rows: Sequence[Scored]) -> dict[str, list[Scored]]:
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


def _option(rows: Sequence[Scored], view: HomeView) -> Option:
    command = rows[0].fit.command
    name = (command.trait or command.id) if command else ""
    examples = tuple(_called(s.device.id, view) for s in rows[:EXAMPLES])
    return Option(name, tuple(s.device.id for s in rows), name, examples)


def _called(device_id: str, view: HomeView) -> str:
    room = view.room(device_id)
    name = encode(view.devices[device_id].name)
    return f"{name} ({encode(room.name)})" if room else name


def act(capability: str, language: Language) -> str:
    """What a capability does in a person's word.

    Its plain verb, the setting it changes, the verb that means it, its name.
    """
    does = capability.rpartition(".")[2]
    if {does, capability} & PLAIN:
        return message(f"act_{does.lower()}", language)
    words = (_word(section, canonical, language) for section, canonical in _meaning(capability))
    return next((word for word in words if word), _CAPITALS.sub(" ", capability).replace(".", "").lower())


def _meaning(capability: str) -> Iterator[tuple[str, str]]:
    """(section, word's meaning) of what the capability may be called, best first."""
    tables, family = clusters(), capability.partition(".")[0]
    yield from (
        ("property", c) for c, traits in tables["properties"].items() if traits[0].partition(".")[0] == family
    )
    yield from (("verb", c) for c, traits in tables["actions"].items() if traits[0] == capability)
    yield from (("property", c) for c, traits in tables["properties"].items() if capability in traits)


def _word(section: str, canonical: str, language: Language) -> str:
    said = (w for w, c in surfaces(section).items() if c == canonical and is_han(w[0]) == (language == "zh"))
    return next(said, "")


# groups and batches


def key(call: Call) -> CallKey:
    """What makes a call itself: device, command, arguments."""
    return call.device_id, call.command_id, repr(call.arguments)


def signature(command: Command | None) -> str:
    """Name, kind, limits and choices of every parameter; equal where the same thing may be sent."""
    return ";".join(_shape(p) for p in command.parameters) if command else ""


def _shape(p: Parameter) -> str:
    limits = "" if p.minimum is None and p.maximum is None else f"[{_limit(p.minimum)}..{_limit(p.maximum)}]"
    choices = "{" + ",".join(str(c.value) for c in p.choices) + "}" if p.choices else ""
    scale = f"*{p.scale:g}" if p.scale != 1.0 else ""
    return f"{p.name}:{p.kind}{limits}{p.unit}{scale}{choices}{'' if p.required else '?'}"


def _limit(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def groups(calls: Iterable[Call], commands: Mapping[CallKey, Command] | None = None) -> tuple[Group, ...]:
    """The devices of ``calls`` by command and signature, in order.

    ``commands`` tells the command of a ``key``.
    """
    known = commands or {}
    found: dict[tuple[str, str], dict[str, None]] = {}
    for call in calls:
        found.setdefault((call.command_id, signature(known.get(key(call)))), {})[call.device_id] = None
    return tuple(Group(command_id, shape, tuple(ids)) for (command_id, shape), ids in found.items())


def batches(
    calls: Sequence[Call], commands: Mapping[CallKey, Command] | None = None, limits: Limits = LIMITS
) -> tuple[Batch, ...]:
    """Calls of one group and the same argument names together, at most ``limits.batch`` in one, independent of rooms."""
    known = commands or {}
    parts: dict[tuple[str, str, str], list[Call]] = {}
    for call in calls:
        parts.setdefault(
            (call.command_id, signature(known.get(key(call))), repr(sorted(call.arguments))), []
        ).append(call)
    size = max(1, limits.batch)
    return tuple(
        Batch(name, tuple(rows[i : i + size]))
        for (name, _, _), rows in parts.items()
        for i in range(0, len(rows), size)
    )


def too_many(found: Sequence[Group], limits: Limits = LIMITS, *, everywhere: bool = False) -> int:
    """How many devices a set has when that, or the number of its groups, is more than is acted on unasked.

    Else 0.
    """
    count = len({i for g in found for i in g.device_ids})
    most = limits.everywhere if everywhere else limits.max_targets
    return count if count > most or len(found) > limits.max_groups else 0
