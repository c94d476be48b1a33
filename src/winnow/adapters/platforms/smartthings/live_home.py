"""A SmartThings home that runs: what it consists of, how it is, and what becomes different."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.json_rows import latest_time
from winnow.adapters.platforms.live.linked_homes import state_changes
from winnow.adapters.platforms.live.rest_client import (
    AccessTokens,
    JsonObject,
    QueryParameters,
    RateLimitGates,
    RequestEffort,
    RestClient,
    rest_client,
)
from winnow.adapters.platforms.live.server import ServerAddress
from winnow.errors import LinkError
from winnow.types.state import (
    Connected,
    ConnectionLost,
    HomeChange,
    HomeEvent,
    Origin,
    ReadProgress,
    Snapshot,
    no_read_progress,
)

WITH_STATUS: QueryParameters = {"includeStatus": "true", "includeHealth": "true"}
"""Asks for states along with the devices, which spares two requests for each of them."""
MAX_DEVICES_BY_ID = 20
"""Devices that are asked for by their ids; of more, all are."""

ReadStates = Callable[[Mapping[str, object]], Snapshot]
"""What the importer reads from documents of devices and their status."""


@dataclass
class SmartThingsHome:
    """Reads the SmartThings homes that a token may see. Nothing is sent before it is asked for."""

    address: ServerAddress
    tokens: AccessTokens
    read_states: ReadStates
    effort: RequestEffort = field(default_factory=RequestEffort)
    poll_seconds: float = 30.0
    """Seconds between two looks while the home is watched: the API tells nothing by itself."""
    backoff: Backoff = field(default_factory=Backoff)
    gates: RateLimitGates = field(default_factory=RateLimitGates)
    """When the server takes requests again, known to all who use the link."""
    seen_ids: frozenset[str] = frozenset()
    """Ids of the devices that were seen."""

    async def documents(self, progress: ReadProgress = no_read_progress) -> dict[str, object]:
        """What the home consists of and how it is, as the answers that tell it. Raises LinkError."""
        async with self._client() as rest:
            locations = await rest.items("locations")
            progress("locations", len(locations))
            rooms = list[JsonObject]()
            for location in locations:
                path = f"locations/{location.get('locationId')}/rooms"
                rooms += await _items_if_allowed(rest.items(path))
            progress("rooms", len(rooms))
            devices = await rest.items("devices", WITH_STATUS)
            progress("devices", len(devices))
            scenes = await _items_if_allowed(rest.items("scenes"))
            progress("scenes", len(scenes))
            status = await _status(rest, devices)
            progress("status", len(status))
        listed = {"locations": locations, "rooms": rooms, "devices": devices, "scenes": scenes}
        return {**{name: {"items": items} for name, items in listed.items()}, "status": status}

    async def read(self, device_ids: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, as they are now. Raises LinkError."""
        async with self._client() as rest:
            # The list is narrowed to the devices that these are, or are parts of; not where unsure.
            wanted = sorted(d for d in self.seen_ids if any(i.startswith(d) for i in device_ids))
            is_sure = len(device_ids) <= MAX_DEVICES_BY_ID and all(
                i.startswith(tuple(wanted)) for i in device_ids
            )
            narrowed = {"deviceId": wanted} if is_sure and wanted else {}
            devices = await rest.items("devices", {**WITH_STATUS, **narrowed})
            snapshot = await self._snapshot(rest, devices)
        return snapshot.about(device_ids) if device_ids else snapshot

    async def news(self) -> AsyncIterator[HomeEvent]:
        """What becomes different, for as long as one listens. Raises LinkError as Home Assistant's do."""
        last: _Poll | None = None
        lost = False
        async with self._client() as rest:
            while True:
                try:
                    devices = await rest.items("devices", WITH_STATUS)
                    look = _Poll(
                        json.dumps([_device_identity(device) for device in devices], sort_keys=True),
                        await self._snapshot(rest, devices),
                    )
                except LinkError as error:
                    if last is None or not error.retryable:
                        raise
                    lost, pause = True, self.backoff.next_pause(error.retry_after)
                    yield ConnectionLost(error.message, pause)
                    await asyncio.sleep(pause)
                    continue
                for item in _news_between(last, look, lost=lost):
                    yield item
                last, lost = look, False
                self.backoff.reset()
                await asyncio.sleep(self.poll_seconds)

    async def _snapshot(self, rest: RestClient, devices: list[JsonObject]) -> Snapshot:
        status = await _status(rest, devices)
        self.seen_ids = frozenset(str(device.get("deviceId")) for device in devices) | self.seen_ids
        # Each value comes with the moment its device told it; a part is called DEVICE/COMPONENT.
        states = self.read_states({"devices": {"items": devices}, "status": status})
        moments = {device_id: dict(_attribute_times(told)) for device_id, told in status.items()}
        origins: dict[str, dict[str, Origin]] = {}
        for thing, values in states.values.items():
            known = moments.get(thing.partition("/")[0], {})
            origins[thing] = {name: Origin(states.source, known[name]) for name in values if name in known}
        return replace(states, origins=origins)

    def _client(self) -> AbstractAsyncContextManager[RestClient]:
        return rest_client(self.address, self.tokens, self.effort, self.gates)


