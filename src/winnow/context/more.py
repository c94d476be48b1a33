"""More on demand: recent results given again, and what a model or a person says is missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from winnow.context.parts import ContextParts
from winnow.context.quotes import TurnData, quote_data
from winnow.context.window import topic_terms
from winnow.language.messages import message
from winnow.language.tables import table
from winnow.language.tokens import PER_MESSAGE, Counter
from winnow.types.candidate import Candidate, Dropped, Shortlist, Step
from winnow.types.context import ChatMessage, Context, DialogueState, RecentResult
from winnow.types.utterance import TALK_ROLES

if TYPE_CHECKING:
    from winnow.context.quotes import TurnData

# What was found in the last turns and may be given without looking it up again.


MAX_RECENT_SECONDS = 1800.0
"""Seconds after which what was looked up has to be looked up again, however often it was given since."""
MAX_RECENT_RESULTS = 30
"""Pieces that are remembered, at most."""
MIN_SHARED_TERMS = 0.5
"""Part of the question's terms that a piece must hold to be given again."""


def recent_shortlists(given: Sequence[RecentResult], parts: ContextParts) -> tuple[Shortlist, ...]:
    """What is given again, by source; who keeps it from turn to turn asks first whether it still holds."""
    by_source: dict[str, list[Candidate]] = {}
    for one in relevant_recent(given, parts):
        by_source.setdefault(one.source, []).append(one.candidate)
    return tuple(Shortlist(source, tuple(candidates)) for source, candidates in by_source.items())


def relevant_recent(given: Sequence[RecentResult], parts: ContextParts) -> tuple[RecentResult, ...]:
    """What was found lately and bears on the question; none that is found anyway.

    Where detail is wanted, what was held back when something was last looked up bears on it, whatever the
    words.
    """
    if not given:
        return ()
    last = max(one.at for one in given)
    parts = replace(parts, detail=parts.detail or wants_detail(parts.question))
    near = (one for one in fresh_results(given, parts.now) if one.candidate.ref not in parts.refs)
    return tuple(one for one in near if _is_relevant(one, parts, last))


def fresh_results(given: Iterable[RecentResult], now: float) -> tuple[RecentResult, ...]:
    """What is not too old."""
    return tuple(one for one in given if 0 <= now - one.at <= MAX_RECENT_SECONDS)


def next_recent(told: TurnData, before: Context | None, parts: ContextParts) -> tuple[RecentResult, ...]:
    """What is given and held back now and what was lately, each once, with when it was looked up."""
    earlier = before.dialogue.recent if before and before.dialogue else ()
    since = {one.candidate.ref: one.at for one in earlier} | dict.fromkeys(parts.refs, parts.now)
    waiting = {quote.candidate.ref for quote in told.waiting}
    each = {quote.candidate.ref: quote for quote in (*told.quotes, *told.waiting)}
    new = [
        RecentResult(quote.source, quote.candidate, since[ref], ref in waiting) for ref, quote in each.items()
    ]
    refs = {one.candidate.ref for one in new}
    return (*new, *(one for one in fresh_results(earlier, parts.now) if one.candidate.ref not in refs))[
        :MAX_RECENT_RESULTS
    ]


def _is_relevant(one: RecentResult, parts: ContextParts, last: float) -> bool:
    """Whether it says something of what is asked."""
    if parts.detail and one.is_unread and one.at == last:
        return True
    asked, data = topic_terms(parts.query or parts.question), one.candidate.data
    told = data.get("text", "") if isinstance(data, dict) else data
    return bool(asked) and len(asked & topic_terms(str(told or ""))) >= MIN_SHARED_TERMS * len(asked)


MORE_TOOL_NAME = "winnow_more"
MORE_TOOL: Mapping[str, object] = {
    "type": "function",
    "function": {
        "name": MORE_TOOL_NAME,
        "description": "Look up more of what the user's documents, notes and earlier talks say. Call it when"
        " the data you were given does not answer the question.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What is lacking, as a question."}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}
"""The schema of the tool that a model calls for more, in the form of OpenAI's tools. It is sent beside the
messages and counted through ``Parts.tools``."""
MAX_READ_CHARS = 1500
"""Characters of a text that are read: who lacks something says so early."""


@dataclass(frozen=True, slots=True)
class MissingData:
    """What somebody lacks."""

    query: str
    """What to look up; empty: the question that was asked, deeper."""
    by: Literal["call", "words"]
    call: str = ""
    """Id of the call, which wants a reply."""


def missing_data(reply: ChatMessage | str) -> MissingData | None:
    """What a model's reply says it lacks, by a call or in words; None: it says nothing of the kind."""
    if isinstance(reply, str):
        return _missing_in_words(reply)
    calls = reply.get("tool_calls")
    for call in calls if isinstance(calls, Sequence) else ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and function.get("name") == MORE_TOOL_NAME:
            return MissingData(_call_query(function.get("arguments")), "call", str(call.get("id") or ""))
    content = reply.get("content")
    return _missing_in_words(content) if isinstance(content, str) else None


