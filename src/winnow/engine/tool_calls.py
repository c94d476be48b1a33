"""Tools for a language model: act, confirm and answer, within what its briefing offered.

    tools = Tools(engine, who)
    reply = model(messages, tools=tools.schemas("en"))
    result = await tools.call("act", '{"plan": "k3x9qa"}')

Whatever a model writes comes to a result that says what was done, or what to do next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from winnow.act.receipt import Progress
from winnow.engine.llm.json_repair import first_object
from winnow.engine.llm.schema import conform_to_schema
from winnow.errors import WinnowError
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.language.naming import placed_name, refusal_text
from winnow.types.home import HomeView
from winnow.types.receipt import Outcome, OutcomeStatus, Receipt
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode, Utterance
from winnow.types.verdict import Call, Refusal

if TYPE_CHECKING:
    from winnow.context.more import Reply
    from winnow.engine.acting import ActService
    from winnow.engine.home_cache import LoadedHome
    from winnow.engine.policy import Policy
    from winnow.engine.session_context import SessionContexts
    from winnow.engine.tool_proposals import ToolProposals
    from winnow.types.retrieval import Retrieval

# The shapes of the tools, and what a model wrote put into them.


MAX_TOOL_CALLS = 40
"""Calls of one proposal that are read."""


def _closed_object(properties: Mapping[str, object]) -> dict[str, Any]:
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
    "items": _closed_object({"name": {"type": "string", "maxLength": 100}, "value": _VALUE}),
    "maxItems": 20,
}
_CALLS = {
    "type": ["array", "null"],
    "items": _closed_object({"device": _ID, "command": _ID, "arguments": _ARGUMENTS}),
    "maxItems": MAX_TOOL_CALLS,
}
TOOL_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "act": _closed_object({"plan": {"type": ["string", "null"], "maxLength": 32}, "calls": _CALLS}),
    "confirm": _closed_object({"token": {"type": "string", "maxLength": 64}}),
    "answer": _closed_object(
        {
            "id": {"type": "string", "maxLength": 32},
            "choice": {"type": ["integer", "string"], "maxLength": 80},
        }
    ),
}
"""Tool -> what its arguments have to be."""
LIMIT_KEYWORDS = frozenset({"maxLength", "maxItems"})
"""What is checked and is nothing to a model."""
CALL_ALIASES = {
    "device": ("device", "device_id", "id", "entity_id"),
    "command": ("command", "command_id", "call", "do"),
    "arguments": ("arguments", "args"),
}
"""What a part of a call may be called; a briefing has its own short names."""


def tool_schemas(language: LanguageCode) -> list[dict[str, Any]]:
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
        for name, schema in TOOL_SCHEMAS.items()
    ]


def normalize_arguments(name: str, raw: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments under the names and in the nesting of the schema, as far as that can be told."""
    if name != "act":
        return raw
    calls = raw.get("calls")
    if isinstance(calls, Mapping):
        calls = [calls]
    if isinstance(calls, Sequence) and not isinstance(calls, str):
        calls = [_normalize_call(call) if isinstance(call, Mapping) else call for call in calls]
    return {**raw, "plan": raw.get("plan"), "calls": calls}


def _normalize_call(raw: Mapping[str, object]) -> dict[str, object]:
    """One call under its own names; what nobody knows stays, and is told."""
    known = {alias: name for name, aliases in CALL_ALIASES.items() for alias in aliases}
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
        return {key: _without_limits(value) for key, value in schema.items() if key not in LIMIT_KEYWORDS}
    return schema


# A receipt in a few words for a language model, which is to tell the person. It holds no token.


MAX_RECEIPT_NAMES = 3
"""Things named of each kind; of more it is told how many."""

SUCCESS_STATUSES: tuple[OutcomeStatus, ...] = ("done", "sent")
FAILURE_STATUSES: tuple[OutcomeStatus, ...] = ("unknown", "failed", "skipped")


def receipt_for_model(receipt: Receipt, view: HomeView, language: LanguageCode) -> str:
    """What was done, what was not and why, what the person has to be asked."""
    return "\n".join(_receipt_lines(receipt, view, language))


def _receipt_lines(receipt: Receipt, view: HomeView, language: LanguageCode) -> Iterator[str]:
    if receipt.waiting is not None:
        yield message("tool_waiting", language)
        yield receipt.waiting.question  # whole: it names every act
        return
    for status in SUCCESS_STATUSES:
        if taken := receipt.of(status):
            yield message(f"tool_{status}", language, names=_outcome_names(taken, view, language))
    for status in FAILURE_STATUSES:
        yield from _reason_lines(status, receipt.of(status), view, language)
    if receipt.refused and not receipt.outcomes:
        yield message("tool_nothing_done", language)
    yield from dict.fromkeys(refusal_text(refusal, view, language) for refusal in receipt.refused)
    if receipt.reason:
        yield message(receipt.reason, language)


def _reason_lines(
    status: str, outcomes: Sequence[Outcome], view: HomeView, language: LanguageCode
) -> Iterator[str]:
    """A line for each reason why something was not done, or nobody knows."""
    for code in dict.fromkeys(outcome.code for outcome in outcomes):
        same = [outcome for outcome in outcomes if outcome.code == code]
        facts = same[0].facts if len(same) == 1 else {}
        why = message(code, language, **facts) if code else None
        yield message(f"tool_not_{status}", language, names=_outcome_names(same, view, language), why=why)


def _outcome_names(outcomes: Sequence[Outcome], view: HomeView, language: LanguageCode) -> list[str]:
    ids = list(dict.fromkeys(outcome.call.device_id for outcome in outcomes))
    names = [placed_name(i, view, language) for i in ids[:MAX_RECEIPT_NAMES]]
    more = len(ids) - len(names)
    return [*names, message("more", language, count=more)] if more else names


