"""Components of a SmartThings device: what each declares, and what its status reports."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from winnow.adapters.platforms.json_rows import JsonRow, as_scalar
from winnow.types.home import Attribute, Scalar

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
