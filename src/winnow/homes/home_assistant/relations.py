"""What the entities of a home are to each other: groups, parts, and who is spoken to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.homes.home_assistant.entity import Entity
from winnow.homes.home_assistant.groups import Members, members_of
from winnow.homes.home_assistant.keys import in_order, places_of
from winnow.homes.home_assistant.parts import is_indicator, parts_of
from winnow.homes.home_assistant.reach import Exposure, owned_trackers, why_named


@dataclass(frozen=True, slots=True)
class Relations:
    """Of the entities of one home, by id."""

    things: Sequence[Entity]
    """The entities that are devices: no scenes, and no groups beside their members."""
    members: Members
    wholes: Mapping[str, Entity]
    """Part -> the entity it is a part of."""
    places: Mapping[str, int]
    """Entity -> its place among its equals on one device."""
    why_named: Mapping[str, tuple[str, ...]]
    """Entity -> why only its exact name means it; empty for what is spoken to."""


def relations_of(entities: Sequence[Entity], exposed: Exposure) -> Relations:
    """The relations of the entities, of which ``exposed`` may be spoken to."""
    members = members_of(entities)
    found = [e for e in entities if e.is_device and e.id not in members]
    places = places_of(found)
    things = in_order(found, places)
    by_id = {e.id: e for e in things}
    wholes = {part: by_id[whole] for part, whole in parts_of(things).items()}
    return Relations(things, members, wholes, places, _named(entities, members, exposed))


def _named(entities: Sequence[Entity], members: Members, exposed: Exposure) -> Mapping[str, tuple[str, ...]]:
    spoken_groups = [e.id for e in entities if e.id in members and not why_named(e, exposed, ())]
    stood_for = {member for group in spoken_groups for member in members[group]}
    trackers = owned_trackers(entities)
    return {e.id: (*why_named(e, exposed, stood_for), *_more(e, trackers)) for e in entities}


def _more(entity: Entity, trackers: frozenset[str]) -> Sequence[str]:
    """Why it is meant by its name only though it may be spoken to."""
    if entity.id in trackers:
        return ("persons tell",)
    return ("indicator",) if is_indicator(entity) else ()
