"""Groups and labels: names of sets of devices. A group is never a device beside its members."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from winnow.homes.home_assistant.entity import Entity
from winnow.homes.home_assistant.registry import Registry
from winnow.homes.traits import table
from winnow.language.lexicon import surfaces
from winnow.language.normalise import normalise
from winnow.types.catalog import Device, Group

Members = Mapping[str, tuple[str, ...]]
"""Group -> the entities in it, those of the groups within it too."""


def members_of(entities: Sequence[Entity]) -> Members:
    """The groups whose members are known, without those that are not."""
    known = {e.id for e in entities}
    direct = {e.id: tuple(m for m in e.members if m in known) for e in entities if _is_group(e)}
    flat = {group: tuple(_reached(group, direct)) for group in direct}
    return {group: members for group, members in flat.items() if members}


def _is_group(entity: Entity) -> bool:
    """Whether it stands for others. A sensor of several tells a value of its own, their mean."""
    return bool(entity.members) and entity.domain not in table("services")["no_groups"]


def _reached(group: str, direct: Members) -> dict[str, None]:
    """What is in the group and no group itself. One that holds itself is gone through once."""
    found: dict[str, None] = {}
    inside, waiting = {group}, [group]
    while waiting:
        for member in direct[waiting.pop(0)]:
            if member not in direct:
                found.setdefault(member)
            elif member not in inside:
                inside.add(member)
                waiting.append(member)
    return found


def groups_of(entities: Sequence[Entity], members: Members) -> Iterator[Group]:
    """The groups as the catalog has them."""
    for entity in entities:
        if entity.id in members:
            yield Group(entity.id, entity.name, members[entity.id], entity.aliases)


def labelled(
    entities: Sequence[Entity], devices: Mapping[str, Device], registry: Registry
) -> Iterator[Group]:
    """Labels as groups of the devices that have them and are spoken to.

    Not one that is called as a kind of thing or a room: what is said of these is not said of the label.
    """
    taken = {normalise(row.text("name")) for row in registry.areas.values()} | surfaces("type").keys()
    spoken = [e for e in entities if _is_spoken(devices.get(e.id))]
    for label_id, row in registry.labels.items():
        name = row.text("name")
        inside = tuple(e.id for e in spoken if label_id in labels(e))
        if inside and normalise(name) not in {"", *taken}:
            yield Group(f"label:{label_id}", name, inside)


def _is_spoken(device: Device | None) -> bool:
    return device is not None and device.reach == "spoken" and device.part_of is None


def labels(entity: Entity) -> Collection[str]:
    """The labels of the entity and of its device."""
    return {*entity.entry.strings("labels"), *entity.device.strings("labels")}