MAX_ARGUMENT_CHARS = 20_000
"""Characters of arguments that are read."""
MAX_REASON_CHARS = 300
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


def _named_call(written: Mapping[str, Any], view: HomeView) -> Call:
    """A call as a model wrote it, with the ids that its handle and its word mean.

    What names nothing of the home stays as it is written, so that the refusal can say it.
    """
    device_id = view.thing_id(written["device"]) or written["device"]
    command = view.command_named(device_id, written["command"])
    arguments = {a["name"]: a["value"] for a in written.get("arguments") or []}
    if command is None:
        return Call(device_id, written["command"], arguments)
    return Call(device_id, command.id, {**arguments, **command.fixed})


class ToolEngine(Protocol):
    """What of an engine the tools of an agent need."""

    policy: Policy

    @property
    def acting(self) -> ActService:
        """What things are done with."""

    @property
    def proposals(self) -> ToolProposals:
        """What agents propose, checked against what they were given."""

    @property
    def contexts(self) -> SessionContexts:
        """What messages are put together with."""

    async def load_home(self, home_id: str = "", tenant: str = "") -> LoadedHome:
        """The home of that id. Raises HomeNotFound, StoreError."""

    async def confirm(self, token: str, *, user: str = "", tenant: str = "") -> Receipt:
        """What follows from a person's yes. Raises HomeNotFound, StoreError."""

    async def answer(
        self, retrieval_id: str, choice: int | str, *, user: str = "", tenant: str = ""
    ) -> Retrieval:
        """What follows from an answer to a question. Raises NoOpenQuestion, HomeNotFound, StoreError."""

    async def more(self, retrieval: Retrieval, reply: Reply) -> Retrieval:
        """The retrieval with what a reply says it lacks. Raises StoreError."""


class Tools:
    """What an agent may call on behalf of ``who``: user, session, home, room, language and tenant count.

    ``progress`` is told of outcomes as they come.
    """

    def __init__(self, engine: ToolEngine, who: Utterance, progress: Progress | None = None) -> None:
        self.engine, self.who, self.progress = engine, who, progress

    def schemas(self, language: LanguageCode | None = None) -> list[dict[str, Any]]:
        """The tools as OpenAI takes them, strict; their words are in that language."""
        return tool_schemas(language or self.language)

    @property
    def language(self) -> LanguageCode:
        """Of what is told to the model."""
        return self.who.language or self.engine.policy.language or "en"

    async def call(self, name: str, arguments: str | Mapping[str, object]) -> ToolResult:
        """What came of a call that a model wrote. Raises nothing for whatever it wrote; StoreError."""
        if name not in TOOL_SCHEMAS:
            return self._error_result("tool_unknown", what=name[:64], names=list(TOOL_SCHEMAS))
        raw = first_object(arguments[:MAX_ARGUMENT_CHARS]) if isinstance(arguments, str) else arguments
        value, problems = conform_to_schema(normalize_arguments(name, raw), TOOL_SCHEMAS[name])
        if problems:
            return self._error_result("tool_misfit", "; ".join(problems[:3]))
        try:
            return await self._run_tool(name, value)
        except WinnowError as error:
            return self._error_result("tool_failed", str(error))

    def _error_result(self, code: str, why: str = "", **facts: object) -> ToolResult:
        said = message(code, self.language, **facts)
        return ToolResult(
            f"{said} {encode_text(why, MAX_REASON_CHARS)}" if why else said, {"status": "error"}
        )

    async def _run_tool(self, name: str, value: Mapping[str, Any]) -> ToolResult:
        who = replace(self.who, tenant=self.who.tenant or self.engine.policy.tenant)
        opened = await self.engine.load_home(who.home, who.tenant)
        scope, view = who.scope.at(opened.home.id), opened.view
        if name == "act":
            return await self._act(value, scope, view)
        if name == "confirm":
            receipt = await self.engine.confirm(value["token"], user=scope.user, tenant=scope.tenant)
            return self._receipt_result(receipt, view)
        return await self._answer(value, scope, view)

    async def _act(self, value: Mapping[str, Any], scope: Scope, view: HomeView) -> ToolResult:
        plan, calls = value.get("plan") or "", value.get("calls") or []
        if plan and not calls:
            done = await self.engine.proposals.execute_plan(scope, plan, self.progress)
            return self._receipt_result(done, view)
        if not calls:
            return self._error_result("tool_empty")
        proposed = [_named_call(call, view) for call in calls]
        done = await self.engine.proposals.execute_calls(scope, proposed, plan, self.progress)
        return self._receipt_result(done, view)

    async def _answer(self, value: Mapping[str, Any], scope: Scope, view: HomeView) -> ToolResult:
        proposals = self.engine.proposals
        chosen = proposals.chosen_option(scope, value["id"], value["choice"], view)
        if isinstance(chosen, Refusal):
            return self._receipt_result(await self.engine.acting.record_refusal(scope, (chosen,)), view)
        asked = proposals.last_question_id(scope)
        after = await self.engine.answer(asked, chosen, user=scope.user, tenant=scope.tenant)
        data = {"status": type(after.verdict).__name__.lower(), "plan": after.plan}
        return ToolResult(after.briefing.text, data, retrieval=after)

    def _receipt_result(self, receipt: Receipt, view: HomeView) -> ToolResult:
        """A receipt as the model is told of it."""
        data: dict[str, object] = {"status": receipt.status}
        if receipt.device_ids:
            data["done"] = list(receipt.device_ids)
        if receipt.refused:
            data["refused"] = [refusal.code for refusal in receipt.refused]
        if receipt.waiting:
            data["ask"] = receipt.waiting.question
        return ToolResult(receipt_for_model(receipt, view, self.language), data, receipt)
