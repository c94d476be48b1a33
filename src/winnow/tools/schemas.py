"""The shapes of the tools, and what a model wrote put into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from winnow.say.messages import message
from winnow.types.dialogue import Language

MOST = 40
"""Calls of one proposal that are read."""


def _closed(properties: Mapping[str, object]) -> dict[str, Any]:
    """An object as strict decoding takes it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_ID = {"type": "string", "maxLength": 200}
_VALUE = {"type": ["number", "boolean", "string"], "maxLength": 500}
_ARGUMENTS = {
    "type": ["array", "null"],
    "items": _closed({"name": {"type": "string", "maxLength": 100}, "value": _VALUE}),
    "maxItems": 20,
}
_CALLS = {
    "type": ["array", "null"],
    "items": _closed({"device": _ID, "command": _ID, "arguments": _ARGUMENTS}),
    "maxItems": MOST,
}
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "act": _closed({"plan": {"type": ["string", "null"], "maxLength": 32}, "calls": _CALLS}),
    "confirm": _closed({"token": {"type": "string", "maxLength": 64}}),
    "answer": _closed(
        {
            "id": {"type": "string", "maxLength": 32},
            "choice": {"type": ["integer", "string"], "maxLength": 80},
        }
    ),
}
"""Tool -> what its arguments have to be."""
LIMITS = frozenset({"maxLength", "maxItems"})
"""What is checked and is nothing to a model."""
NAMES = {
    "device": ("device", "device_id", "id", "entity_id"),
    "command": ("command", "command_id", "call", "do"),
    "arguments": ("arguments", "args"),
}
"""What a part of a call may be called; a briefing has its own short names."""


def schemas(language: Language) -> list[dict[str, Any]]:
    """The tools as OpenAI's function tools, described in that language."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": message(f"tool_{name}", language),
                "strict": True,
                "parameters": _without_limits(schema),
            },
        }
        for name, schema in SCHEMAS.items()
    ]


def in_shape(name: str, raw: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments under the names and in the nesting of the schema, as far as that can be told."""
    if name != "act":
        return raw
    calls = raw.get("calls")
    if isinstance(calls, Mapping):
        calls = [calls]
    if isinstance(calls, Sequence) and not isinstance(calls, str):
        calls = [_call(call) if isinstance(call, Mapping) else call for call in calls]
    return {**raw, "plan": raw.get("plan"), "calls": calls}


def _call(raw: Mapping[str, object]) -> dict[str, object]:
    """One call under its own names; what nobody knows stays, and is told."""
    known = {alias: name for name, aliases in NAMES.items() for alias in aliases}
    call: dict[str, object] = {}
    for key, value in raw.items():
        call.setdefault(known.get(str(key), str(key)), value)
    # Name and value of each; those of an object that is none are named by their places
    arguments_raw = call.get("arguments")
    if isinstance(arguments_raw, Mapping):
        call["arguments"] = [{"name": str(name), "value": value} for name, value in arguments_raw.items()]
    else:
        call["arguments"] = arguments_raw
    return call


def _without_limits(schema: object) -> Any:
    if isinstance(schema, Mapping):
        return {key: _without_limits(value) for key, value in schema.items() if key not in LIMITS}
    return schema