def _attribute_times(told: JsonObject) -> Iterator[tuple[str, float | None]]:
    """(attribute id, when it was told) of every attribute of a device: ``main-switch-switch``."""
    for component, capabilities in _object_members(told.get("components")):
        for capability, attributes in _object_members(capabilities):
            for attribute, reading in _object_members(attributes):
                yield f"{component}-{capability}-{attribute}", latest_time([reading.get("timestamp")])


def _object_members(value: object) -> Iterator[tuple[str, JsonObject]]:
    """The members that are objects; none where it is no object itself."""
    members = value.items() if isinstance(value, dict) else ()
    return ((name, member) for name, member in members if isinstance(member, dict))


@dataclass(frozen=True, slots=True)
class _Poll:
    """One look at the home: what it is made of, and how it is."""

    made_of: str
    states: Snapshot


def _news_between(last: _Poll | None, look: _Poll, *, lost: bool) -> list[HomeEvent]:
    """What is to be told of a look after the last one."""
    if last is None:
        return [Connected(len(look.states.values)), HomeChange()]
    joined: list[HomeEvent] = [Connected(len(look.states.values), again=True)] if lost else []
    rearranged: list[HomeEvent] = [] if last.made_of == look.made_of else [HomeChange()]
    return [*joined, *state_changes(last.states, look.states), *rearranged]


def _device_identity(device: JsonObject) -> dict[str, object]:
    """What a device is, without how it is."""
    told = {name: value for name, value in device.items() if name not in ("components", "healthState")}
    parts = [
        (part.get("id"), sorted(map(_capability, objects_in(part, "capabilities"))))
        for part in objects_in(device, "components")
    ]
    return {**told, "parts": parts}


async def _items_if_allowed(items: Awaitable[list[JsonObject]]) -> list[JsonObject]:
    """The items; none where the token may not read them. Raises LinkError."""
    try:
        return await items
    except LinkError as error:
        if error.code != "refused":
            raise
        return []


async def _status(rest: RestClient, devices: Iterable[JsonObject]) -> dict[str, JsonObject]:
    """Device id -> its status and health: what came along, else what it is asked for. Raises LinkError."""
    found = await asyncio.gather(*(_status_of(rest, device) for device in devices))
    return {str(device.get("deviceId")): told for device, told in zip(devices, found, strict=True)}


async def _status_of(rest: RestClient, device: JsonObject) -> JsonObject:
    place = f"devices/{device.get('deviceId')}"
    # What came along with the device gets the shape it has alone.
    told = {str(part.get("id")): _component_status(part) for part in objects_in(device, "components")}
    status: JsonObject = (
        {"components": told} if any(told.values()) else await _object_if_allowed(rest, f"{place}/status")
    )
    if "healthState" in device:
        return status
    health = await _object_if_allowed(rest, f"{place}/health")
    return {**status, "healthState": {"state": health.get("state")}} if health else status


async def _object_if_allowed(rest: RestClient, path: str) -> JsonObject:
    """The object; empty where there is none, or the token may not read it. Raises LinkError."""
    try:
        told = await rest.get(path)
    except LinkError as error:
        if error.code != "refused":
            raise
        return {}
    return told if isinstance(told, dict) else {}


def _component_status(part: JsonObject) -> dict[str, Any]:
    """Capability -> what it tells."""
    known = objects_in(part, "capabilities")
    return {_capability(one): one["status"] for one in known if isinstance(one.get("status"), dict)}


def objects_in(row: object, name: str) -> list[JsonObject]:
    """The objects of a list in an answer; none where there is no such list."""
    value = row.get(name) if isinstance(row, dict) else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _capability(row: JsonObject) -> str:
    return str(row.get("id"))
