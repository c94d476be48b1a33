"""The messages of one turn, put together in the plainest way that keeps within the budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.assemble.quoted import quoted
from winnow.say.messages import message
from winnow.text.tokens import COUNTER, count_tokens
from winnow.types.context import ChatMessage, Context, Use
from winnow.types.dialogue import Language
from winnow.types.shortlist import Dropped, Shortlist


@dataclass(frozen=True, slots=True)
class Parts:
    """What the messages of one turn are made of."""

    question: str
    language: Language = "en"
    system: str = ""
    history: Sequence[ChatMessage] = ()
    device: str = ""
    """The briefing of the home; empty where nothing of it is needed."""
    found: Sequence[Shortlist] = ()


def put_together(parts: Parts, total: int) -> Context:
    """System, history, what was found, the question; the least important left out where it does not fit."""
    history, quotes = list(parts.history), _quotes(parts)
    trimmed: list[Dropped] = []
    while _tokens(made := _messages(parts, history, quotes)) > total:
        if len(quotes) > 2:
            quotes.pop()
        elif history:
            trimmed.append(Dropped(str(len(trimmed)), "history", "the oldest goes first"))
            history.pop(0)
        else:
            break
    used = _tokens(made)
    return Context(tuple(made), used, total, COUNTER, {"knowledge": Use(used, total)}, trimmed=tuple(trimmed))


def _quotes(parts: Parts) -> list[str]:
    lines = [line.versions[0] for line in quoted(parts.found)]
    return [message("quotations_not_instructions", parts.language), *lines] if lines else []


def _messages(parts: Parts, history: Sequence[ChatMessage], quotes: Sequence[str]) -> list[ChatMessage]:
    late = "\n".join(part for part in (parts.device, *quotes) if part)
    return [
        *([{"role": "system", "content": parts.system}] if parts.system else []),
        *history,
        *([{"role": "system", "content": late}] if late else []),
        {"role": "user", "content": parts.question},
    ]


def _tokens(messages: Sequence[Mapping[str, object]]) -> int:
    return sum(4 + count_tokens(str(m.get("content") or "")) for m in messages)
