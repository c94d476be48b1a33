"""The answers of the SmartThings API in an export, with its locations, rooms, floors and scenes.

An answer may be a page (``{"items": [...]}``), a bare list, one thing, or a map of things by device; several
may lie in one document under names of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from winnow.adapters.platforms.bundle import ExportDocument
from winnow.adapters.platforms.json_rows import (
    ImportProblems,
    JsonRow,
    as_scalar,
    build_rows,
    object_rows,
    unique_rows,
)
from winnow.adapters.platforms.traits import floor_of_level
from winnow.types.home import Attribute, Floor, Note, Room, Scalar, Scene

AnswerKind = Literal["device", "status", "health", "room", "location", "scene", "profile", "level"]
"""``profile`` is a row of a command specification, ``level`` says which floor a room is on."""

_MAX_DEPTH = 3
_MARKS: Mapping[str, AnswerKind] = {
    "components": "device",
    "profileId": "profile",
    "healthState": "status",
    "healthStatus": "status",
    "sceneId": "scene",
    "roomId": "room",
    "locationId": "location",
    "floor": "level",
}
"""The fields that tell what a thing is; the first one counts."""


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """The things of one answer."""

    answer: AnswerKind
    rows: tuple[JsonRow, ...]
    page: JsonRow
    """The object that holds them under ``items``; empty when they are no page."""
    key: str
    """The name they stand under in their document."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a document and where it is."""

    data: object
    at: str = ""
    key: str = ""

    def inner(self, key: object, value: object) -> _Piece:
        """What stands under the key."""
        return _Piece(value, f"{self.at}.{key}" if self.at else str(key), str(key))


def is_smartthings(document: ExportDocument) -> bool:
    """Whether it holds devices, rooms, scenes or locations; a status alone tells nobody's home."""
    found = _answer_pieces(_Piece(document.data), 0)
    return any(answer in ("device", "room", "scene", "location") for answer, _ in found)


def answers_in(document: ExportDocument, problems: ImportProblems) -> Iterator[AnswerRows]:
    """Every answer in the document."""
    for answer, piece in _answer_pieces(_Piece(document.data), 0):
        file = document.name
        nothing = JsonRow({}, file, piece.at, problems)
        if isinstance(piece.data, list):
            yield AnswerRows(
                answer, tuple(object_rows(piece.data, file, piece.at, problems)), nothing, piece.key
            )
            continue
        whole = JsonRow(piece.data, file, piece.at, problems) if isinstance(piece.data, dict) else nothing
        if isinstance(whole.data.get("items"), list):
            yield AnswerRows(answer, tuple(whole.rows("items")), whole, piece.key)
            continue
        yield AnswerRows(answer, (whole,), nothing, piece.key)


def _answer_pieces(piece: _Piece, depth: int) -> Iterator[tuple[AnswerKind, _Piece]]:
    answer = _answer_kind(piece.data)
    if answer:
        yield answer, piece
    elif isinstance(piece.data, dict) and depth < _MAX_DEPTH:
        for key, value in piece.data.items():
            yield from _answer_pieces(piece.inner(key, value), depth + 1)


def _answer_kind(data: object) -> AnswerKind | None:
    """What a list, a page of items or one object is; an empty page is one of devices."""
    items = data.get("items") if isinstance(data, dict) else data
    if isinstance(items, list):
        is_empty_page = isinstance(data, dict) and not items and "_links" in data
        return "device" if is_empty_page else _answer_of_items(items)
    return _answer_of_object(data) if isinstance(data, dict) else None


def _answer_of_items(items: list[object]) -> AnswerKind | None:
    """What the items are, by the first that tells."""
    told = (_answer_of_object(item) for item in items if isinstance(item, dict))
    return next(filter(None, told), None)


def _answer_of_object(item: Mapping[str, object]) -> AnswerKind | None:
    """What one object is."""
    parts = item.get("components")
    if isinstance(parts, dict):
        return "status"
    if isinstance(parts, list) and any(isinstance(part, str) for part in parts):
        return None  # Home Assistant's configuration, which names its integrations so
    if "deviceId" in item:
        return "health" if "components" not in item and isinstance(item.get("state"), str) else "device"
    return next((answer for mark, answer in _MARKS.items() if mark in item), None)


