"""Tools for a language model: act, confirm and answer, within what its briefing offered.

    tools = Tools(engine, who)
    reply = model(messages, tools=tools.schemas("en"))
    result = await tools.call("act", '{"plan": "k3x9qa"}')

Whatever a model writes comes to a result that says what was done, or what to do next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from winnow.consult.jsonish import given
from winnow.consult.schema import conform
from winnow.errors import WinnowError
from winnow.say.messages import message
from winnow.text.encode import encode
from winnow.tools.schemas import SCHEMAS, in_shape, schemas
from winnow.tools.told import receipt_text
from winnow.types.dialogue import Language, Utterance
from winnow.types.receipt import Receipt
from winnow.types.scope import Scope
from winnow.types.verdict import Call, Refusal

if TYPE_CHECKING:
    from winnow.engine import Engine
    from winnow.types.briefing import Retrieval
    from winnow.types.view import HomeView

LONGEST = 20_000
"""Characters of arguments that are read."""
REASON = 300
"""Characters of what is wrong with a call, at most."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of one call."""

    text: str
    """For the model. It holds no token."""
    data: Mapping[str, object] = field(default_factory=dict)
    """The same as JSON values: ``status``, and where they are ``done``, ``refused``, ``ask``, ``plan``."""
    receipt: Receipt | None = field(default=None, repr=False)
    """For whoever hosts the engine, with the token that the person may say yes with; never for the model."""
    retrieval: Retrieval | None = field(default=None, repr=False)
    """What an answer led to."""


class Tools:
    """What an agent may call on behalf of ``who``: user, session, home, room, language and tenant count."""

    def __init__(self, engine: Engine, who: Utterance) -> None:
        self.engine, self.who = engine, who

    def schemas(self, language: Language | None = None) -> list[dict[str, Any]]:
        """The tools as OpenAI takes them, strict; their words are in that language."""
        return schemas(language or self.language)

    @property
    def language(self) -> Language:
        """Of what is told to the model."""
        return self.who.language or self.engine.policy.language or "en"

    async def call(self, name: str, arguments: str | Mapping[str, object]) -> ToolResult:
        """What came of a call that a model wrote. Raises nothing for whatever it wrote; StoreError."""
        if name not in SCHEMAS:
            return self._wrong("tool_unknown", what=name[:64], names=list(SCHEMAS))
        raw = given(arguments[:LONGEST]) if isinstance(arguments, str) else arguments
        value, problems = conform(in_shape(name, raw), SCHEMAS[name])
        if problems:
            return self._wrong("tool_misfit", "; ".join(problems[:3]))
        try:
            return await self._called(name, value)
        except WinnowError as error:
            return self._wrong("tool_failed", str(error))

    def _wrong(self, code: str, why: str = "", **facts: object) -> ToolResult:
        said = message(code, self.language, **facts)
        return ToolResult(f"{said} {encode(why, REASON)}" if why else said, {"status": "error"})

    async def _called(self, name: str, value: Mapping[str, Any]) -> ToolResult:
        who = replace(self.who, tenant=self.who.tenant or self.engine.policy.tenant)
        opened = await self.engine.opened(who.home, who.tenant)
        scope, view = who.scope.at(opened.home.id), opened.view
        if name == "act":
            return await self._act(value, scope, view)
        if name == "confirm":
            receipt = await self.engine.confirm(value["token"], user=scope.user, tenant=scope.tenant)
            return self._told(receipt, view)
        return await self._answer(value, scope, view)

    async def _act(self, value: Mapping[str, Any], scope: Scope, view: HomeView) -> ToolResult:
        plan, calls = value.get("plan") or "", value.get("calls") or []
        if plan and not calls:
            return self._told(await self.engine.proposals.plan(scope, plan), view)
        if not calls:
            return self._wrong("tool_empty")
        proposed = [
            Call(c["device"], c["command"], {a["name"]: a["value"] for a in c.get("arguments") or []})
            for c in calls
        ]
        return self._told(await self.engine.proposals.calls(scope, proposed, plan), view)

    async def _answer(self, value: Mapping[str, Any], scope: Scope, view: HomeView) -> ToolResult:
        proposals = self.engine.proposals
        chosen = proposals.choice(scope, value["id"], value["choice"], view)
        if isinstance(chosen, Refusal):
            return self._told(await self.engine.acting.refused(scope, (chosen,)), view)
        asked = proposals.asked(scope)
        after = await self.engine.answer(asked, chosen, user=scope.user, tenant=scope.tenant)
        data = {"status": type(after.verdict).__name__.lower(), "plan": after.plan}
        return ToolResult(after.briefing.text, data, retrieval=after)

    def _told(self, receipt: Receipt, view: HomeView) -> ToolResult:
        """A receipt as the model is told of it."""
        data: dict[str, object] = {"status": receipt.status}
        if receipt.device_ids:
            data["done"] = list(receipt.device_ids)
        if receipt.refused:
            data["refused"] = [refusal.code for refusal in receipt.refused]
        if receipt.waiting:
            data["ask"] = receipt.waiting.question
        return ToolResult(receipt_text(receipt, view, self.language), data, receipt)
