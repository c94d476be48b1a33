"""A SmartThings home that runs: what it consists of, how it is, and what becomes different."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any
from urllib.parse import quote

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.json_rows import latest_time
from winnow.adapters.platforms.live.linked_homes import state_changes
from winnow.adapters.platforms.live.rest_client import (
    AccessTokens,
    JsonObject,
    PostResult,
    QueryParameters,
    RateLimitGates,
    RequestEffort,
    RestClient,
    rest_client,
)
from winnow.adapters.platforms.live.server import ServerAddress
from winnow.adapters.platforms.smartthings.abilities import Definition, command_definitions
from winnow.adapters.platforms.smartthings.export import MAIN_COMPONENT
from winnow.errors import LinkError
from winnow.language.encode import encode_text
from winnow.language.kinds import hue_and_saturation
from winnow.ports.stores import Clock
from winnow.types.receipt import Outcome, OutcomeStatus
from winnow.types.scope import Scope
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
from winnow.types.verdict import Call

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


# Commands for SmartThings: one body for the commands of a device, scenes by themselves.

# A call as the commands API wants it: component, capability, command, arguments in order and of their
# type.

CommandBody = dict[str, object]
"""``{"component": "main", "capability": "switch", "command": "on", "arguments": []}``."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def device_of(call: Call) -> str:
    """The device that a call is sent to: that of a part stands before the slash."""
    return call.device_id.partition("/")[0]


def command_body(call: Call) -> CommandBody | None:
    """The call as one of ``commands``; None for a command that nothing can be made of."""
    component = call.device_id.partition("/")[2] or MAIN_COMPONENT
    capability, _, command = call.command_id.removeprefix(f"{component}-").partition("-")
    if not call.command_id.startswith(f"{component}-") or not capability:
        return None
    given = dict(call.arguments)
    if not command:
        command, given = _command_by_value(capability, given)
    if not command:
        return None
    takes = command_definitions(capability).get(command, {})
    arguments = [_as_type(value, takes.get("type", "")) for value in _ordered_arguments(given, takes)]
    return {"component": component, "capability": capability, "command": command, "arguments": arguments}


def _command_by_value(capability: str, given: dict[str, object]) -> tuple[str, dict[str, object]]:
    """The command of an entry that is a whole capability: its value's name, else the one that takes it."""
    known = command_definitions(capability)
    value = given.get("value")
    if isinstance(value, str) and value in known and "type" not in known[value]:
        return value, {}
    return next((name for name, takes in known.items() if "type" in takes), ""), given


def _ordered_arguments(given: Mapping[str, object], takes: Definition) -> list[object]:
    """The arguments as the definition lists them, with those that always go along; else as they came."""
    names: Sequence[str] = takes.get("arguments", ())
    value = given.get("value")
    spread = value if names and isinstance(value, Mapping) else {}
    named = {**takes.get("fixed", {}), **given, **spread}
    if spread:
        del named["value"]
    if "value" in named or not names:
        return list(named.values())
    known = [named[name] for name in names if name in named]
    return [*known, *(value for name, value in named.items() if name not in names)]


def _as_type(value: object, kind: str) -> object:
    """The value as JSON of that kind: 21.0 is 21, the number 3 of an enum is ``"3"``, red is a hue."""
    if kind == "color":
        told = hue_and_saturation(value) if isinstance(value, str) else None
        return {"hue": told[0], "saturation": told[1]} if told else value
    if kind in ("enum", "string"):
        return f"{value:g}" if type(value) in (int, float) else value
    if kind in ("integer", "number") and _NUMBER.fullmatch(str(value)):
        value = float(str(value))
    return _plain_number(value, whole=kind == "integer")


def _plain_number(value: object, *, whole: bool) -> object:
    """A number without a fraction that says nothing, or that the command does not take."""
    if not isinstance(value, float):
        return value
    return round(value) if whole or value.is_integer() else value


SCENE_COMMAND = "scene-execute"
MAX_COMMANDS_PER_REQUEST = 10
"""Commands that one request may hold."""
COMMAND_EFFORT = RequestEffort(seconds=6.0, tries=4, patience=3.0)
"""For one call, in less than the 10 seconds that are waited for it: whoever was cut off while it waited for
its turn would not know that nothing was sent. A longer pause is told instead."""
MAX_QUOTED_CHARS = 160
"""Characters quoted of what a server says."""
STATUS_OF_RESULT: Mapping[str, OutcomeStatus] = {"ACCEPTED": "sent", "COMPLETED": "sent", "FAILED": "failed"}
"""What is said of one command -> what came of it; of anything else nobody knows."""
CODE_OF_REFUSAL = {401: "token_rights", 403: "token_rights", 404: "no_such_device", 409: "not_ready"}
"""Status of a refusal -> why. 409: off line, or in a state that does not allow it."""
UNDECIDED_STATUSES = (408, 424)
"""Refusals after which nobody knows: whoever stands behind SmartThings did not answer in time."""


