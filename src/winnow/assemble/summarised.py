"""The summary of a dialogue in a model's words, where there is a model and its words pass the checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.assemble.compress import abstracted
from winnow.assemble.parts import Parts
from winnow.assemble.window.exchanges import exchanges
from winnow.language.normalise import language_of
from winnow.ports import Counsel
from winnow.say.messages import message
from winnow.text.tokens import Counter
from winnow.types.compression import Compressed, Item, Kept
from winnow.types.context import Context
from winnow.types.shortlist import Step

READ = 6000
"""Characters of what goes that a model sees, counted from the end."""
OURS = "the summary is in a model's words; its numbers and names were said"


async def summarised(context: Context, parts: Parts, counsel: Counsel, counter: Counter) -> Context:
    """The context with the summary in a model's words, where the dialogue was built anew this turn.

    It never takes more tokens, and says no number or name that was not said; else the sentences stay.
    """
    lines = _lines(context, parts)
    if not lines or not counsel.asks or context.last_reconstruction_time != parts.now:
        return context
    text = "\n".join(lines)
    tokens = counter.count(text)
    before = Kept(Item("summary", _gone(context, parts, text)), text, tokens, "sentences")
    made = Compressed((before,), "heavy", 0.2, 0.2, tokens)
    after = await abstracted(made, parts.query or parts.question, counsel, counter.count)
    return context if after.text == text else _with(context, text, after.text, counter)


def _lines(context: Context, parts: Parts) -> Sequence[str]:
    """The lines of the summary before the dialogue, without its title and the facts."""
    told = context.held.summary.splitlines() if context.held else []
    language = parts.language or language_of(parts.question)
    if not told or told[0] != message("said_earlier", language):
        return ()
    known = message("known_of_person", language)
    return told[1 : told.index(known) if known in told else len(told)]


def _gone(context: Context, parts: Parts, summary: str) -> str:
    """What was said in the turns that are not word for word any more, the last of it where it is much."""
    kept = {key for key, _ in context.held.kept} if context.held else set()
    said = " ".join(turn.text for turn in exchanges(parts.history) if turn.key not in kept)
    return f"{summary}\n{said[-READ + len(summary) :]}" if said else summary


def _with(context: Context, before: str, after: str, counter: Counter) -> Context:
    """The same with the summary in other words."""
    assert context.held is not None
    assert context.usage is not None
    old, history = context.held.summary, context.usage["history"]
    new = old.replace(before, after, 1)
    messages = tuple(
        {**one, "content": new} if one.get("role") == "system" and one.get("content") == old else one
        for one in context.messages
    )
    fewer = counter.count(old) - counter.count(new)
    return replace(
        context,
        messages=messages,
        token_count=counter.messages(messages) + context.tools,
        usage={**context.usage, "history": replace(history, used=history.used - fewer)},
        stable=context.stable - fewer,
        steps=(*context.steps, Step("summary", "model", OURS)),
        held=replace(context.held, summary=new),
    )
