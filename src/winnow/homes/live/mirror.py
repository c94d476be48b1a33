"""What Home Assistant last told of each of its entities."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from threading import RLock
from typing import Any

from winnow.homes.fields import newest
from winnow.homes.home_assistant.entity import TIMES
from winnow.homes.home_assistant.readings import values_of
from winnow.homes.live.changes import value_changes
from winnow.ports import Clock
from winnow.types.catalog import Scalar
from winnow.types.live import News, Rearranged
from winnow.types.state import Origin, Snapshot

SOURCE = "homeassistant"
ABILITIES = ("friendly_name", "supported_features", "device_class", "unit_of_measurement", "entity_id")
"""Attributes of a state that tell what the entity is, and not how it is."""

Told = Mapping[str, Any]
"""The state of an entity, as the server gives it."""


class Mirror:
    """The states of a home as last told. One task writes it, any thread may read it."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, RLock()
        self._told: dict[str, Told] = {}
        self._values: dict[str, Mapping[str, Scalar]] = {}
        self._origins: dict[str, Mapping[str, Origin]] = {}
        self._read_at: float | None = None

    def __len__(self) -> int:
        """How many entities were told of."""
        return len(self._told)

    def snapshot(self, entity_ids: Collection[str] = ()) -> Snapshot:
        """The states of these entities, or of all, each with its own moment."""
        with self._lock:
            offline = frozenset(i for i, told in self._told.items() if told.get("state") == "unavailable")
            all_of_it = Snapshot(dict(self._values), self._read_at, SOURCE, offline, dict(self._origins))
        return all_of_it.about(entity_ids) if entity_ids else all_of_it

    def told(self, entity_id: str) -> Told | None:
        """The state of one entity as the server gave it; None where it knows no such entity."""
        return self._told.get(entity_id)

    def fill(self, states: Iterable[Told]) -> list[News]:
        """Put all states in the place of what was known; what that changes."""
        told = {str(state["entity_id"]): state for state in states if state.get("entity_id")}
        with self._lock:
            gone = dict.fromkeys(entity_id for entity_id in self._told if entity_id not in told)
            self.touch()
            return [item for pair in {**gone, **told}.items() for item in self._put(*pair)]

    def hear(self, event: Told) -> list[News]:
        """What one ``state_changed`` changes; nothing if it is older than what is known."""
        data = event.get("data") or {}
        entity_id, state = str(data.get("entity_id") or ""), data.get("new_state")
        with self._lock:
            known = self._told.get(entity_id)
            late = known is not None and (moment(state or event, "time_fired") or 0) < (moment(known) or 0)
            if not entity_id or late:
                return []
            self.touch()
            return self._put(entity_id, state)

    def touch(self) -> None:
        """What is known is so now."""
        self._read_at = self._clock.now()

    def _put(self, entity_id: str, state: Told | None) -> list[News]:
        """Keep the state of one entity, or forget it; what that changes."""
        known, before = self._told.get(entity_id), self._values.get(entity_id, {})
        if state is None:
            for part in (self._told, self._values, self._origins):
                part.pop(entity_id, None)
        else:
            values = values_of(str(state.get("state")), state.get("attributes") or {})
            self._told[entity_id], self._values[entity_id] = state, values
            self._origins[entity_id] = dict.fromkeys(values, Origin(SOURCE, moment(state)))
        after = self._values.get(entity_id, {})
        changes: list[News] = list(value_changes(entity_id, before, after, moment(state or {})))
        # What the entity is may have changed, and not only how it is.
        is_another = known is not state
        if known is not None and state is not None:
            is_another = _abilities(known) != _abilities(state)
        return [*changes, Rearranged()] if is_another else changes


def _abilities(state: Told) -> list[object]:
    attributes = state.get("attributes") or {}
    return [attributes.get(name) for name in ABILITIES]


def moment(told: Told, *more: str) -> float | None:
    """Seconds since the epoch of the latest moment it tells; None when it tells none."""
    return newest(told.get(name) for name in (*TIMES, *more))
