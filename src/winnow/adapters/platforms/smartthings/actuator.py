"""Commands for SmartThings: one body for the commands of a device, scenes by themselves.

A command is accepted or not; its effect shows in the status of its device, a moment later. What a command
takes stands in the table of capabilities (``type``, ``arguments``, ``fixed``), from which, or from a
specification, its id was made as well: ``main-switch-on``; or ``main-switch``, where the value tells what is
done. Arguments of a capability that the table does not know go as they are given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from urllib.parse import quote

from winnow.adapters.platforms.live.rest_client import PostResult, RequestEffort, RestClient, rest_client
from winnow.adapters.platforms.smartthings import capability_table
from winnow.adapters.platforms.smartthings.components import MAIN_COMPONENT
from winnow.adapters.platforms.smartthings.live_home import SmartThingsHome, objects_in
from winnow.language.encode import encode_text
from winnow.language.kinds import hue_and_saturation
from winnow.ports.stores import Clock
from winnow.types.receipt import Outcome, OutcomeStatus
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

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
    takes = capability_table.command_definitions(capability).get(command, {})
    arguments = [_as_type(value, takes.get("type", "")) for value in _ordered_arguments(given, takes)]
    return {"component": component, "capability": capability, "command": command, "arguments": arguments}


def _command_by_value(capability: str, given: dict[str, object]) -> tuple[str, dict[str, object]]:
    """The command of an entry that is a whole capability: its value's name, else the one that takes it."""
    known = capability_table.command_definitions(capability)
    value = given.get("value")
    if isinstance(value, str) and value in known and "type" not in known[value]:
        return value, {}
    return next((name for name, takes in known.items() if "type" in takes), ""), given


def _ordered_arguments(given: Mapping[str, object], takes: capability_table.Definition) -> list[object]:
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
