"""Which entities are spoken to, and which are meant by their exact name only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from winnow.homes.home_assistant.documents import Export
from winnow.homes.home_assistant.entity import Entity
from winnow.homes.home_assistant.registry import Registry
from winnow.homes.traits import table
from winnow.types.catalog import Note

Exposure = Mapping[str, bool]
"""Entity id -> whether conversation may speak to it, as far as the export tells."""
ASSISTANT = "conversation"


def exposure_of(export: Export, registry: Registry, notes: list[Note]) -> Exposure:
    """What the export tells. A home in which nothing is exposed has not been set up to be spoken to."""
    told: dict[str, bool] = {}
    for entity_id, row in registry.entities.items():
        value = row.row("options").row(ASSISTANT).data.get("should_expose")
        if isinstance(value, bool):
            told[entity_id] = value
    for row in export.of("exposure"):
        # As the WebSocket API lists it, else as storage has it.
        value = row.data.get(ASSISTANT)
        if "assistants" in row.data:
            value = row.row("assistants").row(ASSISTANT).data.get("should_expose")
        if isinstance(value, bool):
            told[row.text("entity_id")] = value
    if told and not any(told.values()):
        notes.append(Note("nothing_exposed", "exposure", ASSISTANT))
        return {}
    return told


def why_named(entity: Entity, exposed: Exposure, stood_for: Collection[str]) -> tuple[str, ...]:
    """The reasons why only its exact name means the entity; empty when it is spoken to.

    ``stood_for``: members of groups that are spoken to. Their integration hides them behind the group, yet
    an order about the group is one about them.
    """
    hidden = entity.entry.text("hidden_by")
    if hidden == "integration" and entity.id in stood_for:
        return ()
    # A person is never spoken to: whether somebody is home is read, whatever Assist may be asked.
    is_unexposed = exposed.get(entity.id) is False and entity.domain != "person"
    reasons = {
        f"hidden_by {hidden}": hidden,
        f"entity_category {entity.category}": entity.category,
        f"domain {entity.domain}": entity.domain in table("services")["named"],
        "not exposed": is_unexposed,
        entity.ghost: entity.ghost,
    }
    return tuple(reason for reason, applies in reasons.items() if applies)


def owned_trackers(entities: Sequence[Entity]) -> frozenset[str]:
    """Trackers that are not spoken to: where persons are known, they tell who is home."""
    if not any(e.domain == "person" for e in entities):
        return frozenset()
    return frozenset(e.id for e in entities if e.domain == "device_tracker")
