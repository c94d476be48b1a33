"""What SmartThings devices report: values by attribute, how old they are, and who cannot be reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from winnow.homes.fields import Row, scalar
from winnow.homes.smartthings.component import LONGEST, MAIN, Component
from winnow.types.catalog import Attribute, Scalar


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