def _call_query(arguments: object) -> str:
    """The query among a call's arguments, whatever else they are; empty where they are none."""
    try:
        told = json.loads(arguments) if isinstance(arguments, str) else arguments
    except json.JSONDecodeError:
        return ""
    query = told.get("query") if isinstance(told, Mapping) else None
    return query.strip() if isinstance(query, str) else ""


def wants_detail(text: str) -> bool:
    """Whether a person asks for more of it than was told."""
    said = text[:MAX_READ_CHARS]
    return bool(_loading_pattern("detail").search(said)) and not _loading_pattern("but").search(said)


def _missing_in_words(text: str) -> MissingData | None:
    found = _loading_pattern("lacking").search(text[:MAX_READ_CHARS])
    if found is None:
        return None
    told = (said for name, said in found.groupdict().items() if name.startswith("what") and said)
    return MissingData(next(told, "").strip(), "words")


@cache
def _loading_pattern(kind: str) -> re.Pattern[str]:
    """All patterns of that kind, of both languages; groups of one name get a number each."""
    said = table("winnow.context", "data/missing_data.yaml")[kind]
    every = [one for language in said.values() for one in language]
    numbered = (one.replace("(?P<what>", f"(?P<what{n}>") for n, one in enumerate(every))
    return re.compile("|".join(f"(?:{one})" for one in numbered), re.IGNORECASE)


# What a model lacked, put beside what it was given.


Reply = ChatMessage | str


def extend_context(
    context: Context, parts: ContextParts, lack: MissingData, reply: Reply, counter: Counter
) -> Context:
    """The context with what was found for the lack, still within its total.

    ``parts``: the question and what was found now. A call is answered by the tool, behind the model's reply;
    words are answered by more data before the question. What was given before is not given again. Where not
    even the call fits, the context is what it was.
    """
    messages = context.messages
    call = reply if lack.by == "call" and not isinstance(reply, str) else None
    room = context.total - context.token_count - (counter.message(call) + PER_MESSAGE if call else 0)
    told = quote_data(replace(parts, detail=True), max(0, room), counter, _given_texts(context.dialogue))
    if call:
        content = told.text or message("nothing_more", parts.language or "en")
        messages = (*messages, call, {"role": "tool", "tool_call_id": lack.call, "content": content})
    elif told.text:
        messages = (*messages[:-1], {"role": "system", "content": told.text}, *messages[-1:])
    if counter.messages(messages) + context.tool_tokens > context.total:
        return context
    return _with_messages(context, messages, told, parts, counter)


def append_messages(context: Context, said: Sequence[ChatMessage], counter: Counter) -> Context:
    """The context with a model's tool calls and what answers them behind its messages.

    Where they do not fit, the oldest messages of the dialogue before the question go; what is still more than
    the total is told in ``warnings``, since calls that were made have to be answered.
    """
    kept, over, trimmed = list(context.messages), "", list(context.trimmed)
    while counter.messages((*kept, *said)) + context.tool_tokens > context.total:
        spoken = [n for n, one in enumerate(kept) if one.get("role") in TALK_ROLES]
        asked = max((n for n in spoken if kept[n].get("role") == "user"), default=0)
        if not spoken or spoken[0] >= asked:
            over = "tool calls and their answers are more than the context holds"
            break
        trimmed.append(Dropped(str(kept.pop(spoken[0]).get("content"))[:40], "history", "no room"))
    messages = (*kept, *said)
    return replace(
        context,
        messages=messages,
        token_count=counter.messages(messages) + context.tool_tokens,
        trimmed=tuple(trimmed),
        warnings=(*context.warnings, *([over] if over else ())),
    )


def _with_messages(
    context: Context, messages: tuple[ChatMessage, ...], told: TurnData, parts: ContextParts, counter: Counter
) -> Context:
    given = next_recent(told, context, parts)
    return replace(
        context,
        messages=messages,
        token_count=counter.messages(messages) + context.tool_tokens,
        more=tuple(quote.id for quote in told.waiting),
        dialogue=replace(context.dialogue, recent=given) if context.dialogue else None,
        trimmed=(*context.trimmed, *told.trimmed),
        steps=(*context.steps, Step("more", parts.query, "the model lacked something"), *told.steps),
    )


def _given_texts(held: DialogueState | None) -> list[str]:
    """Texts that were given before."""
    known = [one.candidate.data for one in held.recent if not one.is_unread] if held else []
    return [str(told["text"]) if isinstance(told, dict) and "text" in told else str(told) for told in known]
