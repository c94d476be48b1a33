"""The rows and registries in an export of Home Assistant, whichever way it was taken.

The same rows come as files of ``.storage`` (in a wrapper, an area's id called ``id``), as WebSocket answers
(an area's id called ``area_id``) and from the REST API. All of them are recognized by their keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from winnow.adapters.platforms.bundle import ExportBundle, ExportDocument
from winnow.adapters.platforms.json_rows import ImportProblems, JsonRow, build_rows, type_mismatch
from winnow.adapters.platforms.traits import with_usual_names
from winnow.errors import Phrase
from winnow.types.home import Floor, Room

RowKind = Literal["state", "entity", "device", "area", "floor", "label", "restored", "exposure", "person"]

_STORAGE_FILES: Mapping[str, tuple[RowKind, str]] = {
    "core.entity_registry": ("entity", "entities"),
    "core.device_registry": ("device", "devices"),
    "core.area_registry": ("area", "areas"),
    "core.floor_registry": ("floor", "floors"),
    "core.label_registry": ("label", "labels"),
    "homeassistant.exposed_entities": ("exposure", "exposed_entities"),
    "person": ("person", "items"),
}
"""Key of a storage file -> what its rows are, and where they lie in its ``data``."""
RESTORE_STATE_KEY = "core.restore_state"

_ENTITY_KEYS = {"platform", "device_id", "unique_id", "original_name", "disabled_by", "hidden_by", "aliases"}
_STATE_KEYS = {"state", "attributes"}
_DEVICE_KEYS = {
    "identifiers",
    "connections",
    "config_entries",
    "name_by_user",
    "manufacturer",
    "via_device_id",
}
_AREA_KEYS = {"picture", "aliases", "floor_id", "humidity_entity_id"}


@dataclass(frozen=True, slots=True)
class TypedRows:
    """Rows of one kind, and where they lie. ``items`` is a list, or an object by id."""

    kind: RowKind
    document: str
    path: str
    items: object


@dataclass(slots=True)
class HomeAssistantExport:
    """All rows of an export by kind, in the order of its documents."""

    problems: ImportProblems
    rows: dict[RowKind, list[JsonRow]] = field(default_factory=dict)

    def rows_of(self, kind: RowKind) -> list[JsonRow]:
        """The rows of one kind; empty when the export has none."""
        return self.rows.get(kind, [])


def is_home_assistant(document: ExportDocument) -> bool:
    """Whether any rows of it are Home Assistant's."""
    return next(_find_rows(document.name, "", document.data), None) is not None


def read_export(bundle: ExportBundle, problems: ImportProblems) -> HomeAssistantExport:
    """The rows of all documents."""
    export = HomeAssistantExport(problems)
    for document in bundle.documents:
        for rows in _find_rows(document.name, "", document.data):
            export.rows.setdefault(rows.kind, []).extend(_as_rows_of(rows, problems))
    return export


def _as_rows_of(rows: TypedRows, problems: ImportProblems) -> Iterator[JsonRow]:
    """The rows; those of an object get its keys as their entity ids."""
    if isinstance(rows.items, dict):
        pairs = [(_child_path(rows.path, key), key, row) for key, row in rows.items.items()]
    else:
        items = rows.items if isinstance(rows.items, list) else []
        pairs = [(f"{rows.path}[{i}]", "", row) for i, row in enumerate(items)]
    for path, key, row in pairs:
        if isinstance(row, dict):
            yield JsonRow({"entity_id": key, **row} if key else row, rows.document, path, problems)
        elif row is not None:  # an entity that was asked for and is not there
            problems.add_omission(rows.document, path, type_mismatch("an object", row))


def _find_rows(name: str, path: str, data: object, depth: int = 3) -> Iterator[TypedRows]:
    """Every list or object of rows in the data; answers may be wrapped, or lie together in one file."""
    if isinstance(data, list):
        yield from _rows_in_list(name, path, data, depth)
    elif isinstance(data, dict):
        yield from _rows_in_object(name, path, data, depth)


def _rows_in_list(name: str, path: str, data: list[object], depth: int) -> Iterator[TypedRows]:
    """The list itself where it is one of rows; else what its answers hold."""
    kinds = Counter(kind for item in data if isinstance(item, dict) and (kind := _row_kind(item)))
    kind = kinds.most_common(1)[0][0] if kinds else None
    if kind:
        yield TypedRows(kind, name, path, data)
    elif depth:
        for i, item in enumerate(data):
            if _is_answer(item):
                yield from _find_rows(name, f"{path}[{i}]", item, depth - 1)


