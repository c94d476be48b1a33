"""Everything that goes before a language model for one turn, within one budget: what changes stands last.

::

    instructions          the same for all turns, rooms and users of a home
    summary, facts        of the dialogue's earlier turns; changes when it is built anew
    window                the turns that stay word for word; grows at its end
    data of this turn     the home, what was looked up
    question
"""

from __future__ import annotations

from dataclasses import replace

from winnow.context.dialogue import Dialogue, DialogueRoom, build_dialogue
from winnow.context.more import next_recent, recent_shortlists, wants_detail
from winnow.context.parts import ContextParts
from winnow.context.quotes import TurnData, quote_data
from winnow.context.shares import (
    DEFAULT_SHARES,
    DEFAULT_TOTAL,
    ContextBudget,
    Signals,
    claim_tokens,
    lend_unused,
    move_shares,
    move_tokens,
    share_signals,
    share_step,
)
from winnow.context.window import cut_text, split_exchanges
from winnow.errors import OverBudget, Phrase
from winnow.language.encode import sendable
from winnow.language.messages import message
from winnow.language.registry import language_of
from winnow.language.tokens import PER_MESSAGE, PER_REPLY, Counter
from winnow.types.candidate import Dropped, Step
from winnow.types.context import ChatMessage, Context, DialogueState, Part

QUESTION_SHARE = 0.2
"""Part of the dialogue's share that the question may take before it borrows from the looked-up data, so that
one long question does not push the dialogue out."""
LENT_SHARE = 0.5
"""Part of the share of what is looked up that a long question may borrow."""
ASKED_SHARE = 0.5
"""Part of the whole that a question has in any case; what is longer may be cut."""
CUT_SHARE = 0.5
"""Part of the whole that instructions have at most once they are cut."""
NO_DIALOGUE_STATE = DialogueState()
Messages = tuple[ChatMessage, ...]


def build_context(
    parts: ContextParts, budget: ContextBudget | None = None, before: Context | None = None
) -> Context:
    """The messages for this turn, never more than the budget's total, counted with what surrounds each.

    ``budget`` says how much there is and is not changed; ``before`` is the context of the turn before, where
    there was one: what it begins with stays the same as long as it fits. Instructions and tools that need
    more than their share take from the others. Raises OverBudget where they leave no room for the question.
    """
    # The parts as they can be sent: what comes from sources and homes is encoded where it is quoted
    texts = {name: sendable(getattr(parts, name)) for name in ("question", "system", "query", "summary")}
    detail = parts.detail or wants_detail(texts["question"])
    parts = replace(parts, **texts, history=[sendable(one) for one in parts.history], detail=detail)
    if budget is None:
        budget = ContextBudget(
            parts.tokens or DEFAULT_TOTAL, parts.shares or DEFAULT_SHARES, parts.counted_by
        )
    draft = _ContextDraft(parts, budget.empty_copy())
    held = before.dialogue if before and before.dialogue else NO_DIALOGUE_STATE
    first, question = draft.instructions(), draft.question()
    said = draft.dialogue(question, held)
    told = draft.data(said, held)
    still = (*first, *said.messages)
    return draft.context((*still, *_message_of("system", told.text), *question), still, said, told, before)


