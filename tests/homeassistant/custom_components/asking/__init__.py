"""An agent without a model: what it is given and the tools it calls, spoken to or over the WebSocket."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from threading import enumerate as threads
from typing import Any, Literal

import voluptuous as vol
from homeassistant.components import conversation, websocket_api
from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationInput,
    ConversationResult,
    async_get_chat_log,
)
from homeassistant.components.conversation.const import DATA_COMPONENT
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import chat_session, intent, llm
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
    """Register what tests ask, and the agent they speak to."""
    for command in (apis, given, called, populate, conversed, broken, satellite, engine, running):
        websocket_api.async_register_command(hass, command)
    await hass.data[DATA_COMPONENT].async_add_entities([Agent()])
    return True


class Agent(conversation.ConversationEntity):
    """An agent that uses Winnow's API; in the place of a model, it acts on the plan that it is given."""

    _attr_name = "Asking"
    _attr_unique_id = DOMAIN

    @property
    def supported_languages(self) -> list[str] | Literal["*"]:
        """All."""
        return "*"

    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """What the tool says came of the plan; the prompt where there is none."""
        if hasattr(chat_log, "async_provide_llm_data"):
            await chat_log.async_provide_llm_data(user_input.as_llm_context(DOMAIN), "winnow")
        else:
            await chat_log.async_update_llm_data(DOMAIN, user_input, "winnow")
        text = chat_log.content[0].content
        if plan := _plan(text):
            calls = [llm.ToolInput("act", {"plan": plan})]
            content = AssistantContent(agent_id=user_input.agent_id, tool_calls=calls)
            async for result in chat_log.async_add_assistant_content(content):
                text = str(result.tool_result["result"])
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=user_input.agent_id, content=text)
        )
        response = intent.IntentResponse(language=user_input.language)
        response.async_set_speech(text)
        return ConversationResult(response, chat_log.conversation_id)


def _plan(prompt: str) -> str:
    """The plan that the briefing names, if any."""
    named = re.search(r"verdict act, plan (\w+)", prompt)
    return named[1] if named else ""


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
    """What an agent gets that answers this message, in its talk; without a prompt in no chat."""
    told = {
        "platform": DOMAIN,
        "context": Context(user_id=msg.get("user") or connection.user.id, id=msg.get("message")),
        "user_prompt": msg.get("prompt"),  # older releases told it; Winnow must do without
        "language": msg["language"],
        "assistant": "conversation",
    }
    about = llm.LLMContext(**{field.name: told.get(field.name) for field in fields(llm.LLMContext)})
    with _chat(hass, msg, about.context):
        return await llm.async_get_api(hass, msg["api"], about)


@contextmanager
def _chat(hass: HomeAssistant, msg: dict[str, Any], context: Context) -> Iterator[None]:
    """The talk that the message names, and the chat in which its prompt was said, if any."""
    if "talk" not in msg and msg.get("prompt") is None:
        yield
        return
    with chat_session.async_get_chat_session(hass, msg.get("talk")) as session:
        if msg.get("prompt") is None:
            yield
            return
        told = {"text": msg["prompt"], "context": context, "language": msg["language"]}
        said = ConversationInput(**{field.name: told.get(field.name) for field in fields(ConversationInput)})
        with async_get_chat_log(hass, session, said):
            yield


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
    plan = _plan(api.api_prompt)
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
    """Let every turn fail: ``winnow`` with an error of Winnow's, ``bug`` with any other; None: as before.

    ``hang``: no turn ends any more; there is a state ``asking.hangs`` once one is under way.
    """
    from winnow.errors import StoreError

    engine = hass.config_entries.async_entries("winnow")[0].runtime_data.engine
    errors = {"winnow": StoreError("The store is gone."), "bug": KeyError("bug")}

    async def fails(*_: object, **__: object) -> None:
        if msg["how"] in errors:
            raise errors[msg["how"]]
        hass.loop.call_soon_threadsafe(hass.states.async_set, "asking.hangs", "on")
        await asyncio.Event().wait()

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


@callback
@websocket_api.websocket_command({"type": "asking/running"})
def running(hass: HomeAssistant, connection: Any, msg: dict[str, Any]) -> None:
    """How many engines' threads run."""
    connection.send_result(msg["id"], [thread.name for thread in threads()].count("winnow"))