def _rows_in_object(name: str, path: str, data: Mapping[str, object], depth: int) -> Iterator[TypedRows]:
    """What an object holds: it is rows, or a wrapper around them, or several of these by name."""
    known = _rows_if_object(name, path, data)
    if known:
        yield known
    elif isinstance(data.get("key"), str) and "data" in data:
        # A file of ``.storage``. What it holds of deleted things is no part of the home.
        file, stored = str(data["key"]), data["data"]
        if file == RESTORE_STATE_KEY:
            yield TypedRows("restored", name, "data", stored)
        elif file in _STORAGE_FILES and isinstance(stored, dict):
            kind, member = _STORAGE_FILES[file]
            yield TypedRows(kind, name, f"data.{member}", stored.get(member))
    elif _is_answer(data):
        yield from _find_rows(name, _child_path(path, "result"), data["result"], depth)
    elif depth:
        for key, inner in data.items():
            yield from _find_rows(name, _child_path(path, key), inner, depth - 1)


def _rows_if_object(name: str, path: str, data: Mapping[str, object]) -> TypedRows | None:
    """The object, if it is a single state, or rows by entity id."""
    if _row_kind(data) == "state":
        return TypedRows("state", name, path, [data])
    # ``config/entity_registry/get_entries`` answers with entity id -> its registry entry.
    rows = [row for key, row in data.items() if "." in key and isinstance(row, dict)]
    if rows and 2 * len(rows) > len(data) and any(_ENTITY_KEYS & row.keys() for row in rows):
        return TypedRows("entity", name, path, data)
    exposed = data.get("exposed_entities")
    return TypedRows("exposure", name, _child_path(path, "exposed_entities"), exposed) if exposed else None


def _child_path(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _is_answer(data: object) -> bool:
    """Whether it is what the WebSocket API answers."""
    return isinstance(data, dict) and isinstance(data.get("result"), (list, dict))


def _row_kind(row: Mapping[str, object]) -> RowKind | None:
    """What a row is of, by the keys only such rows have."""
    keys = row.keys()
    inner = row.get("state")
    if isinstance(inner, dict) and "entity_id" in inner:
        return "restored"
    if "entity_id" in keys or keys >= _STATE_KEYS:
        if _STATE_KEYS & row.keys():
            return "state"
        return "entity" if _ENTITY_KEYS & row.keys() else None
    if "label_id" in keys:
        return "label"
    return _idless_row_kind(row) if "id" not in keys else _registry_row_kind(row)


def _idless_row_kind(row: Mapping[str, object]) -> RowKind | None:
    """Area or floor as the WebSocket API answers them; a floor is stored that way as well."""
    if "name" not in row:
        return None
    if "area_id" in row:
        return "area"
    return "floor" if "floor_id" in row else None


def _registry_row_kind(row: Mapping[str, object]) -> RowKind | None:
    """Device, or area as it is stored."""
    if "name" not in row:
        return None
    if "area_id" in row or _DEVICE_KEYS & row.keys():
        return "device"
    return "area" if _AREA_KEYS & row.keys() else None


# The registries of Home Assistant by id, in whichever form the export has them.

RowsById = Mapping[str, JsonRow]


@dataclass(frozen=True, slots=True)
class Registry:
    """Rows by id; empty where the export has none."""

    areas: RowsById
    devices: RowsById
    entities: RowsById
    floors: RowsById
    labels: RowsById

    def area_of(self, entry: JsonRow, device: JsonRow) -> str | None:
        """The entity's own area, else its device's; None when neither is a known one."""
        area = entry.text("area_id") or device.text("area_id")
        return area if area in self.areas else None


def read_registry(export: HomeAssistantExport) -> Registry:
    """The registries of the export."""
    # The list of registry entries is short, what is asked for one by one tells more.
    found: dict[str, JsonRow] = {}
    for entity_id, row in build_rows(export.rows_of("entity"), lambda row: (row.id("entity_id"), row)):
        known = found.get(entity_id)
        said = {name: value for name, value in row.data.items() if value is not None}
        found[entity_id] = replace(row, data={**known.data, **said}) if known else row
    return Registry(
        areas=rows_by_id(export.rows_of("area"), "area_id", "id"),
        devices=rows_by_id(export.rows_of("device"), "id"),
        entities=found,
        floors=rows_by_id(export.rows_of("floor"), "floor_id"),
        labels=rows_by_id(export.rows_of("label"), "label_id"),
    )


def rows_by_id(rows: Iterable[JsonRow], name: str, otherwise: str = "") -> dict[str, JsonRow]:
    """Rows by id, the first of each. Storage calls some ids ``otherwise``.

    One given twice under one name is one thing; under two names the first counts.
    """
    found: dict[str, JsonRow] = {}
    for value, row in build_rows(
        rows, lambda row: ((otherwise and row.text(otherwise)) or row.id(name), row)
    ):
        if _registry_name(found.setdefault(value, row)) != _registry_name(row):
            row.note(name, Phrase("repeats {id!r} under another name", id=value))
    return found


def _registry_name(row: JsonRow) -> str:
    return row.text("name") or row.text("original_name")


def floors_of(registry: Registry) -> tuple[Floor, ...]:
    """The floors, with their usual other names."""
    return with_usual_names(build_rows(registry.floors.values(), _floor))


def _floor(row: JsonRow) -> Floor:
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
