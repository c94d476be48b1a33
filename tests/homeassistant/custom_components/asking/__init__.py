"""An agent without a model: what it would be given, and the tools it would call, over the WebSocket."""

from __future__ import annotations

import re
from typing import Any

import voluptuous as vol
from homeassistant.components import conversation, websocket_api
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import chat_session, llm
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from voluptuous_openapi import convert

DOMAIN = "asking"
KINDS = ("light", "switch", "cover", "climate", "sensor", "fan")
NAMES = ("Lamp", "Socket", "Blind", "Thermostat", "Meter", "Fan")
STATES = ("on", "off", "open", "heat", "21.5", "off")
FEATURES = (0, 0, 15, 385, 0, 49)
ROOM = 10
"""Entities in one room."""


async def async_setup(hass: HomeAssistant, config: dict[str, Any]) -> bool:
    """Register what tests ask."""
    for command in (apis, given, called, populate, conversed, broken, satellite, engine):
        websocket_api.async_register_command(hass, command)
    return True


@callback
@websocket_api.websocket_command({"type": "asking/apis"})
def apis(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """The APIs an agent may choose from."""
    connection.send_result(msg["id"], [api.id for api in llm.async_get_apis(hass)])


TURN = {
    vol.Required("api"): str,
    vol.Optional("prompt"): vol.Any(str, None),
    vol.Optional("talk"): str,
    vol.Optional("language", default="en"): str,
    vol.Optional("user"): str,
    vol.Optional("message"): str,
}


async def _instance(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> llm.APIInstance:
    """What an agent gets that answers this message, in the talk it belongs to."""
    user = msg.get("user") or connection.user.id
    about = llm.LLMContext(
        platform=DOMAIN,
        context=Context(user_id=user, id=msg.get("message")),
        user_prompt=msg.get("prompt"),
        language=msg["language"],
        assistant="conversation",
        device_id=None,
    )
    if "talk" not in msg:
        return await llm.async_get_api(hass, msg["api"], about)
    with chat_session.async_get_chat_session(hass, msg["talk"]):
        return await llm.async_get_api(hass, msg["api"], about)


@websocket_api.websocket_command({"type": "asking/given", **TURN})
@websocket_api.async_response
async def given(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """The prompt, and the tools as a model gets them."""
    api = await _instance(hass, connection, msg)
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description or "",
                "parameters": convert(tool.parameters, custom_serializer=api.custom_serializer),
            },
        }
        for tool in api.tools
    ]
    connection.send_result(msg["id"], {"prompt": api.api_prompt, "tools": tools})


@websocket_api.websocket_command(
    {"type": "asking/call", **TURN, vol.Required("tool"): str, vol.Required("arguments"): dict}
)
@websocket_api.async_response
async def called(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """What the tool answers; ``PLAN`` among the arguments is the plan that the briefing names."""
    api = await _instance(hass, connection, msg)
    named = re.search(r'"plan":"(\w+)"', api.api_prompt)
    plan = named[1] if named else ""
    arguments = {key: plan if value == "PLAN" else value for key, value in msg["arguments"].items()}
    answer = await api.async_call_tool(llm.ToolInput(msg["tool"], arguments))
    connection.send_result(msg["id"], {"prompt": api.api_prompt, "answer": answer})


@callback
@websocket_api.websocket_command(
    {"type": "asking/populate", vol.Required("count"): int, vol.Optional("hide", default=list): [str]}
)
def populate(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """A home of that many entities, in rooms of ten; all others are hidden from Assist."""
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, False)
    registry, areas = er.async_get(hass), ar.async_get(hass)
    for n in range(msg["count"]):
        kind, room = n % len(KINDS), f"Room {n // ROOM}"
        area = areas.async_get_area_by_name(room) or areas.async_create(room)
        name = f"{room} {NAMES[kind]} {n}"
        entry = registry.async_get_or_create(KINDS[kind], DOMAIN, f"made-{n}", original_name=name)
        registry.async_update_entity(entry.entity_id, area_id=area.id)
        attributes = {"friendly_name": name, "supported_features": FEATURES[kind]}
        hass.states.async_set(entry.entity_id, STATES[kind], attributes)
        async_expose_entity(hass, "conversation", entry.entity_id, True)
    connection.send_result(msg["id"], msg["count"])


@websocket_api.websocket_command(
    {
        "type": "asking/converse",
        vol.Required("text"): str,
        vol.Required("user"): vol.Any(str, None),
        vol.Optional("device"): str,
        vol.Optional("talk"): str,
    }
)
@websocket_api.async_response
async def conversed(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """What the agent answers to somebody else, or to a satellite that stands somewhere."""
    result = await conversation.async_converse(
        hass,
        msg["text"],
        msg.get("talk"),
        Context(user_id=msg["user"]),
        agent_id="conversation.winnow",
        device_id=msg.get("device"),
    )
    connection.send_result(msg["id"], result.as_dict())


@callback
@websocket_api.websocket_command({"type": "asking/break", vol.Required("how"): vol.Any(None, str)})
def broken(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """Let every turn fail: ``winnow`` with an error of Winnow's, ``bug`` with any other, None as before."""
    from winnow.errors import StoreError

    engine = hass.config_entries.async_entries("winnow")[0].runtime_data.engine
    errors = {"winnow": StoreError("The store is gone."), "bug": KeyError("bug")}

    async def fails(*_: object, **__: object) -> None:
        raise errors[msg["how"]]

    if msg["how"]:
        engine.retrieve = fails
    else:
        vars(engine).pop("retrieve", None)
    connection.send_result(msg["id"])


@callback
@websocket_api.websocket_command({"type": "asking/satellite", vol.Required("area"): str})
def satellite(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """A device that stands in that area; its id."""
    entry = hass.config_entries.async_entries("winnow")[0]
    devices = dr.async_get(hass)
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={(DOMAIN, "satellite")}, name="Satellite"
    )
    devices.async_update_device(device.id, area_id=msg["area"])
    connection.send_result(msg["id"], device.id)


@callback
@websocket_api.websocket_command({"type": "asking/engine"})
def engine(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """Which engine answers now; None while there is no agent."""
    entry = hass.config_entries.async_entries("winnow")[0]
    there = hass.states.get("conversation.winnow")
    ready = entry.state is ConfigEntryState.LOADED and there and there.state != "unavailable"
    connection.send_result(msg["id"], id(entry.runtime_data) if ready else None)
