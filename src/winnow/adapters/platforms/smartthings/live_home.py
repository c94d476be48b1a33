"""A SmartThings home that runs: what it consists of, how it is, and what becomes different."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from winnow.adapters.platforms.json_rows import newest
from winnow.adapters.platforms.live.linked_homes import changes
from winnow.adapters.platforms.live.rest_client import Effort, Gates, Item, Parameters, Rest, Tokens, opened
from winnow.adapters.platforms.live.server import Address, Pauses
from winnow.errors import LinkError
from winnow.types.state import Joined, Lost, News, Origin, Progress, Rearranged, Snapshot, silent

ALL: Parameters = {"includeStatus": "true", "includeHealth": "true"}
"""Asks for states along with the devices, which spares two requests for each of them."""
FEW = 20
"""Devices that are asked for by their ids; of more, all are."""

Reported = Callable[[Mapping[str, object]], Snapshot]
"""What the importer reads from documents of devices and their status."""


@dataclass
class SmartThingsLink:
    """Reads the SmartThings homes that a token may see. Nothing is sent before it is asked for."""

    at: Address
    tokens: Tokens
    reported: Reported
    effort: Effort = field(default_factory=Effort)
    every: float = 30.0
    """Seconds between two looks while the home is watched: the API tells nothing by itself."""
    pauses: Pauses = field(default_factory=Pauses)
    gates: Gates = field(default_factory=Gates)
    """When the server takes requests again, known to all who use the link."""
    known: frozenset[str] = frozenset()
    """Ids of the devices that were seen."""

    async def documents(self, progress: Progress = silent) -> dict[str, object]:
        """What the home consists of and how it is, as the answers that tell it. Raises LinkError."""
        async with self._opened() as rest:
            locations = await rest.items("locations")
            progress("locations", len(locations))
            rooms = [room for location in locations for room in await _rooms(rest, location)]
            progress("rooms", len(rooms))
            devices = await rest.items("devices", ALL)
            progress("devices", len(devices))
            scenes = await _allowed(rest.items("scenes"))
            progress("scenes", len(scenes))
            status = await _status(rest, devices)
            progress("status", len(status))
        listed = {"locations": locations, "rooms": rooms, "devices": devices, "scenes": scenes}
        return {**{name: {"items": items} for name, items in listed.items()}, "status": status}

    async def read(self, device_ids: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, as they are now. Raises LinkError."""
        async with self._opened() as rest:
            # The list is narrowed to the devices that these are, or are parts of; not where unsure.
            wanted = sorted(d for d in self.known if any(i.startswith(d) for i in device_ids))
            is_sure = len(device_ids) <= FEW and all(i.startswith(tuple(wanted)) for i in device_ids)
            narrowed = {"deviceId": wanted} if is_sure and wanted else {}
            devices = await rest.items("devices", {**ALL, **narrowed})
            snapshot = await self._snapshot(rest, devices)
        return snapshot.about(device_ids) if device_ids else snapshot

    async def news(self) -> AsyncIterator[News]:
        """What becomes different, for as long as one listens. Raises LinkError as Home Assistant's do."""
        last: _Look | None = None
        lost = False
        async with self._opened() as rest:
            while True:
                try:
                    devices = await rest.items("devices", ALL)
                    look = _Look(
                        json.dumps([_thing(device) for device in devices], sort_keys=True),
                        await self._snapshot(rest, devices),
                    )
                except LinkError as error:
                    if last is None or not error.retryable:
                        raise
                    lost, pause = True, self.pauses.next(error.retry_after)
                    yield Lost(error.message, pause)
                    await asyncio.sleep(pause)
                    continue
                for item in _since(last, look, lost=lost):
                    yield item
                last, lost = look, False
                self.pauses.over()
                await asyncio.sleep(self.every)

    async def _snapshot(self, rest: Rest, devices: list[Item]) -> Snapshot:
        status = await _status(rest, devices)
        self.known = frozenset(str(device.get("deviceId")) for device in devices) | self.known
        # Each value comes with the moment its device told it; a part is called DEVICE/COMPONENT.
        states = self.reported({"devices": {"items": devices}, "status": status})
        moments = {device_id: dict(_moments(told)) for device_id, told in status.items()}
        origins: dict[str, dict[str, Origin]] = {}
        for thing, values in states.values.items():
            known = moments.get(thing.partition("/")[0], {})
            origins[thing] = {name: Origin(states.source, known[name]) for name in values if name in known}
        return replace(states, origins=origins)

    def _opened(self) -> AbstractAsyncContextManager[Rest]:
        return opened(self.at, self.tokens, self.effort, self.gates)


