"""Can this device do what is asked, and by which call?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.decide.values import Setting, States, no_ability, setting
from winnow.language.lexicon import clusters
from winnow.types.catalog import Command, Device, Parameter, Profile
from winnow.types.query import QueryIR
from winnow.types.verdict import Call, Refusal

HEARD = frozenset(
    {"media_player", "television", "speaker", "soundbar", "projector", "radio", "receiver", "set_top_box"}
)
WARMING = frozenset({
    "climate", "heater", "water_heater", "bath_heater", "heating", "floor_heating", "fireplace", "electric_blanket", "oven", "stove",
    "microwave", "kettle", "coffee_maker",
})  # fmt: skip
REPORTED = ("out_of_range",)
"""Refusals that say more than that the ability is missing."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The call that does it, with its command; or the refusal."""

    call: Call | None = None
    command: Command | None = None
    refusal: Refusal | None = None
    rank: int = 99
    """Place of the command's trait in the action cluster; lower is closer to what was said."""


def fit(
    query: QueryIR,
    device: Device,
    profile: Profile,
    states: States,
    order: Sequence[str] = (),
    told: Sequence[str] = (),
) -> Fit:
    """The first command of the action cluster that takes the value while the device reports ``states``.

    ``order`` are command keys as recall ranked them. ``told`` are those whose own text holds words of the
    mention: then only they count.
    """
    reported: Refusal | None = None
    tried = _told(query, profile, order, told) if told else _tried(query, profile, order)
    for rank, command in tried:
        call = realise(query, command, device, profile, states)
        if isinstance(call, Call):
            return Fit(call, command, None, rank)
        if call.code in REPORTED and reported is None:
            reported = call
    return Fit(refusal=reported or no_ability(device))


def _told(
    query: QueryIR, profile: Profile, order: Sequence[str], told: Sequence[str]
) -> list[tuple[int, Command]]:
    """Commands whose text holds the words.

    Those of the cluster, else those that no verb of another meaning claims.
    """
    within = [(rank, c) for rank, c in _tried(query, profile, order) if c.key in told]
    return within or [
        (0, c) for key in told for c in profile.commands if c.key == key and c.trait not in _claimed()
    ]


@lru_cache(maxsize=1)
def _claimed() -> frozenset[str]:
    """Traits that some verb means."""
    return frozenset(t for traits in clusters()["actions"].values() for t in traits)


def _tried(query: QueryIR, profile: Profile, order: Sequence[str]) -> list[tuple[int, Command]]:
    texts = {key: i for i, key in enumerate(order)}
    cluster = query.action_cluster
    if query.value is not None and query.value.kind == "relative":
        # a native step needs no reading that may be stale
        cluster = tuple(
            sorted(
                cluster,
                key=lambda t: (
                    cluster.index(_setter(t)) if _setter(t) in cluster else cluster.index(t),
                    not t.endswith(".Step"),
                ),
            )
        )
    ranks = {trait: rank for rank, trait in reversed(tuple(enumerate(cluster)))}
    tried = [(ranks[c.trait], c) for c in profile.commands if c.trait in ranks]
    return sorted(tried, key=lambda t: (t[0], texts.get(t[1].key, 99)))


def _setter(trait: str) -> str:
    return trait.split(".", maxsplit=1)[0] + ".Set"


def realise(
    query: QueryIR, command: Command, device: Device, profile: Profile, states: States
) -> Call | Refusal:
    """The call of one command, or why it does not carry the query."""
    if (
        command.trait == "Alarm.On"
        and query.action != "alarm"
        and not (query.name_hint or "siren" in query.type_hint)
    ):
        return Refusal("no_ability", {"name": device.name}, (device.id,))  # no wide word sounds a siren
    if query.action == "heat" and not set(device.kinds) & WARMING:
        return no_ability(device)  # a lamp that can be switched on heats nothing
    if query.value is not None and not _suits(query, command, device):
        return Refusal("value_misfit")
    arguments: dict[str, object] = dict(command.fixed)
    asked = [p for p in command.parameters if p.required]
    if query.value is not None and query.value.unit == "room" and command.trait == "Vacuum.Start":
        return (
            Call(device.id, command.id, arguments)
            if device.room_id == query.value.text
            else Refusal("value_misfit")
        )
    if query.value is not None and not command.parameters:
        return _bare(query, command, device)
    for parameter in asked or command.parameters[:1]:
        found = _argument(parameter, command, query, device, profile, states)
        if isinstance(found, Refusal):
            return found
        if found.argument is not None:
            step = found.argument
            arguments.update(step if isinstance(step, dict) else {parameter.name: step})
    return Call(device.id, command.id, arguments)


def _suits(query: QueryIR, command: Command, device: Device) -> bool:
    """A value that is said is never a step, and a bare one is a volume only of what is there to be heard."""
    value = query.value
    assert value is not None
    trait, _, action = command.trait.partition(".")
    if value.kind == "absolute" and action == "Step" and value.number is not None:
        return False
    return (
        trait != "Volume" or query.property == "volume" or not device.kinds or bool(set(device.kinds) & HEARD)
    )


def _argument(
    parameter: Parameter, command: Command, query: QueryIR, device: Device, profile: Profile, states: States
) -> Setting | Refusal:
    if parameter.kind == "object" and query.value is None:
        return Setting()
    return setting(parameter, command, query, device, profile, states)


def _bare(query: QueryIR, command: Command, device: Device) -> Call | Refusal:
    """A command without parameters for a value: ``volumeUp`` for louder, ``heat`` for the heating mode."""
    value = query.value
    assert value is not None
    action = command.trait.split(".")[-1]
    if value.kind == "relative" and value.number is None and action in {"Up", "Down"}:
        return (
            Call(device.id, command.id, dict(command.fixed))
            if (action == "Up") == (value.direction > 0)
            else Refusal("value_misfit")
        )
    if value.kind == "relative" and action in {"Open", "Close"}:
        return (
            Call(device.id, command.id, dict(command.fixed))
            if (action == "Open") == (value.direction > 0)
            else Refusal("value_misfit")
        )
    if value.text and action.lower() == value.text:
        return Call(device.id, command.id, dict(command.fixed))
    return Refusal("value_misfit")
