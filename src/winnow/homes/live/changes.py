"""What became different between two readings of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from winnow.types.catalog import Scalar
from winnow.types.live import Changed
from winnow.types.state import Snapshot

Values = Mapping[str, Scalar]


def changes(before: Snapshot, after: Snapshot) -> Iterator[Changed]:
    """The values of all devices that became others."""
    for device_id in {**before.values, **after.values}:
        for change in value_changes(device_id, before.of(device_id), after.of(device_id)):
            yield replace(change, at=after.origin(device_id, change.attribute_id).at)


def value_changes(
    device_id: str, before: Values, after: Values, at: float | None = None
) -> Iterator[Changed]:
    """The values of one device that became others at that moment."""
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield Changed(device_id, name, before.get(name), after.get(name), at)
