"""Winnow as an API of Home Assistant's agents: a briefing of this turn and a few checked tools.

Any agent that uses a language model may choose it in the place of Assist, which tells the model of every
entity. Nothing that the model says counts as a yes: what is dangerous waits for the person's own words, and
once they are there it is done before the model hears of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace

from homeassistant.components.conversation.chat_log import UserContent, current_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session, llm
from homeassistant.util.json import JsonObjectType

from winnow.engine.replies import receipt_sentences, verdict_reply
from winnow.engine.tool_calls import ToolResult, Tools
from winnow.errors import WinnowError
from winnow.language.messages import message
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import LanguageCode, Utterance
from winnow.types.verdict import Act

from .actuator import speaking
from .const import DOMAIN
from .runtime import LOGGER, Runtime
from .toolbox import FIND, TAKEN

UNKNOWN = frozenset({"no_plan", "no_question"})
"""Why a call may be about something of another talk."""
KEPT = 32
"""Messages whose briefings are kept, for agents that ask again for the same one."""
ALONE = ""
"""The talk of what an agent asks by itself: none, so that its words answer no question of the person's."""


class WinnowAPI(llm.API):
    """What agents are given."""

    def __init__(self, hass: HomeAssistant, runtime: Runtime) -> None:
        super().__init__(hass=hass, id=DOMAIN, name="Winnow")
        self.runtime = runtime
        self._heard: OrderedDict[str, str] = OrderedDict()
        """Message -> its briefing, of the last ones."""

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """The rules, the briefing of what the person said, and the tools to act on it."""
        turn = AgentTurn(self.runtime, llm_context)
        words = _words()
        briefing = await self._briefing(turn, words)
        rules = self.runtime.sorry("rules" if words else "rules_without_words", turn.language)
        tools: list[llm.Tool] = [WinnowTool(turn, name) for name in TAKEN]
        return llm.APIInstance(self, f"{rules}\n{briefing}".rstrip(), llm_context, tools)

    async def _briefing(self, turn: AgentTurn, text: str) -> str:
        """What the person's words need. An agent that asks twice for one message does not say it twice."""
        context = turn.about.context
        message = f"{context.id} {turn.talk} {text}" if context else ""
        if message not in self._heard:
            self._heard[message] = await turn.told(text, turn.talk)
            if len(self._heard) > KEPT:
                self._heard.popitem(last=False)
        return self._heard[message] if context else self._heard.pop(message)


def _words() -> str:
    """What the person said last in the chat that is going on; nothing outside of one.

    There an agent looks up what it is asked for with a tool, and whatever that finds waits for nobody's yes.
    """
    chat = current_chat_log.get()
    said = [content for content in chat.content if isinstance(content, UserContent)] if chat else []
    return said[-1].content.strip() if said else ""


class AgentTurn:
    """One message of one person, as an agent goes about it."""

    def __init__(self, runtime: Runtime, about: llm.LLMContext) -> None:
        self.runtime, self.about = runtime, about
        talk = chat_session.current_session.get()
        self.looked = False
        self.talk = talk.conversation_id if talk else f"{about.platform} {about.device_id or ''}"

    @property
    def language(self) -> LanguageCode:
        """What is told in where no words tell."""
        return self.runtime.language or ("zh" if (self.about.language or "").startswith("zh") else "en")

    async def called(self, tool: str, given: Mapping[str, object]) -> JsonObjectType:
        """What came of a call of the agent's; whatever it wrote, it is told what to do next."""
        token = speaking.set(self.about.context)
        try:
            if tool == FIND:
                self.looked = True
                return {"result": await self.told(str(given.get("request", "")).strip(), ALONE)}
            return await self._checked(tool, given)
        except WinnowError as error:
            LOGGER.error("No answer to a call of %s: %s", tool, error)
            return {"error": self.runtime.apology(error, self.language)}
        finally:
            speaking.reset(token)

    async def _checked(self, tool: str, given: Mapping[str, object]) -> JsonObjectType:
        """A call checked against the briefing of the person's words, else of what the agent looked up."""
        result = ToolResult("")
        talks = (self.talk, ALONE) if "calls" not in given else (ALONE if self.looked else self.talk,)
        for talk in talks:
            tools = Tools(self.runtime.engine, await self._heard("", talk))
            result = await self.runtime.thread.run(tools.call(tool, given))
            if not (result.receipt and UNKNOWN & {refusal.code for refusal in result.receipt.refused}):
                break
        return {"result": result.text, "status": str(result.data.get("status", ""))}

    async def told(self, text: str, talk: str) -> str:
        """What the words need to know of the home, or why that cannot be told."""
        if not text:
            return ""
        try:
            found = await self.runtime.thread.run(self.runtime.engine.retrieve(await self._heard(text, talk)))
            return await self._told(found)
        except WinnowError as error:
            LOGGER.error("No briefing: %s", error)
            return self.runtime.apology(error, self.language)

    async def _told(self, found: Retrieval) -> str:
        """The briefing; what a yes of the person's was said to is done, and told as done."""
        view = await self.runtime.view(found.home_id)
        if isinstance(found.verdict, Act) and found.reading.confirmed:
            receipt = await self.runtime.thread.run(self.runtime.engine.act(found))
            return receipt_sentences(receipt, view, found.reading.language)
        return found.briefing.text or verdict_reply(found, view)

    async def _heard(self, text: str, talk: str) -> Utterance:
        said = await self.runtime.heard(text, talk, self.about.context, self.about.device_id)
        return said if text else replace(said, language=self.language)


class WinnowTool(llm.Tool):
    """One of the tools, for one message."""

    def __init__(self, turn: AgentTurn, name: str) -> None:
        self.turn, self.name, self.parameters = turn, name, TAKEN[name]
        language = turn.language
        said = turn.runtime.sorry(FIND, language) if name == FIND else message(f"tool_{name}", language)
        self.description = said

    async def async_call(
        self,
        hass: HomeAssistant,  # noqa: ARG002 - their shape
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,  # noqa: ARG002
    ) -> JsonObjectType:
        """What came of it. What a model wrote amiss is told as well, and nothing is done."""
        return await self.turn.called(self.name, tool_input.tool_args)
