"""Can this device do what is asked, and by which call?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.decide.values import Setting, States, no_ability, setting
from winnow.language.content_words import MOVING
from winnow.language.kinds import mode_of_command
from winnow.language.lexicon import clusters
from winnow.types.home import Command, Device, Profile
from winnow.types.query import PLACE_KINDS, QueryIR, Value
from winnow.types.verdict import Call, Refusal

_AUDIBLE_NAMES = "media_player television speaker soundbar projector radio receiver set_top_box"
AUDIBLE_KINDS = frozenset(_AUDIBLE_NAMES.split())
"""Kinds that are there to be heard."""
_HEATING_NAMES = """
climate heater water_heater bath_heater heating floor_heating fireplace electric_blanket
oven stove microwave kettle coffee_maker
"""
HEATING_KINDS = frozenset(_HEATING_NAMES.split())
"""Kinds that warm something."""
OWN_TEMPERATURE_KINDS = frozenset({"refrigerator", "oven", "number"})
"""Kinds with degrees of their own, not those of the room they stand in."""
RAISING_ACTIONS = {"Up": True, "Down": False, "Open": True, "Close": False}
"""What a command without parameters does to what is asked to become more or less."""
REPORTED_REFUSALS = ("out_of_range", "levels_unknown", "unread_value")
"""Refusals that say more than that the ability is missing."""


@dataclass(frozen=True, slots=True)
class CommandFit:
    """The call that does it, with its command; or the refusal."""

    call: Call | None = None
    command: Command | None = None
    refusal: Refusal | None = None
    rank: int = 99
    """Place of the command's trait in the action cluster; lower is closer to what was said."""


def fit_command(
    query: QueryIR,
    device: Device,
    profile: Profile,
    states: States,
    order: Sequence[str] = (),
    told: Sequence[str] = (),
) -> CommandFit:
    """The first command of the action cluster that takes the value while the device reports ``states``.

    ``order`` are command keys as recall ranked them. ``told`` are those whose own text holds words of the
    mention: then only they count.
    """
    reported: Refusal | None = None
    tried = _named_commands(query, profile, order, told) if told else _cluster_commands(query, profile, order)
    for rank, command in tried:
        call = command_call(query, command, device, profile, states)
        if isinstance(call, Call):
            return CommandFit(call, command, None, rank)
        if call.code in REPORTED_REFUSALS and reported is None:
            reported = call
    return CommandFit(refusal=reported or no_ability(device))


def _named_commands(
    query: QueryIR, profile: Profile, order: Sequence[str], told: Sequence[str]
) -> list[tuple[int, Command]]:
    """Commands whose text holds the words.

    Those of the cluster, else those that no verb of another meaning claims.
    """
    within = [(rank, c) for rank, c in _cluster_commands(query, profile, order) if c.key in told]
    if within:
        return within
    by_key = {c.key: c for c in profile.commands if c.trait not in _claimed_traits()}
    return [(0, by_key[key]) for key in told if key in by_key]


@lru_cache(maxsize=1)
def _claimed_traits() -> frozenset[str]:
    """Traits that some verb means."""
    return frozenset(t for traits in clusters()["actions"].values() for t in traits)


def _cluster_commands(query: QueryIR, profile: Profile, order: Sequence[str]) -> list[tuple[int, Command]]:
    """The commands of the cluster with their places in it, the likeliest first."""
    texts = {key: i for i, key in enumerate(order)}
    is_relative = query.value is not None and query.value.kind == "relative"
    cluster: Sequence[str] = query.action_cluster
    if is_relative:
        # Every native step before its setter: a step needs no reading that may be stale.
        place = {trait: at for at, trait in reversed(tuple(enumerate(cluster)))}
        setter = {trait: trait.split(".", maxsplit=1)[0] + ".Set" for trait in cluster}
        cluster = sorted(cluster, key=lambda t: (place.get(setter[t], place[t]), not t.endswith(".Step")))
    ranks = {trait: rank for rank, trait in reversed(tuple(enumerate(cluster)))}
    tried = [(ranks[c.trait], c) for c in profile.commands if c.trait in ranks]
    return sorted(tried, key=lambda t: (t[0], texts.get(t[1].key, 99)))


