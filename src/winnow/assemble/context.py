"""Everything that goes before a language model for one turn, within one budget: what changes stands last.

::

    instructions          the same for all turns, rooms and users of a home
    summary, facts        of the dialogue's earlier turns; changes when it is built anew
    window                the turns that stay word for word; grows at its end
    data of this turn     the home, what was looked up
    question
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.assemble.allotment import Signals, allotted, lent, moved, signals
from winnow.assemble.data import Data, data
from winnow.assemble.dialogue import Dialogue, Room, dialogue
from winnow.assemble.loading.lately import lately, remembered
from winnow.assemble.loading.more import wants_detail
from winnow.assemble.parts import Parts
from winnow.assemble.shares import ContextBudget
from winnow.assemble.window.exchanges import cut_to, exchanges
from winnow.errors import OverBudget, Phrase
from winnow.text.encode import compact_json, sendable
from winnow.text.tokens import PER_MESSAGE, PER_REPLY, Counter
from winnow.types.context import ChatMessage, Context, Held, Part
from winnow.types.shortlist import Dropped, Step

QUESTION = 0.2
"""Part of the dialogue's share that the question may take before it borrows from the looked-up data, so that
one long question does not push the dialogue out."""
LENT = 0.5
"""Part of the share of what is looked up that a long question may borrow."""
NOTHING = Held()
Messages = tuple[ChatMessage, ...]

__all__ = ["Parts", "assembled"]


def assembled(parts: Parts, budget: ContextBudget | None = None, before: Context | None = None) -> Context:
    """The messages for this turn, never more than the budget's total, counted with what surrounds each.

    ``budget`` says how much there is and is not changed; ``before`` is the context of the turn before, where
    there was one: what it begins with stays the same as long as it fits. Raises OverBudget where instructions
    are longer than their share and may not be cut.
    """
    parts = _sendable(parts)
    if wants_detail(parts.question):
        parts = replace(parts, detail=True)
    draft = _Draft(parts, (budget or ContextBudget()).emptied())
    held = before.held if before and before.held else NOTHING
    first, question = draft.instructions(), draft.question()
    said = draft.dialogue(question, held)
    told = draft.data(said, held)
    still = (*first, *said.messages)
    return draft.context((*still, *_message("system", told.text), *question), still, said, told, before)


def _sendable(parts: Parts) -> Parts:
    """The parts as they can be sent: what comes from sources and homes is encoded where it is quoted."""
    texts = {name: sendable(getattr(parts, name)) for name in ("question", "system", "query", "summary")}
    return replace(parts, **texts, history=[sendable(message) for message in parts.history])


class _Draft:
    """A context on its way: what its shares hold, and the account of it."""

    def __init__(self, parts: Parts, shares: ContextBudget) -> None:
        self.parts, self.shares = parts, shares
        self.known: Signals = signals(parts, exchanges(parts.history))
        self.steps: list[Step] = [*allotted(shares, self.known)]
        self.trimmed: list[Dropped] = []

    @property
    def counter(self) -> Counter:
        """What counts its tokens."""
        return self.shares.counter

    def instructions(self) -> Messages:
        """The host's instructions within their share. Raises OverBudget."""
        system, room = self.parts.system, self.shares.allocation("system")
        tools = sum(self.counter.count(compact_json(tool, 10_000)) for tool in self.parts.tools)
        left = room - tools - (PER_MESSAGE if system else 0)
        if self.counter.count(system) > left:
            if not self.parts.trim:
                raise OverBudget(_too_long(self.counter.count(system) + room - left, room), hint=_SHORTEN)
            system = cut_to(system, max(0, left), self.counter)
            self.trimmed.append(Dropped("system", "system", "cut in the middle"))
        self.shares.add("system", "", min(tools, room))
        return self._added("system", _message("system", system))

    def question(self) -> Messages:
        """The question; what is longer than the dialogue can hold is cut in its middle."""
        asked = _message("user", self.parts.question)
        size, own = sum(map(self.counter.message, asked)), self.shares.allocation("history")
        excess = min(size - int(own * QUESTION), int(self.shares.allocation("knowledge") * LENT))
        if excess > 0:
            moved(self.shares, "knowledge", "history", excess)
            self.steps.append(Step("shares", _lent(excess), "the question is long"))
        room = self.shares.allocation("history")
        if size > room:
            asked = _message("user", cut_to(self.parts.question, max(0, room - PER_MESSAGE), self.counter))
            self.trimmed.append(Dropped("question", "question", "cut in the middle"))
        return self._added("history", asked)

    def dialogue(self, question: Messages, held: Held) -> Dialogue:
        """What was said before."""
        asked = sum(map(self.counter.message, question))
        said = dialogue(self.parts, Room(self.shares.allocation("history"), asked, self.counter), held)
        self._added("history", said.messages)
        self._noted(said)
        return said

    def data(self, said: Dialogue, held: Held) -> Data:
        """What was looked up for this turn, with what other shares leave over."""
        self.steps += lent(self.shares, self.known)
        found = (*self.parts.found, *lately(held.given, self.parts))
        there = {text for turn in said.window for text in turn.texts}
        told = data(
            replace(self.parts, found=found), self.shares.allocation("knowledge"), self.counter, there
        )
        self._added("knowledge", _message("system", told.text))
        self._noted(told)
        return told

    def context(
        self, messages: Messages, still: Messages, said: Dialogue, told: Data, before: Context | None
    ) -> Context:
        """All of it, with its account."""
        self.shares.add("reserve", "", PER_REPLY)
        now = self.parts.now
        last = before.last_reconstruction_time if before else None
        return Context(
            messages=messages,
            token_count=self.counter.messages(messages),
            total=self.shares.total,
            counted_by=self.counter.name,
            usage=self.shares.usage(),
            stable=sum(map(self.counter.message, still)),
            shared=_shared(messages, before.messages if before else (), self.counter),
            warnings=self.shares.warnings(),
            trimmed=tuple(self.trimmed),
            steps=tuple(self.steps),
            last_reconstruction_time=now if said.rebuilt else last,
            more=tuple(quote.id for quote in told.waiting),
            held=replace(said.held, given=remembered(told, before, self.parts)),
        )

    def _added(self, part: Part, messages: Messages) -> Messages:
        """The messages, counted into their share."""
        self.shares.add(part, "", sum(map(self.counter.message, messages)))
        return messages

    def _noted(self, made: Dialogue | Data) -> None:
        self.steps += made.steps
        self.trimmed += made.trimmed


_SHORTEN = "Shorten the instructions, give them a bigger share, or allow them to be cut: trim=True."


def _too_long(size: int, room: int) -> str:
    template = "The instructions have {count} tokens, and their share holds {room}."
    return Phrase(template, count=size, room=room)


def _lent(count: int) -> str:
    return Phrase("{count} tokens from {giver} to {taker}", count=count, giver="knowledge", taker="history")


def _message(role: str, text: str) -> Messages:
    """One message of that text; none where there is nothing to say."""
    return ({"role": role, "content": text},) if text else ()


def _shared(messages: Sequence[ChatMessage], before: Sequence[ChatMessage], counter: Counter) -> int:
    """Tokens of the first messages that the turn before began with as well."""
    tokens = 0
    for now, then in zip(messages, before, strict=False):
        if now != then:
            break
        tokens += counter.message(now)
    return tokens
