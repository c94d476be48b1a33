"""One component of a SmartThings device: what it declares, and what its status tells."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from winnow.adapters.platforms.json_rows import Row, scalar
from winnow.types.home import Attribute, Scalar

MAIN = "main"
LONGEST = 120
"""Longer texts are dumps for the maker."""
_SWITCHED_OFF = "custom.disabledCapabilities"

Told = Mapping[str, Mapping[str, Row]]
"""Capability -> attribute -> ``{value, unit, timestamp}``."""


@dataclass(frozen=True, slots=True)
class Component:
    """``capabilities`` are those declared and not disabled by the device itself."""

    id: str = MAIN
    label: str = ""
    capabilities: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    """The maker's, then the user's."""
    told: Told = field(default_factory=dict)
    asked: bool = False
    """Whether a status of the device was there."""

    def value(self, capability: str, attribute: str) -> object:
        """What the status tells; None when it tells nothing."""
        reading = self.told.get(capability, {}).get(attribute)
        return None if reading is None else reading.data.get("value")

    def listed(self, capability: str, attribute: str) -> tuple[str, ...]:
        """The names in a list that the status tells: bare, or as ``id`` or ``name`` of objects."""
        value = self.value(capability, attribute)
        items = value if isinstance(value, list) else []
        names = (item.get("id") or item.get("name") if isinstance(item, dict) else item for item in items)
        return tuple(
            dict.fromkeys(str(name) for name in names if isinstance(name, (str, int)) and name != "")
        )

    def unit(self, capability: str, attribute: str) -> str:
        """The unit the status tells; empty when it tells none."""
        reading = self.told.get(capability, {}).get(attribute)
        unit = reading.data.get("unit") if reading else None
        return unit if isinstance(unit, str) else ""

    @property
    def facts(self) -> Hashable:
        """What bears on what it can do and tell: components with equal facts are alike."""
        told = (
            (capability, attribute, _fact(attribute, reading.data))
            for capability, readings in self.told.items()
            for attribute, reading in readings.items()
        )
        return (self.id, self.capabilities, *told)

    @property
    def is_silent(self) -> bool:
        """Whether the status tells nothing of it, so that the device does not have it after all."""
        values = (
            reading.data.get("value")
            for capability, readings in self.told.items()
            if capability != _SWITCHED_OFF
            for reading in readings.values()
        )
        return self.asked and all(value in (None, [], {}) for value in values)


def _fact(attribute: str, reading: Mapping[str, object]) -> Hashable:
    """The unit of a reading and what kind of thing it is; of what sets limits, the value itself."""
    value = reading.get("value")
    sets_limits = isinstance(value, (list, dict)) or attribute.startswith(("minimum", "maximum"))
    if sets_limits:
        return str(reading.get("unit")), str(value)
    is_short_text = isinstance(value, str) and 0 < len(value) <= LONGEST
    return str(reading.get("unit")), f"{type(value).__name__}{is_short_text}"


def components(row: Row, status: Row | None) -> tuple[Component, ...]:
    """All components of a device, ``main`` first; a device that declares none has an empty ``main``."""
    declared = {c.text("id"): c for c in row.rows("components") if c.text("id")}
    names = sorted(declared, key=lambda name: name != MAIN)
    if MAIN not in declared:
        names, declared = [MAIN, *names], {MAIN: Row({}, row.file, row.path, row.problems), **declared}
    built = {name: _component(name, declared[name], status) for name in names}
    disabled = built[MAIN].listed("custom.disabledComponents", "disabledComponents")
    return tuple(component for name, component in built.items() if name == MAIN or name not in disabled)


def _component(name: str, row: Row, status: Row | None) -> Component:
    told = dict(_told(status.row("components").row(name))) if status is not None else {}
    whole = Component(name, told=told)
    disabled = whole.listed(_SWITCHED_OFF, "disabledCapabilities")
    declared = (c.text("id") for c in row.rows("capabilities"))
    return Component(
        id=name,
        label=row.text("label"),
        capabilities=tuple(dict.fromkeys(c for c in declared if c and c not in disabled)),
        categories=_categories(row),
        told=told,
        asked=status is not None,
    )


def _told(row: Row) -> Iterator[tuple[str, Mapping[str, Row]]]:
    for capability, attributes in row.items():
        yield capability, dict(attributes.items())


def _categories(row: Row) -> tuple[str, ...]:
    ordered = sorted(row.rows("categories"), key=lambda c: c.text("categoryType") == "user")
    return tuple(dict.fromkeys(name for c in ordered if (name := c.text("name"))))


# What SmartThings devices report: values by attribute, how old they are, and who cannot be reached.


def values(component: Component, attributes: Iterable[Attribute]) -> dict[str, Scalar]:
    """Attribute id -> value, of the attributes and of all else that is one value: ``main-switch-switch``."""
    wanted = {attribute.id for attribute in attributes}
    told = ((entry, reading.data["value"]) for entry, reading in _readings(component))
    return {entry: scalar(value) for entry, value in told if entry in wanted or _is_short(value)}


def _is_short(value: object) -> bool:
    """Whether it is one value; lists of what is supported and dumps for the maker are no states."""
    return not isinstance(value, (list, dict)) and len(str(value)) <= LONGEST


def times(components: Iterable[Component]) -> Iterator[object]:
    """When each value was reported, as the status says it."""
    return (r.data.get("timestamp") for component in components for _, r in _readings(component))


def _readings(component: Component) -> Iterator[tuple[str, Row]]:
    for capability, attributes in component.told.items():
        for attribute, reading in attributes.items():
            if reading.data.get("value") is not None:
                yield f"{component.id}-{capability}-{attribute}", reading


_BAD = frozenset({"offline", "unhealthy"})


def is_offline(row: Row, status: Row | None, health: Row | None) -> bool:
    """Whether the device's health is known to be bad: in the device, its status or a health answer."""
    sources = [source for source in (row, status) if source is not None]
    said = [source.data.get(key) for source in sources for key in ("healthState", "healthStatus")]
    if health is not None:
        said.append(health.data.get("state"))
    if status is not None:
        said += _checked(status.row("components").row(MAIN).row("healthCheck"))
    words = (state.get("state") if isinstance(state, dict) else state for state in said)
    return any(str(word).lower() in _BAD for word in words)


def _checked(check: Row) -> list[object]:
    """What the health check capability tells."""
    return [check.row(key).data.get("value") for key in ("DeviceWatch-DeviceStatus", "healthStatus")]
