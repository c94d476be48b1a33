"""What a model lacked, put beside what it was given."""

from __future__ import annotations

from dataclasses import replace

from winnow.assemble.data import Data, data
from winnow.assemble.loading.lately import remembered
from winnow.assemble.loading.more import Lack
from winnow.assemble.parts import Parts
from winnow.say.messages import message
from winnow.text.tokens import PER_MESSAGE, Counter
from winnow.types.context import ChatMessage, Context, Held
from winnow.types.shortlist import Step

Reply = ChatMessage | str


def deepened(context: Context, parts: Parts, lack: Lack, reply: Reply, counter: Counter) -> Context:
    """The context with what was found for the lack, still within its total.

    ``parts``: the question and what was found now. A call is answered by the tool, behind the model's reply;
    words are answered by more data before the question. What was given before is not given again. Where not
    even the call fits, the context is what it was.
    """
    messages = context.messages
    call = reply if lack.by == "call" and not isinstance(reply, str) else None
    room = context.total - context.token_count - (counter.message(call) + PER_MESSAGE if call else 0)
    told = data(replace(parts, detail=True), max(0, room), counter, _texts(context.held))
    if call:
        content = told.text or message("nothing_more", parts.language or "en")
        messages = (*messages, call, {"role": "tool", "tool_call_id": lack.call, "content": content})
    elif told.text:
        messages = (*messages[:-1], {"role": "system", "content": told.text}, *messages[-1:])
    if counter.messages(messages) + context.tools > context.total:
        return context
    return _with(context, messages, told, parts, counter)


def _with(
    context: Context, messages: tuple[ChatMessage, ...], told: Data, parts: Parts, counter: Counter
) -> Context:
    given = remembered(told, context, parts)
    return replace(
        context,
        messages=messages,
        token_count=counter.messages(messages) + context.tools,
        more=tuple(quote.id for quote in told.waiting),
        held=replace(context.held, given=given) if context.held else None,
        trimmed=(*context.trimmed, *told.trimmed),
        steps=(*context.steps, Step("more", parts.query, "the model lacked something"), *told.steps),
    )


def _texts(held: Held | None) -> list[str]:
    """Texts that were given before."""
    known = [one.candidate.data for one in held.given if not one.waits] if held else []
    return [str(told["text"]) if isinstance(told, dict) and "text" in told else str(told) for told in known]
