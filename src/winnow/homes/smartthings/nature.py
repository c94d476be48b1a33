"""What a device is and how risky switching it on is, each with the reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from winnow.effects.danger import danger_of_names
from winnow.homes.evidence import kinds_by_name
from winnow.homes.smartthings.component import MAIN, Component
from winnow.homes.smartthings.parts import Name
from winnow.homes.traits import table, with_parents
from winnow.homes.where import where_by_kinds
from winnow.types.catalog import Device, Reach

Kinds = tuple[str, ...]

_CARRIERS = frozenset({"plug", "switch"})
_HANGS = frozenset({"light", "fan"})
"""What a plug or a wall switch is named after has no other way to be switched: it is of that kind."""
_OPEN = frozenset({"switch", "device", "camera"})
"""Guesses that a name may better: a bell with a camera is a bell."""
_DECIDED_BY_NAME = frozenset({"valve"})
"""Kinds whose makes a platform confuses: it has one category for valves of gas and of water."""
_PHONE = re.compile(r"的?手机$|(?:['’]s)?[ -](?:i?phone|mobile|galaxy.*)$", re.IGNORECASE)
_NEEDS = {"thermostat": "thermostat"}
"""Kinds by category that only what has a capability beginning so can be."""


@dataclass(frozen=True, slots=True)
class Nature:
    """Kinds, most specific first, and the risk of switching it on."""

    kinds: tuple[str, ...] = ("device",)
    danger: str = ""
    reasons: tuple[str, ...] = ()
    guessed: str = ""
    """What the kinds were concluded from, where no category told them."""


def nature(
    categories: Iterable[str], capabilities: Collection[str], names: Iterable[str], own: str = ""
) -> Nature:
    """By declared categories; else by capabilities, and by name where those say little.

    ``own`` is what a part of a device is called by itself.
    """
    names = tuple(name for name in names if name)
    declared, reason = _by_category(categories, capabilities)
    kinds, reason = (declared, reason) if declared else _guess(capabilities, names)
    guessed = "" if declared else reason
    kinds, reason = _bettered(kinds, reason, names)
    danger, why = _danger(kinds if declared else _borne(capabilities), capabilities, names, own)
    reasons = tuple(text for text in (reason, why and f"{danger}: {why}") if text)
    return Nature(kinds or ("device",), danger, reasons, guessed)


def nature_of_part(component: Component, name: Name, whole: Device) -> Nature:
    """By its own categories; else by what such a component is, by its label, or by its device."""
    own = name.label or name.name.removeprefix(whole.name).strip()
    told = nature(component.categories, component.capabilities, (name.name, *name.aliases[:1]), own)
    if component.id != MAIN and told.kinds != ("device",) and not told.guessed:
        return told
    if name.label:
        labelled = nature((), component.capabilities, (name.label,))
        return replace(labelled, danger=told.danger, reasons=told.reasons)
    return replace(told, kinds=(name.kind,) if name.kind else whole.kinds)


def _borne(capabilities: Collection[str]) -> Kinds:
    """What capabilities alone tell; what moves and declares no category may be any cover."""
    kinds, _ = _by_capability(capabilities)
    return ("cover",) if "cover" in kinds else kinds


def _danger(kinds: Kinds, capabilities: Collection[str], names: Iterable[str], own: str) -> tuple[str, str]:
    """What its names tell, and its capabilities where they let it heat and nothing else."""
    danger, why = danger_of_names(kinds, names, own)
    rule = table()["smartthings"]["only_heats"]
    if not danger and set(rule["with"]) & set(capabilities) and not set(rule["without"]) & set(capabilities):
        return "heat", "only heats"
    return danger, why


def carried_by(phone: str) -> tuple[str, ...]:
    """Whose phone it is, if its name says so: 爸爸 of 爸爸的手机, ``Mom`` of ``Mom's Phone``."""
    owner = _PHONE.sub("", phone).strip()
    return (owner,) if owner and owner != phone else ()


def reach_of_part(kinds: Collection[str], whole: Device) -> Reach:
    """What lights the inside of an appliance is no lamp of the room: it is meant by its name only."""
    is_inside = where_by_kinds(whole.kinds) == "appliance" or "kitchen_hood" in whole.kinds
    return "named" if "light" in kinds and is_inside else "spoken"


def _bettered(kinds: Kinds, reason: str, names: tuple[str, ...]) -> tuple[Kinds, str]:
    """The kinds with what the name tells more: what hangs on a plug, and which make of valve it is."""
    named, why = kinds_by_name(names[:1])
    if not kinds or not named or named[0] in kinds:
        return kinds, reason
    if kinds[0] in _CARRIERS and named[0] in _HANGS:
        return (*kinds, *named), f"{reason}, {why}"
    if set(named[1:]) & set(kinds[1:]) & _DECIDED_BY_NAME:
        return named, f"{reason}, {why}"
    return kinds, reason


def _by_category(categories: Iterable[str], capabilities: Collection[str]) -> tuple[tuple[str, ...], str]:
    """The kinds of all known categories that its capabilities bear out, and which these are."""
    known = table()["smartthings"]["categories"]
    told = [c for c in categories if c in known and all(_borne_out(k, capabilities) for k in known[c])]
    kinds = with_parents(kind for category in told for kind in known[category])
    return kinds, f"category {', '.join(told)}" if told else ""


def _borne_out(kind: str, capabilities: Collection[str]) -> bool:
    return kind not in _NEEDS or any(name.startswith(_NEEDS[kind]) for name in capabilities)


def _guess(capabilities: Collection[str], names: Iterable[str]) -> tuple[Kinds, str]:
    """By the first capability that tells; a bare switch is what its name says."""
    kinds, reason = _by_capability(capabilities)
    if capabilities and set(kinds) <= _OPEN:
        named, why = kinds_by_name(names)
        if named:
            return named, why
    return kinds, reason


def _by_capability(capabilities: Collection[str]) -> tuple[Kinds, str]:
    by_capability = table()["smartthings"]["kinds_by_capability"]
    telling = next((name for name in by_capability if name in capabilities), None)
    return (with_parents(by_capability[telling]), f"capability {telling}") if telling else ((), "")
