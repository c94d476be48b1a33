"""Winnow as a conversation agent of Home Assistant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from homeassistant.components import conversation
from homeassistant.components.conversation import ChatLog, ConversationInput, ConversationResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from winnow.errors import WinnowError

from .actuator import speaking
from .answering import Answer, answered
from .const import CONF_FALLBACK, DOMAIN
from .runtime import LOGGER, Runtime, WinnowConfigEntry

CODES = {
    "refused": intent.IntentResponseErrorCode.NO_VALID_TARGETS,
    "failed": intent.IntentResponseErrorCode.FAILED_TO_HANDLE,
    "elsewhere": intent.IntentResponseErrorCode.NO_INTENT_MATCH,
}
"""Kind of answer -> what Home Assistant calls that."""
FOUND_NOTHING = (CODES["refused"], CODES["elsewhere"])
"""How an agent answers what it has no intent or no thing for: a question of knowledge may be either."""


async def async_setup_entry(
    hass: HomeAssistant, entry: WinnowConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the one agent of the entry."""
    async_add_entities([WinnowConversation(entry)])


class WinnowConversation(conversation.ConversationEntity, conversation.AbstractConversationAgent):
    """The agent: what is said is understood, done or asked about, and told in words."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    def __init__(self, entry: WinnowConfigEntry) -> None:
        self.entry = entry
        self._attr_unique_id = entry.entry_id
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, entry.entry_id)},
            name=entry.title,
            manufacturer="Winnow",
            entry_type=dr.DeviceEntryType.SERVICE,
        )

    @property
    def supported_languages(self) -> list[str] | Literal["*"]:
        """The languages it understands."""
        return ["en", "zh"]

    async def async_added_to_hass(self) -> None:
        """Become an agent that can be chosen."""
        await super().async_added_to_hass()
        conversation.async_set_agent(self.hass, self.entry, self)

    async def async_will_remove_from_hass(self) -> None:
        """Be none any more."""
        conversation.async_unset_agent(self.hass, self.entry)
        await super().async_will_remove_from_hass()

    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """What came of the sentence. What Winnow could not do is told as a sentence as well."""
        runtime: Runtime = self.entry.runtime_data
        token = speaking.set(user_input.context)
        try:
            said = await runtime.heard(
                user_input.text, chat_log.conversation_id, user_input.context, user_input.device_id
            )
            answer = await answered(runtime, said)
        except WinnowError as error:
            LOGGER.error("Not answered: %s", error)
            answer = Answer(runtime.apology(error, user_input.language), "failed")
        finally:
            speaking.reset(token)
        if answer.kind == "elsewhere" and (agent := self._fallback()):
            handed = await _handed_over(self.hass, user_input, chat_log, agent)
            # Where it finds nothing either, Winnow's sentence says more: it tells why.
            if handed.response.error_code not in FOUND_NOTHING:
                return handed
        content = conversation.AssistantContent(agent_id=user_input.agent_id, content=answer.text)
        chat_log.async_add_assistant_content_without_tools(content)
        asks = answer.kind == "asked"
        return ConversationResult(_response(answer, user_input), chat_log.conversation_id, asks)

    def _fallback(self) -> str | None:
        """The agent that the options name. Not where it is this one, or is there no more."""
        agent: str | None = self.entry.options.get(CONF_FALLBACK)
        if not agent or agent in (self.entity_id, self.entry.entry_id):
            return None
        return agent if conversation.async_get_agent_info(self.hass, agent) else None


async def _handed_over(
    hass: HomeAssistant, user_input: ConversationInput, chat_log: ChatLog, agent: str
) -> ConversationResult:
    """What the other agent makes of a sentence that asks nothing of this home."""
    satellite = getattr(user_input, "satellite_id", None)  # older releases know none
    return await conversation.async_converse(
        hass,
        user_input.text,
        chat_log.conversation_id,
        user_input.context,
        user_input.language,
        agent,
        user_input.device_id,
        extra_system_prompt=user_input.extra_system_prompt,
        **({"satellite_id": satellite} if satellite else {}),
    )


def _response(answer: Answer, user_input: ConversationInput) -> intent.IntentResponse:
    """The answer as Home Assistant has it."""
    response = intent.IntentResponse(language=user_input.language)
    if answer.kind in CODES:
        response.async_set_error(CODES[answer.kind], answer.text)
        return response
    if answer.kind == "told":
        response.response_type = intent.IntentResponseType.QUERY_ANSWER
    response.async_set_speech(answer.text)
    response.async_set_results(_targets(answer.done), _targets(answer.failed))
    return response


def _targets(things: Iterable[tuple[str, str]]) -> list[intent.IntentResponseTarget]:
    entity = intent.IntentResponseTargetType.ENTITY
    return [intent.IntentResponseTarget(name, entity, entity_id) for entity_id, name in things]