def _moments(told: Item) -> Iterator[tuple[str, float | None]]:
    """(attribute id, when it was told) of every attribute of a device: ``main-switch-switch``."""
    for component, capabilities in _objects(told.get("components")):
        for capability, attributes in _objects(capabilities):
            for attribute, reading in _objects(attributes):
                yield f"{component}-{capability}-{attribute}", newest([reading.get("timestamp")])


def _objects(value: object) -> Iterator[tuple[str, Item]]:
    """The members that are objects; none where it is no object itself."""
    members = value.items() if isinstance(value, dict) else ()
    return ((name, member) for name, member in members if isinstance(member, dict))


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at the home: what it is made of, and how it is."""

    made_of: str
    states: Snapshot


def _since(last: _Look | None, look: _Look, *, lost: bool) -> list[News]:
    """What is to be told of a look after the last one."""
    if last is None:
        return [Joined(len(look.states.values)), Rearranged()]
    joined: list[News] = [Joined(len(look.states.values), again=True)] if lost else []
    rearranged: list[News] = [] if last.made_of == look.made_of else [Rearranged()]
    return [*joined, *changes(last.states, look.states), *rearranged]


def _thing(device: Item) -> dict[str, object]:
    """What a device is, without how it is."""
    told = {name: value for name, value in device.items() if name not in ("components", "healthState")}
    parts = [
        (part.get("id"), sorted(map(_capability, _listed(part, "capabilities")))) for part in _parts(device)
    ]
    return {**told, "parts": parts}


async def _rooms(rest: Rest, location: Item) -> list[Item]:
    return await _allowed(rest.items(f"locations/{location.get('locationId')}/rooms"))


async def _allowed(items: Awaitable[list[Item]]) -> list[Item]:
    """The items; none where the token may not read them. Raises LinkError."""
    try:
        return await items
    except LinkError as error:
        if error.code != "refused":
            raise
        return []


async def _status(rest: Rest, devices: Iterable[Item]) -> dict[str, Item]:
    """Device id -> its status and health: what came along, else what it is asked for. Raises LinkError."""
    found = await asyncio.gather(*(_status_of(rest, device) for device in devices))
    return {str(device.get("deviceId")): told for device, told in zip(devices, found, strict=True)}


async def _status_of(rest: Rest, device: Item) -> Item:
    place = f"devices/{device.get('deviceId')}"
    # What came along with the device gets the shape it has alone.
    told = {str(part.get("id")): _told(part) for part in _parts(device)}
    status: Item = {"components": told} if any(told.values()) else await _one(rest, f"{place}/status")
    if "healthState" in device:
        return status
    health = await _one(rest, f"{place}/health")
    return {**status, "healthState": {"state": health.get("state")}} if health else status


async def _one(rest: Rest, path: str) -> Item:
    """The object; empty where there is none, or the token may not read it. Raises LinkError."""
    try:
        told = await rest.get(path)
    except LinkError as error:
        if error.code != "refused":
            raise
        return {}
    return told if isinstance(told, dict) else {}


def _told(part: Item) -> dict[str, Any]:
    """Capability -> what it tells."""
    known = _listed(part, "capabilities")
    return {_capability(one): one["status"] for one in known if isinstance(one.get("status"), dict)}


def _parts(device: Item) -> list[Item]:
    return _listed(device, "components")


def _listed(row: Item, name: str) -> list[Item]:
    """The objects of a list; none where there is no such list."""
    value = row.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _capability(row: Item) -> str:
    return str(row.get("id"))