class _ContextDraft:
    """A context on its way: what its shares hold, and the account of it."""

    def __init__(self, parts: ContextParts, shares: ContextBudget) -> None:
        self.parts, self.shares = parts, shares
        self.known: Signals = share_signals(parts, split_exchanges(parts.history))
        self.steps: list[Step] = [*move_shares(shares, self.known)]
        self.trimmed: list[Dropped] = []

    @property
    def counter(self) -> Counter:
        """What counts its tokens."""
        return self.shares.counter

    def instructions(self) -> Messages:
        """The host's instructions, with room for the reply, the tools and the question. Raises OverBudget."""
        tools, asked = self.counter.tools(self.parts.tools), self._size("user", self.parts.question)
        stays = min(asked, int(self.shares.total * ASKED_SHARE))
        self._shorten_system(self.shares.total - PER_REPLY - tools - stays, tools, asked)
        needed = tools + self._size("system", self.parts.system)
        least: dict[Part, int] = {"reserve": PER_REPLY, "history": stays, "system": needed}
        for part in ("reserve", "history", "system"):
            self.steps += claim_tokens(self.shares, part, least[part], least)
        self.shares.add("system", "", tools)
        return self._add("system", _message_of("system", self.parts.system))

    def _shorten_system(self, left: int, tools: int, asked: int) -> None:
        """Cut the instructions where they are more than what is left, if they may be. Raises OverBudget."""
        size = self._size("system", self.parts.system)
        if size <= left:
            return
        if left < 0 or not self.parts.trim:
            raise _over_budget(tools, size, asked, self.shares.total)
        most = max(0, min(left, int(self.shares.total * CUT_SHARE)) - PER_MESSAGE)
        self.parts = replace(self.parts, system=cut_text(self.parts.system, most, self.counter))
        self.trimmed.append(Dropped("system", "system", "cut in the middle"))

    def _size(self, role: str, text: str) -> int:
        """Tokens of the message of that text; 0 of none."""
        return sum(map(self.counter.message, _message_of(role, text)))

    def question(self) -> Messages:
        """The question; what is longer than all the others leave is cut in its middle. Raises OverBudget."""
        size, own = self._size("user", self.parts.question), self.shares.allocation("history")
        excess = min(size - int(own * QUESTION_SHARE), int(self.shares.allocation("knowledge") * LENT_SHARE))
        if excess > 0:
            move_tokens(self.shares, "knowledge", "history", excess)
            self.steps.append(share_step("knowledge", "history", excess, "the question is long"))
        self.steps += claim_tokens(self.shares, "history", size, {"reserve": PER_REPLY})
        if size > self.shares.allocation("history"):
            room = max(0, self.shares.allocation("history") - PER_MESSAGE)
            cut = cut_text(self.parts.question, room, self.counter)
            if not cut:  # all that could be cut may not be torn
                raise _over_budget(0, self.shares.usage()["system"].used, size, self.shares.total)
            self.parts = replace(self.parts, question=cut)
            self.trimmed.append(Dropped("question", "question", "cut in the middle"))
        return self._add("history", _message_of("user", self.parts.question))

    def dialogue(self, question: Messages, held: DialogueState) -> Dialogue:
        """What was said before."""
        asked = sum(map(self.counter.message, question))
        said = build_dialogue(
            self.parts, DialogueRoom(self.shares.allocation("history"), asked, self.counter), held
        )
        self._add("history", said.messages)
        self._note_quotes(said)
        return said

    def data(self, said: Dialogue, held: DialogueState) -> TurnData:
        """What was looked up for this turn, with what other shares leave over."""
        self.steps += lend_unused(self.shares, self.known)
        again = recent_shortlists(held.recent, self.parts)
        found = (*self.parts.found, *again)
        there = {text for turn in said.window for text in turn.texts}
        parts = replace(self.parts, found=found) if again else self.parts
        told = quote_data(parts, self.shares.allocation("knowledge"), self.counter, there)
        if self.parts.found and not any(one.candidates for one in found):
            told = self._with_nothing_found(told)
        self._add("knowledge", _message_of("system", told.text))
        self._note_quotes(told)
        return told

    def _with_nothing_found(self, told: TurnData) -> TurnData:
        """The data with a line that tells that it was looked up in vain, where that fits."""
        line = message("nothing_found", self.parts.language or language_of(self.parts.question))
        text = "\n".join(filter(None, (told.text, line)))
        fits = self._size("system", text) <= self.shares.allocation("knowledge")
        return replace(told, text=text) if fits else told

    def context(
        self, messages: Messages, still: Messages, said: Dialogue, told: TurnData, before: Context | None
    ) -> Context:
        """All of it, with its account."""
        self.shares.add("reserve", "", PER_REPLY)
        now = self.parts.now
        last = before.last_reconstruction_time if before else None
        # Tokens of the first messages that the turn before began with as well
        shared = 0
        for one, other in zip(messages, before.messages if before else (), strict=False):
            if one != other:
                break
            shared += self.counter.message(one)
        return Context(
            messages=messages,
            token_count=self.counter.messages(messages) + self.counter.tools(self.parts.tools),
            tools=tuple(self.parts.tools),
            tool_tokens=self.counter.tools(self.parts.tools),
            total=self.shares.total,
            counted_by=self.counter.name,
            usage=self.shares.usage(),
            stable=sum(map(self.counter.message, still)),
            shared=shared,
            warnings=self.shares.warnings(),
            trimmed=tuple(self.trimmed),
            steps=tuple(self.steps),
            last_reconstruction_time=now if said.rebuilt else last,
            more=tuple(quote.id for quote in told.waiting),
            smaller=told.smaller,
            dialogue=replace(said.state, recent=next_recent(told, before, self.parts)),
        )

    def _add(self, part: Part, messages: Messages) -> Messages:
        """The messages, counted into their share."""
        self.shares.add(part, "", sum(map(self.counter.message, messages)))
        return messages

    def _note_quotes(self, made: Dialogue | TurnData) -> None:
        self.steps += made.steps
        self.trimmed += made.trimmed


def _over_budget(tools: int, system: int, question: int, total: int) -> OverBudget:
    told: str = Phrase(
        "Instructions ({system} tokens), tools ({tools}) and question ({question}) are more than a context"
        " of {total} tokens holds.",
        system=system,
        tools=tools,
        question=question,
        total=total,
    )
    needed = tools + system + question + PER_REPLY
    return OverBudget(told, hint=Phrase(_HINT, count=needed))


_HINT = (
    "Give it {count} tokens or more (ContextOptions(tokens=...) or the setting context), shorten the"
    " instructions, send fewer tools, or allow the instructions to be cut: ContextOptions(trim=True)."
)


def _message_of(role: str, text: str) -> Messages:
    """One message of that text; none where there is nothing to say."""
    return ({"role": role, "content": text},) if text else ()
