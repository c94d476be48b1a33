"""The registries of Home Assistant by id, in whichever form the export has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from winnow.errors import Phrase
from winnow.homes.fields import Row, built
from winnow.homes.floors import with_usual_names
from winnow.homes.home_assistant.documents import Export
from winnow.types.catalog import Floor, Room

Rows = Mapping[str, Row]


@dataclass(frozen=True, slots=True)
class Registry:
    """Rows by id; empty where the export has none."""

    areas: Rows
    devices: Rows
    entities: Rows
    floors: Rows
    labels: Rows

    def area_of(self, entry: Row, device: Row) -> str | None:
        """The entity's own area, else its device's; None when neither is a known one."""
        area = entry.text("area_id") or device.text("area_id")
        return area if area in self.areas else None


def registry_of(export: Export) -> Registry:
    """The registries of the export."""
    # The list of registry entries is short, what is asked for one by one tells more.
    found: dict[str, Row] = {}
    for entity_id, row in built(export.of("entity"), lambda row: (row.id("entity_id"), row)):
        known = found.get(entity_id)
        said = {name: value for name, value in row.data.items() if value is not None}
        found[entity_id] = replace(row, data={**known.data, **said}) if known else row
    return Registry(
        areas=by_id(export.of("area"), "area_id", "id"),
        devices=by_id(export.of("device"), "id"),
        entities=found,
        floors=by_id(export.of("floor"), "floor_id"),
        labels=by_id(export.of("label"), "label_id"),
    )


def by_id(rows: Iterable[Row], name: str, otherwise: str = "") -> dict[str, Row]:
    """Rows by id, the first of each. Storage calls some ids ``otherwise``.

    One given twice under one name is one thing; under two names the first counts.
    """
    found: dict[str, Row] = {}
    for value, row in built(rows, lambda row: ((otherwise and row.text(otherwise)) or row.id(name), row)):
        if _called(found.setdefault(value, row)) != _called(row):
            row.note(name, Phrase("repeats {id!r} under another name", id=value))
    return found


def _called(row: Row) -> str:
    return row.text("name") or row.text("original_name")


def floors_of(registry: Registry) -> tuple[Floor, ...]:
    """The floors, with their usual other names."""
    return with_usual_names(built(registry.floors.values(), _floor))


def _floor(row: Row) -> Floor:
    level = row.number("level")
    return Floor(
        id=row.id("floor_id"),
        name=row.name("name", "floor_id"),
        aliases=row.strings("aliases"),
        level=int(level) if level is not None and abs(level) < 1000 else None,
    )


def rooms_of(registry: Registry) -> tuple[Room, ...]:
    """The areas as rooms."""
    return tuple(
        Room(
            id=area_id,
            name=row.name("name", "area_id", "id"),
            aliases=row.strings("aliases"),
            floor_id=floor if (floor := row.text("floor_id")) in registry.floors else None,
        )
        for area_id, row in registry.areas.items()
    )