# The answers of the API that an export holds, each where it belongs.


@dataclass(slots=True)
class ApiAnswers:
    """The rows of all documents by the answer they are."""

    pages: list[AnswerRows] = field(default_factory=list)
    """Of devices."""
    status: dict[str, JsonRow] = field(default_factory=dict)
    """By device."""
    health: dict[str, JsonRow] = field(default_factory=dict)
    """By device."""
    levels: dict[str, JsonRow] = field(default_factory=dict)
    """By room."""
    rooms: list[JsonRow] = field(default_factory=list)
    locations: list[JsonRow] = field(default_factory=list)
    scenes: list[JsonRow] = field(default_factory=list)
    specs: dict[str, list[JsonRow]] = field(default_factory=dict)
    """Rows of specifications by the name of their document."""
    unknown: list[str] = field(default_factory=list)
    """Names of the documents that hold none of these."""

    def devices(self) -> list[JsonRow]:
        """All devices, each once."""
        return distinct_rows((row for page in self.pages for row in page.rows), "deviceId")

    def add(self, batch: AnswerRows, document: ExportDocument) -> None:
        """Add one answer."""
        match batch.answer:
            case "device":
                self.pages.append(batch)
            case "status":
                self.status = {**_rows_by_device(batch, document), **self.status}
            case "health":
                self.health = {**_rows_by_device(batch, document), **self.health}
            case "profile":
                self.specs.setdefault(document.name, []).extend(batch.rows)
            case "level":
                self.levels.update((batch.key, row) for row in batch.rows)
            case "room":
                self.rooms += batch.rows
            case "location":
                self.locations += batch.rows
            case "scene":
                self.scenes += batch.rows


def read_answers(documents: Iterable[ExportDocument], problems: ImportProblems) -> ApiAnswers:
    """The rows of all documents, each where it belongs."""
    answers = ApiAnswers()
    for document in documents:
        found = list(answers_in(document, problems))
        for batch in found:
            answers.add(batch, document)
        if not found and document.data:
            answers.unknown.append(document.name)
    return answers


def distinct_rows(rows: Iterable[JsonRow], key: str) -> list[JsonRow]:
    """The rows, each id once; an answer may lie beside the file it was merged into.

    Of what comes twice in one document the first counts.
    """
    by_file: dict[str, list[JsonRow]] = {}
    for row in rows:
        by_file.setdefault(row.file, []).append(row)
    kept: dict[str, JsonRow] = {}
    for listed in by_file.values():
        for row in unique_rows(listed, key):
            kept.setdefault(row.text(key) or f"{row.file} {row.path}", row)
    return list(kept.values())


def _rows_by_device(batch: AnswerRows, document: ExportDocument) -> dict[str, JsonRow]:
    """Whose status or health each is: it says so, or stands under the id, or its file is called so."""
    stem = document.name.rpartition("/")[2].partition(".")[0]
    elsewhere = batch.key or stem
    named = ((row.data.get("deviceId"), row) for row in batch.rows)
    return {told if isinstance(told, str) else elsewhere: row for told, row in named}


# The locations, rooms, floors and scenes of a SmartThings account; a home is one location.


@dataclass(frozen=True, slots=True)
class HomeLocation:
    """The location that becomes the home. Two houses in one would be switched off by one word."""

    id: str = ""
    """Empty: nothing tells, so everything belongs to it."""
    name: str = ""

    def holds(self, row: JsonRow) -> bool:
        """Whether the device, room or scene is here; what names no location is."""
        there = row.text("locationId")
        return not there or not self.id or there == self.id


def main_location(answers: ApiAnswers, devices: Sequence[JsonRow]) -> tuple[HomeLocation, tuple[Note, ...]]:
    """The location with most devices, and a note of every other one with how many devices it has."""
    names = {row.text("locationId"): row.text("name") for row in answers.locations}
    counts = Counter(there for row in devices if (there := row.text("locationId")))
    if not counts:
        first = next(iter(names.items()), ("", ""))
        return HomeLocation("", first[1]), ()
    (chosen, _), *others = counts.most_common()
    name = names.get(chosen, "")
    notes = (
        Note("ignored", other, names.get(other, ""), f"another location, {count} devices")
        for other, count in others
    )
    return HomeLocation(chosen, name), tuple(notes)