@dataclass
class SmartThingsActuator:
    """``Actuator`` of the homes behind a link, with whose token and limits it works."""

    link: SmartThingsHome
    clock: Clock
    effort: RequestEffort = COMMAND_EFFORT

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:  # noqa: ARG002 - one home only
        """The states of these devices, or of all, as the server tells them now. Raises LinkError."""
        asked = self.clock.now()
        told = await self.link.read(refs)
        return replace(told, read_at=asked)  # by itself it is as old as what a device said last

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:  # noqa: ARG002
        """What came of each call, in their order; none is sent a second time but where it was turned away."""
        link = self.link
        async with rest_client(link.address, link.tokens, self.effort, link.gates) as rest:
            # One request holds calls for one device that follow each other; a scene goes alone.
            requests: list[list[Call]] = []
            for (_, scene), group in groupby(
                calls, lambda call: (device_of(call), call.command_id == SCENE_COMMAND)
            ):
                listed, most = list(group), 1 if scene else MAX_COMMANDS_PER_REQUEST
                requests.extend(listed[at : at + most] for at in range(0, len(listed), most))
            return tuple([outcome for piece in requests for outcome in await _execute_request(rest, piece)])


async def _execute_request(rest: RestClient, calls: Sequence[Call]) -> list[Outcome]:
    """What came of the calls of one request."""
    if calls[0].command_id == SCENE_COMMAND:
        return _outcomes(calls, await rest.post(f"scenes/{quote(calls[0].device_id, safe='')}/execute"))
    bodies = [command_body(call) for call in calls]
    able = [(call, body) for call, body in zip(calls, bodies, strict=True) if body is not None]
    if able:
        target = quote(device_of(able[0][0]), safe="")
        posted = await rest.post(f"devices/{target}/commands", {"commands": [body for _, body in able]})
        sent = iter(_outcomes([call for call, _ in able], posted))
    else:
        sent = iter(())
    return [
        next(sent) if body else Outcome(call, "failed", "no_such_command", {"what": call.command_id})
        for call, body in zip(calls, bodies, strict=True)
    ]


def _outcomes(calls: Sequence[Call], posted: PostResult) -> list[Outcome]:
    """What came of each call by what the server said of all of them."""
    if posted.error is not None:
        return [_unanswered_outcome(call, posted, posted.error.retry_after) for call in calls]
    if posted.status >= 300:
        return [_refusal_outcome(call, posted) for call in calls]
    results = objects_in(posted.content, "results")
    said = [STATUS_OF_RESULT.get(str(result.get("status")), "unknown") for result in results]
    said = said or ["sent"] * len(calls)  # a scene, and older servers, say no more than that they took it
    said += ["unknown"] * (len(calls) - len(said))
    codes = {"failed": "device_failed", "unknown": "no_answer"}
    return [Outcome(call, status, codes.get(status, "")) for call, status in zip(calls, said, strict=False)]


def _unanswered_outcome(call: Call, posted: PostResult, pause: float) -> Outcome:
    """Of a call to which there was no answer that tells what became of it."""
    error = posted.error
    assert error is not None
    facts = {"why": str(error)}
    if posted.may_be_done:
        code = "home_in_trouble" if posted.status >= 500 else "no_answer"
        return Outcome(call, "unknown", code, facts, retry_after=pause)
    if error.code == "rate_limited":
        return Outcome(call, "failed", "home_busy", {"seconds": round(pause, 1)}, retry_after=pause)
    if error.retryable:
        return Outcome(call, "failed", "home_unreachable", facts, retry_after=pause)
    return Outcome(call, "failed", CODE_OF_REFUSAL.get(posted.status, "home_unreachable"), facts)


def _refusal_outcome(call: Call, posted: PostResult) -> Outcome:
    """Of a call that the server turned down."""
    content = posted.content if isinstance(posted.content, dict) else {}
    error: Any = content.get("error")
    details = objects_in(error, "details")
    said = [part.get("message") for part in (*details, error if isinstance(error, dict) else {})]
    message = next((text for text in said if isinstance(text, str) and text.strip()), "")
    facts = {"why": encode_text(f"{message} ({posted.status})".strip(), MAX_QUOTED_CHARS)}
    if posted.status in UNDECIDED_STATUSES:
        return Outcome(call, "unknown", "no_answer", facts, retry_after=0.0)
    return Outcome(call, "failed", CODE_OF_REFUSAL.get(posted.status, "home_refused"), facts)
