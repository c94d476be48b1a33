"""Entities of one physical device: which of them the device is known as, and which only serve it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from winnow.homes.home_assistant.entity import Entity
from winnow.homes.traits import table
from winnow.language.heads import only_powers


def parts_of(entities: Iterable[Entity]) -> dict[str, str]:
    """Entity -> the one it is a part of. Equals, such as the sensors of a weather station, are no parts."""
    by_device: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        if entity.device_id and entity.device.text("entry_type") != "service":
            by_device[entity.device_id].append(entity)
    return {part: whole for fellows in by_device.values() for part, whole in _parts(fellows).items()}


def _parts(fellows: Sequence[Entity]) -> dict[str, str]:
    whole = _main(fellows)
    if whole is None:
        return {}
    return {e.id: whole.id for e in fellows if e is not whole and _serves(e, whole)}


def _main(fellows: Sequence[Entity]) -> Entity | None:
    """What the device is known as: the entity that has its name, else the only one it can be there for."""
    order: Sequence[str] = table("services")["roles"]["main"]
    able = [e for e in fellows if not e.category and e.domain in order]
    nameless = [e for e in able if not e.own_name]
    if nameless:
        return min(nameless, key=lambda e: order.index(e.domain))
    likely = _there_for(able)
    return likely[0] if len(likely) == 1 else None


def _there_for(able: Sequence[Entity]) -> Sequence[Entity]:
    """What a device can be there for, by its domain, else what switches its power."""
    purpose: Sequence[str] = table("services")["roles"]["purpose"]
    return [e for e in able if e.domain in purpose] or [e for e in able if only_powers(e.own_name)]


def _serves(entity: Entity, whole: Entity) -> bool:
    """Whether it is there for the other one, and not a thing of its own like the lamp of a fan."""
    if entity.category or entity.domain in table("services")["roles"]["serving"]:
        return True
    if is_indicator(entity):
        return True
    return entity.domain == "switch" and (whole.domain != "switch" or not whole.own_name)


def is_indicator(entity: Entity) -> bool:
    """Whether a lamp only tells how a device is: it is named so, and belongs to one."""
    words: Sequence[str] = table("services")["indicators"]
    own = entity.own_name.casefold()
    return entity.domain == "light" and bool(entity.device_id) and any(word in own for word in words)