def command_call(
    query: QueryIR, command: Command, device: Device, profile: Profile, states: States
) -> Call | Refusal:
    """The call of one command, or why it does not carry the query."""
    if _is_another_act(query, command, device, profile):
        return no_ability(device)
    if query.value is None:
        return _with_arguments(query, command, device, profile, states)
    if not _suits(query.value, query, command, device):
        return Refusal("value_misfit")
    if query.value.unit == "room" and command.trait == "Vacuum.Start":
        # a robot that knows no rooms cleans the one it stands in
        return _plain_call(command, device) if device.room_id == query.value.text else Refusal("value_misfit")
    if not command.parameters:
        return _plain_call(command, device) if _means_value(command, query.value) else Refusal("value_misfit")
    return _with_arguments(query, command, device, profile, states)


def _is_another_act(query: QueryIR, command: Command, device: Device, profile: Profile) -> bool:
    """Whether the verb means the command elsewhere, but not of this device."""
    if command.trait == "Alarm.On" and not _may_sound(query, profile):
        return True
    if (
        command.trait.startswith("Temperature.")
        and not OWN_TEMPERATURE_KINDS.isdisjoint(device.kinds)
        and not _is_named(query)
    ):
        return True
    if query.action in MOVING and command.trait.startswith("Switch.") and "light" in device.kinds:
        return True  # a lamp has nothing that opens
    if query.property == "humidity" and command.trait == "Intensity.Set" and "dehumidifier" in device.kinds:
        return True  # the harder it works, the drier
    # a lamp that can be switched on heats nothing
    return query.action == "heat" and HEATING_KINDS.isdisjoint(device.kinds)


def _is_named(query: QueryIR) -> bool:
    """Whether a thing is named, by any word for it: a place or a wide word names none."""
    said = (t for t in query.target.tokens if t.kind not in PLACE_KINDS)
    return any(t.data.get("is") != "device" for t in said)


def _may_sound(query: QueryIR, profile: Profile) -> bool:
    """Whether an alarm is to sound: no wide word sounds a siren, and what can be armed is armed instead."""
    if query.action == "alarm":
        return True
    if any(c.trait == "Alarm.Arm" for c in profile.commands):
        return False
    return bool(query.name_hint) or "siren" in query.type_hint


def _suits(value: Value, query: QueryIR, command: Command, device: Device) -> bool:
    """A value that is said is never a step, and a bare one is a volume only of what is there to be heard."""
    trait, _, action = command.trait.partition(".")
    if value.kind == "absolute" and action == "Step" and value.number is not None:
        return False
    if trait != "Volume" or query.property == "volume":
        return True
    return not device.kinds or not AUDIBLE_KINDS.isdisjoint(device.kinds)


def _plain_call(command: Command, device: Device) -> Call:
    return Call(device.id, command.id, dict(command.fixed))


def _means_value(command: Command, value: Value) -> bool:
    """A command without parameters for a value: ``volumeUp`` for louder, ``heat`` for the heating mode."""
    action = command.trait.split(".")[-1]
    if value.kind == "relative" and action in RAISING_ACTIONS:
        counted = value.number is not None and action in {"Up", "Down"}  # 10 louder is not one step louder
        return not counted and RAISING_ACTIONS[action] == (value.direction > 0)
    does = mode_of_command(command.id) if command.trait == "Alarm.Arm" else action.lower()
    return bool(value.text) and does == value.text


def _with_arguments(
    query: QueryIR, command: Command, device: Device, profile: Profile, states: States
) -> Call | Refusal:
    """The call with every required parameter set, or the first where none is required."""
    arguments: dict[str, object] = dict(command.fixed)
    asked = [p for p in command.parameters if p.required] or command.parameters[:1]
    for parameter in asked:
        if parameter.kind == "object" and query.value is None:
            found: Setting | Refusal = Setting()
        else:
            found = setting(parameter, command, query, device, profile, states)
        if isinstance(found, Refusal):
            return found
        if isinstance(found.argument, dict):
            arguments.update(found.argument)
        elif found.argument is not None:
            arguments[parameter.name] = found.argument
    return Call(device.id, command.id, arguments)