def rooms_and_floors(
    answers: ApiAnswers, here: HomeLocation, language: str
) -> tuple[dict[str, Room], tuple[Floor, ...]]:
    """Rooms by id, and the floors they are on."""
    # The API knows no floors: a room has the level that somebody wrote down.
    told = {room_id: row.number("floor") for room_id, row in answers.levels.items()}
    levels = {room_id: int(level) for room_id, level in told.items() if level is not None}
    rows = filter(here.holds, distinct_rows(answers.rooms, "roomId"))
    found = {room.id: room for room in build_rows(rows, lambda row: _room(row, levels))}
    used = sorted({levels[room_id] for room_id in found if room_id in levels})
    return found, tuple(floor_of_level(level, language) for level in used)


def _room(row: JsonRow, levels: Mapping[str, int]) -> Room:
    room_id = row.id("roomId")
    floor = f"floor:{levels[room_id]}" if room_id in levels else None
    return Room(id=room_id, name=row.name("name"), floor_id=floor)


def scenes_of(answers: ApiAnswers, here: HomeLocation) -> tuple[Scene, ...]:
    """The scenes of the location."""
    rows = filter(here.holds, distinct_rows(answers.scenes, "sceneId"))
    return tuple(build_rows(rows, _scene))


def _scene(row: JsonRow) -> Scene:
    return Scene(id=row.id("sceneId"), name=row.name("sceneName"), command_id="scene-execute")


# Components of a SmartThings device: what each declares, and what its status reports.

MAIN_COMPONENT = "main"
MAX_VALUE_CHARS = 120
"""Longer texts are dumps for the maker."""
_DISABLED_CAPABILITIES = "custom.disabledCapabilities"

ComponentReadings = Mapping[str, Mapping[str, JsonRow]]
"""Capability -> attribute -> ``{value, unit, timestamp}``."""


@dataclass(frozen=True, slots=True)
class DeviceComponent:
    """``capabilities`` are those declared and not disabled by the device itself."""

    id: str = MAIN_COMPONENT
    label: str = ""
    capabilities: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    """The maker's, then the user's."""
    readings: ComponentReadings = field(default_factory=dict)
    has_status: bool = False
    """Whether a status of the device was there."""

    def value(self, capability: str, attribute: str) -> object:
        """What the status tells; None when it tells nothing."""
        reading = self.readings.get(capability, {}).get(attribute)
        return None if reading is None else reading.data.get("value")

    def names_in(self, capability: str, attribute: str) -> tuple[str, ...]:
        """The names in a list that the status tells: bare, or as ``id`` or ``name`` of objects."""
        value = self.value(capability, attribute)
        items = value if isinstance(value, list) else []
        names = (item.get("id") or item.get("name") if isinstance(item, dict) else item for item in items)
        return tuple(
            dict.fromkeys(str(name) for name in names if isinstance(name, (str, int)) and name != "")
        )

    def unit(self, capability: str, attribute: str) -> str:
        """The unit the status tells; empty when it tells none."""
        reading = self.readings.get(capability, {}).get(attribute)
        unit = reading.data.get("unit") if reading else None
        return unit if isinstance(unit, str) else ""

    @property
    def fingerprint(self) -> Hashable:
        """What bears on what it can do and tell: components with equal facts are alike."""
        told = (
            (capability, attribute, _reading_fingerprint(attribute, reading.data))
            for capability, readings in self.readings.items()
            for attribute, reading in readings.items()
        )
        return (self.id, self.capabilities, *told)

    @property
    def is_silent(self) -> bool:
        """Whether the status tells nothing of it, so that the device does not have it after all."""
        values = (
            reading.data.get("value")
            for capability, readings in self.readings.items()
            if capability != _DISABLED_CAPABILITIES
            for reading in readings.values()
        )
        return self.has_status and all(value in (None, [], {}) for value in values)


def _reading_fingerprint(attribute: str, reading: Mapping[str, object]) -> Hashable:
    """The unit of a reading and what kind of thing it is; of what sets limits, the value itself."""
    value = reading.get("value")
    sets_limits = isinstance(value, (list, dict)) or attribute.startswith(("minimum", "maximum"))
    if sets_limits:
        return str(reading.get("unit")), str(value)
    is_short_text = isinstance(value, str) and 0 < len(value) <= MAX_VALUE_CHARS
    return str(reading.get("unit")), f"{type(value).__name__}{is_short_text}"


def device_components(row: JsonRow, status: JsonRow | None) -> tuple[DeviceComponent, ...]:
    """All components of a device, ``main`` first; a device that declares none has an empty ``main``."""
    declared = {c.text("id"): c for c in row.rows("components") if c.text("id")}
    names = sorted(declared, key=lambda name: name != MAIN_COMPONENT)
    if MAIN_COMPONENT not in declared:
        names, declared = (
            [MAIN_COMPONENT, *names],
            {MAIN_COMPONENT: JsonRow({}, row.file, row.path, row.problems), **declared},
        )
    built = {name: _component(name, declared[name], status) for name in names}
    disabled = built[MAIN_COMPONENT].names_in("custom.disabledComponents", "disabledComponents")
    return tuple(
        component for name, component in built.items() if name == MAIN_COMPONENT or name not in disabled
    )


def _component(name: str, row: JsonRow, status: JsonRow | None) -> DeviceComponent:
    rows = status.row("components").row(name).items() if status is not None else ()
    told = {capability: dict(attributes.items()) for capability, attributes in rows}
    whole = DeviceComponent(name, readings=told)
    disabled = whole.names_in(_DISABLED_CAPABILITIES, "disabledCapabilities")
    declared = (c.text("id") for c in row.rows("capabilities"))
    return DeviceComponent(
        id=name,
        label=row.text("label"),
        capabilities=tuple(dict.fromkeys(c for c in declared if c and c not in disabled)),
        categories=_categories(row),
        readings=told,
        has_status=status is not None,
    )


def _categories(row: JsonRow) -> tuple[str, ...]:
    ordered = sorted(row.rows("categories"), key=lambda c: c.text("categoryType") == "user")
    return tuple(dict.fromkeys(name for c in ordered if (name := c.text("name"))))


# What SmartThings devices report: values by attribute, how old they are, and who cannot be reached.


def reported_values(component: DeviceComponent, attributes: Iterable[Attribute]) -> dict[str, Scalar]:
    """Attribute id -> value, of the attributes and of all else that is one value: ``main-switch-switch``."""
    wanted = {attribute.id for attribute in attributes}
    told = ((entry, reading.data["value"]) for entry, reading in _readings_with_ids(component))
    # Whether it is one value; lists of what is supported and dumps for the maker are no states
    return {
        entry: as_scalar(value)
        for entry, value in told
        if entry in wanted or (not isinstance(value, (list, dict)) and len(str(value)) <= MAX_VALUE_CHARS)
    }


def report_times(components: Iterable[DeviceComponent]) -> Iterator[object]:
    """When each value was reported, as the status says it."""
    return (r.data.get("timestamp") for component in components for _, r in _readings_with_ids(component))


def _readings_with_ids(component: DeviceComponent) -> Iterator[tuple[str, JsonRow]]:
    for capability, attributes in component.readings.items():
        for attribute, reading in attributes.items():
            if reading.data.get("value") is not None:
                yield f"{component.id}-{capability}-{attribute}", reading


_OFFLINE_WORDS = frozenset({"offline", "unhealthy"})


def is_offline(row: JsonRow, status: JsonRow | None, health: JsonRow | None) -> bool:
    """Whether the device's health is known to be bad: in the device, its status or a health answer."""
    sources = [source for source in (row, status) if source is not None]
    said = [source.data.get(key) for source in sources for key in ("healthState", "healthStatus")]
    if health is not None:
        said.append(health.data.get("state"))
    if status is not None:
        said += _health_check_values(status.row("components").row(MAIN_COMPONENT).row("healthCheck"))
    words = (state.get("state") if isinstance(state, dict) else state for state in said)
    return any(str(word).lower() in _OFFLINE_WORDS for word in words)


def _health_check_values(check: JsonRow) -> list[object]:
    """What the health check capability tells."""
    return [check.row(key).data.get("value") for key in ("DeviceWatch-DeviceStatus", "healthStatus")]
